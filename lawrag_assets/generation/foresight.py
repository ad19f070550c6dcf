"""A generator that counts what another would be asked, and asks it nothing: the language model's part of a dry run.

What has to stand in for an answer that nobody has given yet is what the rules of `extractive` say.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from lawrag_assets.generation import extractive
from lawrag_assets.generation.extractive import ExtractiveGenerator
from lawrag_assets.generation.prompts import prompt
from lawrag_assets.generation.protocol import Answer, Arrived, Generator, Origin, Request, Task, Usage
from lawrag_assets.generation.wire import written

V = TypeVar("V")

CountTokens = Callable[[str], int]


@dataclass
class Foreseen:
    """What would be asked: requests, each of them one call if its first answer is good; tokens of the prompts and of the answers that
    stand in, as JSON. `guessed`: some of the requests would not be asked in just this way, for they rest on stand-ins."""

    requests: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    guessed: bool = False


@dataclass
class Doubt:
    """Whether something has been stood in for, so that what follows from it is a guess."""

    raised: bool = False


class ForeseeingGenerator:
    """Stands before a generator in the place of its service. It is a `Generator` itself."""

    def __init__(self, generator: Generator, count_tokens: CountTokens, doubt: Doubt) -> None:
        """Take whose requests are counted, how the model counts tokens, and what to tell that answers were stood in for."""
        self.foreseen = Foreseen()
        self._generator = generator
        self._count_tokens = count_tokens
        self._doubt = doubt
        self._instructions: dict[Task, int] = {}

    @property
    def name(self) -> str:
        """The generator's."""
        return self._generator.name

    def origin(self, task: Task) -> Origin:
        """See `Generator.origin`."""
        return self._generator.origin(task)

    def generate(self, requests: Sequence[Request[V]], arrived: Arrived | None = None) -> list[Answer[V]]:
        """Answer by the rules, and count. The rules' own requests cost nothing and leave no doubt."""
        answers = ExtractiveGenerator().generate(requests)
        if self._generator.name != extractive.NAME:
            self._count(requests, answers)
            answers = [Answer(answer.value, Usage(calls=1)) for answer in answers]
        if arrived:
            arrived(dict(enumerate(answers)))
        return answers

    def _count(self, requests: Sequence[Request[V]], answers: Sequence[Answer[V]]) -> None:
        self.foreseen.guessed |= self._doubt.raised
        self._doubt.raised = True
        for request, answer in zip(requests, answers, strict=True):
            self.foreseen.requests += 1
            self.foreseen.input_tokens += self._prompt_tokens(request)
            self.foreseen.output_tokens += self._count_tokens(written(request.task, answer.value))

    def _prompt_tokens(self, request: Request[V]) -> int:
        instruction, asked = prompt(request.task).messages(request)
        if request.task not in self._instructions:
            self._instructions[request.task] = self._count_tokens(instruction["content"])
        return self._instructions[request.task] + self._count_tokens(asked["content"])
