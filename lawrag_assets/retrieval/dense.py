"""Retrievers by vector: `dense` as in the paper, `dense_collapsed` for trees of summaries, and `dense_centred`.

**Centring.** Vectors of the e5 family share a large common direction, which says little about a text and differs between passages and
questions and between languages. Taking the mean passage from every passage and the mean question of its language and length from every
question, each put back to length 1, takes it away. The mean of questions comes from a calibration set, never from the questions that are
measured (`calibration`).
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from lawrag_assets.retrieval.aggregation import DEFAULT_AGGREGATION, Ranking, aggregation_named, rank_sections
from lawrag_assets.retrieval.asked import Asked
from lawrag_assets.retrieval.calibration import QuestionMeans
from lawrag_assets.retrieval.hits import Floats, Hits
from lawrag_assets.retrieval.index import Index
from lawrag_assets.retrieval.retriever import Scorer, Scores, Sections

CANDIDATES = 100
"""Chunks retrieved before aggregation (paper, section 4, Figure 1)."""

SEARCHES: dict[str, Callable[[Index, Floats, int], Hits]] = {
    "dense": Index.search,  # the paper's vector search; in a tree of summaries, routed down to its leaves
    "dense_collapsed": Index.search_all,  # all nodes of such a tree at once
}


@dataclass(frozen=True)
class Dense:
    """The paper's retrieval: the nearest chunks hand their similarity to their sections. `name` is a key of SEARCHES."""

    index: Index
    name: str = "dense"
    aggregation: str = DEFAULT_AGGREGATION
    candidates: int = CANDIDATES

    @property
    def section_ids(self) -> tuple[str, ...]:
        """The index's sections."""
        return self.index.section_ids

    @property
    def chunk_ids(self) -> tuple[str, ...]:
        """The index's chunks."""
        return self.index.chunk_ids

    def hits(self, asked: Asked) -> Hits:
        """The chunks that are found, before sections are ranked."""
        return SEARCHES[self.name](self.index, asked.vectors, self.candidates)

    def rank(self, asked: Asked) -> Ranking:
        """All sections that the nearest chunks belong to."""
        return rank_sections(self.hits(asked), self.index.parents, aggregation_named(self.aggregation))


class DenseCentred(Scorer):
    """`dense` on centred vectors; every chunk is scored, a tree's summaries among them, and a section is as good as its best chunk."""

    name = "dense_centred"

    def __init__(self, index: Index, question_means: QuestionMeans) -> None:
        super().__init__(Sections(index))
        self._passages = (
            centred(index.vectors, index.vectors.mean(axis=0, dtype=np.float64)) if len(index.vectors) else index.vectors
        )
        self._means = question_means

    def scores(self, asked: Asked) -> Scores:
        """Cosine similarities of centred vectors."""
        means = [self._means.of(language, text) for language, text in zip(asked.languages, asked.texts, strict=True)]
        questions = centred(asked.vectors, np.array(means).reshape(asked.vectors.shape))
        of_chunks = questions @ self._passages.T
        return Scores(self.sections.best(of_chunks), of_chunks)


def centred(vectors: Floats, mean: np.ndarray) -> Floats:
    """Vectors less their mean, of length 1 again: (n, d)."""
    moved = vectors - mean
    lengths = np.linalg.norm(moved, axis=1, keepdims=True)
    return np.ascontiguousarray(moved / np.maximum(lengths, np.finfo(np.float32).tiny), dtype=np.float32)
