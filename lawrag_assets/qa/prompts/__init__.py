"""The prompts for answers, one file a language and version, and how question and evidence fill them.

Laid out as the prompts of generation: instruction with an example on a fictional statute, the line `=== Eingabe ===`, the template. A
released prompt is not edited: a better one is the next version.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from string import Template

from lawrag_assets.qa.model import Language, Passage

VERSION = 1
"""The version of the prompts in use."""

UNANSWERABLE = ("UNBEANTWORTBAR", "UNANSWERABLE")
"""What a model says when the evidence does not answer the question."""

_INPUT = "=== Eingabe ===\n"


@dataclass(frozen=True)
class AnswerPrompt:
    """A prompt as its file has it. `version` is "v1-" and a digest of the text, so that no two texts share one."""

    version: str
    instruction: str
    template: str

    def messages(self, question: str, evidence: Sequence[Passage]) -> list[dict[str, str]]:
        """The instruction as system message, evidence and question, each on lines of its own, as user message."""
        shown = "\n".join(f"[{passage.citation}] {_one_line(passage.text)}" for passage in evidence)
        asked = Template(self.template).substitute(passages=shown, question=_one_line(question))
        return [{"role": "system", "content": self.instruction}, {"role": "user", "content": asked}]


@cache
def answer_prompt(language: Language) -> AnswerPrompt:
    """The prompt in use for answers in a language."""
    text = (Path(__file__).parent / f"answer.{language}.v{VERSION}.md").read_text("utf-8")
    instruction, _, template = text.partition(_INPUT)
    return AnswerPrompt(f"v{VERSION}-{hashlib.sha256(text.encode()).hexdigest()[:8]}", instruction.strip(), template.strip())


def _one_line(text: str) -> str:
    """A text that cannot pretend to be another part of the prompt: on one line, without square brackets around a citation."""
    return " ".join(text.split()).replace("[§", "(§")
