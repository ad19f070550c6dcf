"""How an answer travels: the JSON a service is asked for, and how its reply is read. Whether the value is good is `validation`'s."""

import json
import re
from typing import Any

from lawrag_assets.generation.protocol import PropositionsRequest, Request, Task

_FIELDS: dict[Task, tuple[str, dict[str, Any]]] = {
    Task.CONTEXT: ("context", {"type": "string"}),
    Task.PROPOSITIONS: ("propositions", {"type": "array", "items": {"type": "string"}}),
    Task.BOUNDARY: ("first", {"type": "integer"}),
    Task.SUMMARY: ("summary", {"type": "string"}),
}
_FENCE = re.compile(r"\s*```(?:json)?\s*(.*?)\s*```\s*", re.DOTALL | re.IGNORECASE)
_MISSING = object()


class UnreadableError(Exception):
    """The reply is not the JSON asked for; one line says why."""


def response_format(task: Task) -> dict[str, Any]:
    """OpenAI's `response_format` for a task, strict."""
    name, schema = _FIELDS[task]
    whole = {"type": "object", "properties": {name: schema}, "required": [name], "additionalProperties": False}
    return {"type": "json_schema", "json_schema": {"name": str(task), "schema": whole, "strict": True}}


def read(request: Request[Any], reply: str) -> object:
    """The value in a reply: JSON as asked for, be it in a code fence or with words around it.

    White space is made single spaces; a list becomes a tuple. Raises UnreadableError.
    """
    name, schema = _FIELDS[request.task]
    value = _json(reply).get(name, _MISSING)
    if value is _MISSING:
        raise UnreadableError(f"no {name!r} in the JSON")
    if schema["type"] == "string" and isinstance(value, str):
        return " ".join(value.split())
    if schema["type"] == "array" and isinstance(value, list) and all(isinstance(item, str) for item in value):
        return tuple(" ".join(item.split()) for item in value)
    if schema["type"] == "integer" and isinstance(value, int) and not isinstance(value, bool):
        return value
    raise UnreadableError(f"{name!r} is no {schema['type']}")


def written(task: Task, value: object) -> str:
    """A reply that says this value, as a service would write it."""
    return json.dumps({_FIELDS[task][0]: to_json(value)}, ensure_ascii=False)


def to_json(value: object) -> Any:
    """A value as JSON has it; `from_json` is its inverse."""
    return list(value) if isinstance(value, tuple) else value


def from_json(value: Any) -> object:
    """The value that `to_json` wrote."""
    return tuple(value) if isinstance(value, list) else value


def _json(reply: str) -> dict[str, Any]:
    if fence := _FENCE.fullmatch(reply):
        reply = fence[1]
    for text in (reply, reply[reply.find("{") : reply.rfind("}") + 1]):
        try:
            found = json.loads(text)
        except (ValueError, RecursionError):
            continue
        if isinstance(found, dict):
            return found
    raise UnreadableError(f"no JSON object: {reply[:60]!r}")


def room(request: Request[Any]) -> int:
    """How many tokens an answer gets at first: ample for a good one that needs no long thinking."""
    return 500 + (len(request.unit) if isinstance(request, PropositionsRequest) else 0)
