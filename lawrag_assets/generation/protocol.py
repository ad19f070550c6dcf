"""What can be asked of a generator, and what it answers. How an answer comes about does not belong here.

Four tasks, each a request of its own: a context for a unit, the propositions of a unit, the boundary in a run of units, the
summary of some texts. A request holds all that its answer may depend on, and nothing that moves when another place of the law is
amended (no position, no id), so that an answer is found again by its content.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, ClassVar, Generic, Protocol, TypeVar

V = TypeVar("V")


class GenerationError(Exception):
    """The work of generating failed (a service is down or refuses every request), though the input was right."""


class Task(StrEnum):
    """The kinds of request; also the names of their prompts."""

    CONTEXT = "context"
    PROPOSITIONS = "propositions"
    BOUNDARY = "boundary"
    SUMMARY = "summary"


@dataclass(frozen=True)
class Request(Generic[V]):
    """Something asked, answered by a V. Only the four classes below are ever asked."""

    task: ClassVar[Task]


@dataclass(frozen=True)
class ContextRequest(Request[str]):
    """Ask for a short prefix that says what a unit is about (paper, section 3, "Contextual chunking").

    `hierarchy` are the titles above the section from the outermost, `section` is the section's whole text, `unit` the part of it
    that the prefix is for, `citation` the unit's.
    """

    task = Task.CONTEXT
    citation: str
    hierarchy: tuple[str, ...]
    heading: str
    section: str
    unit: str


@dataclass(frozen=True)
class PropositionsRequest(Request[tuple[str, ...]]):
    """Ask for the self-contained statements that a unit consists of (paper, section 3, "Proposition chunking")."""

    task = Task.PROPOSITIONS
    unit: str


@dataclass(frozen=True)
class ShownUnit:
    """A unit as it is shown in a boundary request."""

    citation: str
    text: str


@dataclass(frozen=True)
class BoundaryRequest(Request[int]):
    """Ask where the next chunk begins in a run of units (paper, section 3, "Lumber-style chunking").

    The units are numbered from 1. The answer is the number of the first unit of the next chunk: 2 to n, or n + 1 where all n
    belong together. A run of one unit leaves nothing to ask and is a ValueError.
    """

    task = Task.BOUNDARY
    units: tuple[ShownUnit, ...]

    def __post_init__(self) -> None:
        if len(self.units) < 2:
            raise ValueError("a boundary is asked for among at least two units")


@dataclass(frozen=True)
class SummaryRequest(Request[str]):
    """Ask for a short summary of some texts (paper, section 3, "RAPTOR"). No texts are a ValueError."""

    task = Task.SUMMARY
    texts: tuple[str, ...]

    def __post_init__(self) -> None:
        if not self.texts:
            raise ValueError("a summary is asked for of at least one text")


@dataclass(frozen=True)
class Usage:
    """What an answer took, bad tries included. None: the service did not say, or has no known price.

    `cost` is in US dollars. `seconds` is the answer's share of the wall clock while many were asked at once, so that the sum over
    answers is the time it took to get them.
    """

    calls: int = 0
    input_tokens: int | None = 0
    output_tokens: int | None = 0
    cost: float | None = 0.0
    seconds: float = 0.0

    def __add__(self, other: "Usage") -> "Usage":
        """Both together; what is unknown of one is unknown of both."""
        return Usage(
            self.calls + other.calls,
            _sum(self.input_tokens, other.input_tokens),
            _sum(self.output_tokens, other.output_tokens),
            _sum(self.cost, other.cost),
            self.seconds + other.seconds,
        )


N = TypeVar("N", int, float)


def _sum(one: N | None, other: N | None) -> N | None:
    return None if one is None or other is None else one + other


class Trouble(StrEnum):
    """Why a generator fell back."""

    BAD_ANSWER = "bad answer"  # against a rule of `validation`, also when asked again
    CUT_OFF = "cut off"  # too long for the largest room given
    REFUSED = "refused"  # the service will not answer this input: too long for the model, or against its policy
    NO_ANSWER = "no answer"  # the service failed, again and again; another day it may answer


@dataclass(frozen=True)
class Fallback:
    """Why an answer is not the model's but what `fallback` puts in its place."""

    trouble: Trouble
    reason: str

    @property
    def passing(self) -> bool:
        """Whether asking another day may help; such an answer is not worth keeping."""
        return self.trouble is Trouble.NO_ANSWER


@dataclass(frozen=True)
class Answer(Generic[V]):
    """An answer that satisfies `validation`, or a fallback that says why it is one. `cached`: it was there already."""

    value: V
    usage: Usage
    fallback: Fallback | None = None
    cached: bool = field(default=False, compare=False)


Arrived = Callable[[Mapping[int, Answer[Any]]], None]
"""Told of answers as they arrive, by the places of their requests."""


@dataclass(frozen=True)
class Origin:
    """Whose answers to a task: all that they depend on beside the request. `parameters` is JSON with sorted keys."""

    generator: str
    model: str
    task: Task
    prompt: str
    parameters: str


class Generator(Protocol):
    """Something that answers requests. Opening one is cheap; it gets ready when it is first asked."""

    @property
    def name(self) -> str:
        """The generator as the user named it, and as tables show it."""

    def origin(self, task: Task) -> Origin:
        """Whose answers to this task would come. Costs nothing: no library, no network."""

    def generate(self, requests: Sequence[Request[V]], arrived: Arrived | None = None) -> list[Answer[V]]:
        """Answer requests of one task, in their order; a request asked twice may be answered twice.

        `arrived` is told of each answer before another request takes its place, so that it can be kept at once. Raises InputError
        when the model cannot be had, GenerationError when the service fails altogether; never for a single bad answer.
        """


@dataclass(frozen=True)
class Tally:
    """What some answers took, together. `fallbacks` counts them by trouble."""

    answers: int = 0
    cached: int = 0
    fallbacks: Mapping[Trouble, int] = field(default_factory=dict)
    usage: Usage = field(default_factory=Usage)

    def __add__(self, other: "Tally") -> "Tally":
        """Both together."""
        troubles = [trouble for trouble in Trouble if trouble in self.fallbacks or trouble in other.fallbacks]
        fallbacks = {trouble: self.fallbacks.get(trouble, 0) + other.fallbacks.get(trouble, 0) for trouble in troubles}
        return Tally(self.answers + other.answers, self.cached + other.cached, fallbacks, self.usage + other.usage)


def tally(answers: Sequence[Answer[Any]]) -> Tally:
    """Sum up answers: the cached ones count with what they once took."""
    troubles = [answer.fallback.trouble for answer in answers if answer.fallback]
    return Tally(
        answers=len(answers),
        cached=sum(answer.cached for answer in answers),
        fallbacks={trouble: troubles.count(trouble) for trouble in Trouble if trouble in troubles},
        usage=sum((answer.usage for answer in answers), Usage()),
    )
