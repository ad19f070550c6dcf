"""What every retriever is: an object with a name that ranks the sections of one cell for questions.

A retriever holds all it needs in memory and never changes, so that many threads may ask one at a time. Two kinds: those that rank what
a cell's nearest chunks belong to (`dense`), and those that give every section a score (`Scorer`), which can be put together (`fusion`).
Which retrievers there are stands in `retrievers`.
"""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from lawrag_assets.retrieval.aggregation import Ranking, set_apart
from lawrag_assets.retrieval.asked import Asked
from lawrag_assets.retrieval.hits import Floats, Ints
from lawrag_assets.retrieval.index import Index

DEPTH = 100
"""Sections that are ranked for a question: as deep as any measure looks."""
_DECIMALS = 5
"""Scores that agree so far are equal: the last bits of a matrix product depend on how many questions are asked at once."""


class Retriever(Protocol):
    """Ranks sections."""

    @property
    def name(self) -> str:
        """What run tables, settings and reports call it."""
        ...

    @property
    def section_ids(self) -> tuple[str, ...]:
        """The sections it can find, sorted; rankings count them by their position here."""
        ...

    @property
    def chunk_ids(self) -> tuple[str, ...]:
        """The chunks that rankings show, likewise."""
        ...

    def rank(self, asked: Asked) -> Ranking:
        """The best sections of every question, of one as of many the same."""
        ...


@dataclass(frozen=True)
class Scores:
    """What a scorer thinks of everything there is. Higher is better; scores of two questions need not be comparable."""

    sections: Floats
    """(q, sections)."""
    chunks: Floats
    """(q, chunks): a section's highest is the chunk that is shown for it."""


class Sections:
    """The chunks of each section: the way from scores of chunks to scores of sections, and back to a section's best chunk."""

    def __init__(self, index: Index) -> None:
        parents = index.parents
        counts = np.diff(parents.starts)
        order = np.argsort(parents.sections, kind="stable")
        self.ids = parents.ids
        self.chunk_ids = index.chunk_ids
        self._chunks: Ints = np.repeat(np.arange(len(counts)), counts)[order]
        self._starts: Ints = np.searchsorted(parents.sections[order], np.arange(len(parents.ids) + 1)).astype(np.int64)

    def best(self, of_chunks: Floats) -> Floats:
        """The highest score among each section's chunks: (q, chunks) → (q, sections)."""
        if not self.ids or not len(of_chunks):
            return np.zeros((len(of_chunks), len(self.ids)), dtype=np.float32)
        best: Floats = np.maximum.reduceat(of_chunks[:, self._chunks], self._starts[:-1], axis=1)
        return best

    def best_chunks(self, of_chunks: Floats, queries: Ints, sections: Ints) -> Ints:
        """For pairs of a question and a section, (pairs,) each: the section's chunk of the highest score, the first of equal ones."""
        counts = self._starts[sections + 1] - self._starts[sections]
        begin = np.cumsum(counts) - counts
        within = np.arange(counts.sum()) - np.repeat(begin, counts)
        chunks = self._chunks[np.repeat(self._starts[sections], counts) + within]
        scores = of_chunks[np.repeat(queries, counts), chunks]
        order = np.lexsort((within, -scores, np.repeat(np.arange(len(counts)), counts)))
        best: Ints = chunks[order[begin]]
        return best


class Scorer(ABC):
    """A retriever that gives every section a score, and ranks by it."""

    name: str

    def __init__(self, sections: Sections) -> None:
        self.sections = sections

    @property
    def section_ids(self) -> tuple[str, ...]:
        """The sections it scores, sorted."""
        return self.sections.ids

    @property
    def chunk_ids(self) -> tuple[str, ...]:
        """The chunks it scores, in the order of the index."""
        return self.sections.chunk_ids

    @abstractmethod
    def scores(self, asked: Asked) -> Scores:
        """Score everything for every question. Memory: 4 × q × (chunks + sections) bytes; the caller cuts many into blocks."""

    def rank(self, asked: Asked) -> Ranking:
        """The `DEPTH` sections of the highest scores, equal ones by section id, scores set apart as in `aggregation`."""
        return ranked(self.scores(asked), self.sections)


def ranked(scores: Scores, sections: Sections, depth: int = DEPTH) -> Ranking:
    """Rank the `depth` best sections of every question, those with a score of minus infinity left out."""
    queries, found, values = top_sections(scores.sections, depth)
    return Ranking(queries, found, values, sections.best_chunks(scores.chunks, queries, found))


def top_sections(scores: Floats, depth: int = DEPTH) -> tuple[Ints, Ints, Floats]:
    """The same without chunks to show, from scores (q, sections): questions, sections and scores, (pairs,) each."""
    rounded = np.round(scores, _DECIMALS)
    depth = min(depth, rounded.shape[1])
    best = np.argsort(-rounded, axis=1, kind="stable")[:, :depth].astype(np.int64)
    queries = np.repeat(np.arange(len(rounded), dtype=np.int64), depth)
    values = np.take_along_axis(rounded, best, axis=1).ravel().astype(np.float32)
    found = best.ravel()
    there = values > -np.inf
    queries, found, values = queries[there], found[there], values[there]
    return queries, found, set_apart(values, queries)


class Limited(Scorer):
    """A scorer that is asked for some of its sections only, as those of one law."""

    def __init__(self, scorer: Scorer, prefixes: Sequence[str]) -> None:
        """`prefixes`: the laws' slugs; a section's id begins with its law's."""
        super().__init__(scorer.sections)
        self.name = scorer.name
        self._scorer = scorer
        self._wanted = np.array([section.partition("/")[0] in prefixes for section in scorer.section_ids], dtype=bool)

    def scores(self, asked: Asked) -> Scores:
        """Minus infinity for the sections that are not asked for."""
        scores = self._scorer.scores(asked)
        return Scores(np.where(self._wanted, scores.sections, np.float32(-np.inf)), scores.chunks)
