"""The retrievers of a cell by name: the second axis of every comparison, beside the cell itself.

Each part is opened when something needs it, once, and shared by all that do.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import polars as pl

from lawrag_assets.errors import InputError
from lawrag_assets.retrieval.calibration import QuestionMeans
from lawrag_assets.retrieval.dense import Dense, DenseCentred
from lawrag_assets.retrieval.fusion import Fused
from lawrag_assets.retrieval.index import Index
from lawrag_assets.retrieval.lexical import Lexical
from lawrag_assets.retrieval.linked import Linked
from lawrag_assets.retrieval.names import RETRIEVERS
from lawrag_assets.retrieval.reranking import PairScorer, Reranked
from lawrag_assets.retrieval.retriever import Limited, Retriever, Scorer


@dataclass(frozen=True)
class Sources:
    """What the retrievers of one cell are made of; what is a function is read when a retriever needs it."""

    index: Index
    question_means: Callable[[], QuestionMeans]
    lexical: Callable[[], pl.DataFrame]
    """`lexical.LEXICAL_SCHEMA`, of the same chunks in the same order."""
    texts: Callable[[], Sequence[str]]
    """(chunks,): the chunks' texts, for a model that reads them."""
    references: Callable[[], pl.DataFrame]
    """What refers to what in the corpus: `laws.edges.EDGES_SCHEMA`."""
    reranker: PairScorer | None = None


class Retrievers:
    """A cell's retrievers, for all laws of the index or for some."""

    def __init__(self, sources: Sources, laws: Sequence[str] = ()) -> None:
        self._sources = sources
        self._laws = tuple(laws)

    @property
    def index(self) -> Index:
        """The cell's index."""
        return self._sources.index

    def of_laws(self, laws: Sequence[str]) -> "Retrievers":
        """The same for sections of these laws only; what is open already stays open."""
        limited = Retrievers(self._sources, laws)
        for name in ("_centred", "_lexical", "_fused"):
            if name in self.__dict__:
                limited.__dict__[name] = self.__dict__[name]
        return limited

    def names(self) -> tuple[str, ...]:
        """Those that can be asked, and differ, on this cell."""
        without = {"dense_collapsed"} if self._sources.index.tree is None else set()
        without |= {"reranked"} if self._sources.reranker is None else set()
        return tuple(name for name in RETRIEVERS if name not in without)

    def __getitem__(self, name: str) -> Retriever:
        """A retriever by its name. InputError lists the known ones, or says what `reranked` needs."""
        match name:
            case "dense" | "dense_collapsed":
                index = self._sources.index
                return Dense(index.of_laws(self._laws) if self._laws else index, name)
            case "dense_centred":
                return self._of_laws(self._centred)
            case "lexical":
                return self._of_laws(self._lexical)
            case "fused":
                return self._of_laws(self._fused)
            case "linked":
                return self._linked
            case "reranked":
                return self._reranked()
        raise InputError(f"unknown retriever {name!r}: one of {', '.join(RETRIEVERS)}")

    def _of_laws(self, scorer: Scorer) -> Scorer:
        return Limited(scorer, self._laws) if self._laws else scorer

    @cached_property
    def _centred(self) -> DenseCentred:
        return DenseCentred(self._sources.index, self._sources.question_means())

    @cached_property
    def _lexical(self) -> Lexical:
        return Lexical(self._sources.lexical(), self._sources.index)

    @cached_property
    def _fused(self) -> Fused:
        return Fused(self._centred, self._lexical)

    @cached_property
    def _linked(self) -> Linked:
        return Linked(self._of_laws(self._fused), self._sources.references())

    @cached_property
    def _texts(self) -> Sequence[str]:
        return self._sources.texts()

    def _reranked(self) -> Reranked:
        if self._sources.reranker is None:
            raise InputError("the retriever reranked needs a cross-encoder: name one with LAWRAG_RERANKER")
        return Reranked(self._of_laws(self._fused), lambda rows: [self._texts[row] for row in rows], self._sources.reranker)
