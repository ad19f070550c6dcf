"""What a pipeline tells while it works: an event a stage, with the milliseconds that were measured for it. All are plain values."""

from dataclasses import dataclass
from typing import ClassVar

from lawrag_assets.qa.model import Candidate, Claim, Judgement, Passage, RemovedCitation, Route
from lawrag_assets.qa.reply import Reply


@dataclass(frozen=True, slots=True)
class Event:
    """Something has happened. Only the classes below are ever told."""

    stage: ClassVar[str]
    """The stage's name, which is the event's, too."""
    milliseconds: float


@dataclass(frozen=True, slots=True)
class Embedded(Event):
    """The question has its vector."""

    stage = "embed"


@dataclass(frozen=True, slots=True)
class Routed(Event):
    """The laws are ranked; it is looked up in `searched`, in all where that is empty."""

    stage = "route"
    routes: tuple[Route, ...]
    searched: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Retrieved(Event):
    """The candidates in the retriever's order."""

    stage = "retrieve"
    candidates: tuple[Candidate, ...]


@dataclass(frozen=True, slots=True)
class Reranked(Event):
    """The same candidates in the reranker's order."""

    stage = "rerank"
    candidates: tuple[Candidate, ...]
    reranker: str


@dataclass(frozen=True, slots=True)
class Judged(Event):
    """Whether the evidence suffices. `evidence` is what an answer may cite."""

    stage = "judge"
    judgement: Judgement
    evidence: tuple[Passage, ...]


@dataclass(slots=True, frozen=True)
class Wrote(Event):
    """A sentence of the answer, checked; joined they are the answer, unless `Answered` says otherwise."""

    stage = "write"
    text: str


@dataclass(frozen=True, slots=True)
class Answered(Event):
    """The answer is complete, or refused."""

    stage = "answer"
    answer: str
    refused: bool
    by: str
    removed_citations: tuple[RemovedCitation, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Attributed(Event):
    """The answer's claims with what supports them."""

    stage = "attribute"
    claims: tuple[Claim, ...]


@dataclass(frozen=True, slots=True)
class Done(Event):
    """All is done; the milliseconds are those of the whole."""

    stage = "done"
    reply: Reply
