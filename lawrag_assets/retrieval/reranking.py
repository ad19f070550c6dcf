"""The retriever `reranked`: a cross-encoder reads the question beside each of the best sections of another retriever, and sorts them.

Any cross-encoder of sentence-transformers by name or folder. Sections below the ones it reads keep their order.
"""

from collections.abc import Callable, Sequence
from functools import cached_property
from threading import Lock
from typing import Any, Protocol

import numpy as np

from lawrag_assets.errors import InputError
from lawrag_assets.retrieval.aggregation import Ranking, set_apart
from lawrag_assets.retrieval.asked import Asked
from lawrag_assets.retrieval.hits import Floats
from lawrag_assets.retrieval.retriever import Retriever

READ = 50
"""Sections that the cross-encoder reads for a question."""


class PairScorer(Protocol):
    """Says how well texts answer questions."""

    def scores(self, pairs: Sequence[tuple[str, str]]) -> Floats:
        """(pairs,) of a question and a text: higher is better."""
        ...


class CrossEncoderModel:
    """A cross-encoder by its name on the hub or its folder, loaded when it is first asked. One thread at a time computes."""

    def __init__(self, model: str) -> None:
        self.model = model
        self._lock = Lock()

    @cached_property
    def _encoder(self) -> Any:
        from sentence_transformers import CrossEncoder

        try:
            return CrossEncoder(self.model)
        except (OSError, ValueError) as error:
            raise InputError(f"reranker {self.model!r} cannot be loaded: {str(error).strip().splitlines()[0][:300]}") from error

    def scores(self, pairs: Sequence[tuple[str, str]]) -> Floats:
        """The model's scores."""
        if not pairs:
            return np.zeros(0, dtype=np.float32)
        with self._lock:
            found = self._encoder.predict(list(pairs), show_progress_bar=False, convert_to_numpy=True)
        return np.asarray(found, dtype=np.float32).reshape(len(pairs), -1)[:, -1]


class Reranked:
    """The best sections of `first`, sorted anew by what the cross-encoder says of their best chunks."""

    name = "reranked"

    def __init__(self, first: Retriever, texts: Callable[[Sequence[int]], list[str]], model: PairScorer) -> None:
        """`texts` gives the texts of chunks by their positions in the index."""
        self._first, self._texts, self._model = first, texts, model

    @property
    def section_ids(self) -> tuple[str, ...]:
        """Those of the retriever below."""
        return self._first.section_ids

    @property
    def chunk_ids(self) -> tuple[str, ...]:
        """Those of the retriever below."""
        return self._first.chunk_ids

    def rank(self, asked: Asked) -> Ranking:
        """Read the first `READ` sections of each question; the others follow, in the order they had."""
        found = self._first.rank(asked)
        read = found.ranks <= READ
        texts = self._texts(found.chunks[read].tolist())
        pairs = [(asked.texts[query], text) for query, text in zip(found.queries[read], texts, strict=True)]
        scores = found.scores.astype(np.float64)
        scores[read] = np.round(self._model.scores(pairs), 5)
        order = np.lexsort((found.ranks, np.where(read, -scores, 0), ~read, found.queries))
        return Ranking(found.queries[order], found.sections[order], _falling(scores, read, order, found), found.chunks[order])


def _falling(scores: np.ndarray, read: np.ndarray, order: np.ndarray, found: Ranking) -> Floats:
    """Scores that fall with the new rank: the cross-encoder's, and below its lowest for the sections that it did not read."""
    lowest = np.full(int(found.queries.max(initial=-1)) + 1, np.inf)
    np.minimum.at(lowest, found.queries[read], scores[read])
    scores = np.where(read, scores, lowest[found.queries])
    return set_apart(scores[order].astype(np.float32), found.queries[order])
