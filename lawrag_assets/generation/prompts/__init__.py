"""The prompts: what a language model is told for each task, in German, one file a task and version, and how a request fills it.

A file `<task>.v<n>.md` holds the instruction with a worked example on a fictional statute, then the line `=== Eingabe ===`, then the
template of what is asked. A prompt that has been released is not edited: a better one is the next version. What an answer must
satisfy is code, in `validation`.
"""

import hashlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from string import Template
from typing import Any

from lawrag_assets.generation.protocol import (
    BoundaryRequest,
    ContextRequest,
    PropositionsRequest,
    Request,
    SummaryRequest,
    Task,
)

VERSIONS = {Task.CONTEXT: 1, Task.PROPOSITIONS: 1, Task.BOUNDARY: 1, Task.SUMMARY: 1}
"""The version of each prompt in use."""

_INPUT = "=== Eingabe ===\n"


@dataclass(frozen=True)
class Prompt:
    """A prompt as its file has it. `version` is "v1-" and a digest of the text, so that no two texts share one."""

    task: Task
    version: str
    instruction: str
    template: str

    def messages(self, request: Request[Any]) -> list[dict[str, str]]:
        """The instruction as system message, the request as user message: a service can keep the first for all units."""
        asked = Template(self.template).substitute(_fields(request))
        return [{"role": "system", "content": self.instruction}, {"role": "user", "content": asked}]


@cache
def prompt(task: Task) -> Prompt:
    """The prompt in use for a task."""
    version = f"v{VERSIONS[task]}"
    text = (Path(__file__).parent / f"{task}.{version}.md").read_text("utf-8")
    instruction, _, template = text.partition(_INPUT)
    digest = hashlib.sha256(text.encode()).hexdigest()[:8]
    return Prompt(task, f"{version}-{digest}", instruction.strip(), template.strip())


def _fields(request: Request[Any]) -> dict[str, str]:
    match request:
        case ContextRequest():
            return {
                "hierarchy": " › ".join(request.hierarchy) or "–",
                "heading": request.heading or "–",
                "citation": request.citation,
                "section": request.section,
                "unit": request.unit,
            }
        case PropositionsRequest():
            return {"unit": request.unit}
        case BoundaryRequest():
            shown = [f"[{number}] {unit.citation}: {unit.text}" for number, unit in enumerate(request.units, 1)]
            return {"units": "\n".join(shown), "most": str(len(request.units) + 1)}
        case SummaryRequest():
            return {"texts": "\n".join(f"[{number}] {text}" for number, text in enumerate(request.texts, 1))}
        case _:
            raise TypeError(f"no prompt for a {type(request).__name__}")
