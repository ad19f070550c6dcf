"""What a question becomes on its way to an answer, as plain values. How each comes about is the concern of the file that makes it."""

from dataclasses import dataclass
from typing import Literal

Language = Literal["de", "en"]


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence (Satz) of an Absatz; `start` and `end` are character offsets into the passage's text."""

    number: int
    citation: str
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Passage:
    """An Absatz in force, or a section without numbered ones: the smallest text that evidence is made of and claims are held against."""

    passage_id: str
    """Readable and stable: `arbzg/§3`, `arbzg/§6/Abs2`."""
    section_id: str
    slug: str
    law: str
    build: str
    """Date of the law's build, YYYY-MM-DD."""
    citation: str
    """ "§ 6 Abs. 2 ArbZG"."""
    section_citation: str
    heading: str
    hierarchy: tuple[str, ...]
    """The titles above the section from the outermost."""
    text: str
    sentences: tuple[Sentence, ...]


@dataclass(frozen=True, slots=True)
class LawBuild:
    """A law and the date of the build that answers are from."""

    slug: str
    law: str
    build: str


@dataclass(frozen=True, slots=True)
class Route:
    """How much a question is about a law. `named`: the question names it, which puts it before all others."""

    slug: str
    law: str
    score: float
    named: bool


@dataclass(frozen=True, slots=True)
class Candidate:
    """A passage that was found. Ranks count from 1; `rerank_score` and `rerank_rank` are None until a reranker has seen it.

    `score` is the retriever's; `rerank_score` lies between 0 and 1.
    """

    passage: Passage
    score: float
    rank: int
    rerank_score: float | None = None
    rerank_rank: int | None = None


@dataclass(frozen=True, slots=True)
class Judgement:
    """Whether the evidence suffices for an answer: `confidence` (0 to 1, calibrated) against `threshold`, and what it was read from."""

    sufficient: bool
    confidence: float
    threshold: float
    signals: dict[str, float]


@dataclass(frozen=True, slots=True)
class Claim:
    """A statement of an answer and the passage that supports it best.

    `citations` are those that the statement itself gives. `passage_id`, `citation` and `sentence` (the supporting Satz) name the best
    passage also where its `score` (0 to 1) is below the threshold; then `supported` is False. A statement about the texts themselves
    or about the answer (`meta`) can have no evidence and is given none.
    """

    text: str
    citations: tuple[str, ...]
    meta: bool = False
    passage_id: str | None = None
    citation: str | None = None
    sentence: Sentence | None = None
    score: float | None = None
    supported: bool = False


@dataclass(frozen=True, slots=True)
class RemovedCitation:
    """A citation that the model wrote and that the evidence does not have, with the reason for its removal."""

    citation: str
    reason: str
