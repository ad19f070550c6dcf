"""The service's OpenAPI description, the events of a streamed answer included, which no route returns as a document."""

from typing import Any, get_args

from fastapi import FastAPI
from pydantic.json_schema import models_json_schema

from lawrag_assets.service.wire import Problem, StageEvent

_REFERENCE = "#/components/schemas/{model}"
_STAGES = ("embed", "route", "retrieve", "rerank", "judge", "write", "answer", "attribute", "done", "error")
_EVENTS = [*get_args(StageEvent), Problem]
STREAM: dict[str, Any] = {
    "description": "An event as each stage finishes, `write` once a sentence. An answer that breaks off ends with `error`.",
    "content": {
        "text/event-stream": {
            "itemSchema": {
                "type": "object",
                "required": ["event", "data"],
                "properties": {
                    "event": {"type": "string", "enum": list(_STAGES)},
                    "data": {
                        "type": "string",
                        "contentMediaType": "application/json",
                        "contentSchema": {"anyOf": [{"$ref": _REFERENCE.format(model=event.__name__)} for event in _EVENTS]},
                    },
                },
            }
        }
    },
}
"""What a streamed answer is."""


def describe_events(app: FastAPI) -> None:
    """Add the schemas of the events to what the routes describe."""
    _, schemas = models_json_schema([(event, "serialization") for event in _EVENTS], ref_template=_REFERENCE)
    described = app.openapi()
    components = described["components"]["schemas"]
    for name, schema in schemas["$defs"].items():
        components.setdefault(name, schema)
