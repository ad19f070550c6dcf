"""Remembering which sections answered which question: the gold of the labelled questions that are most like the one asked.

Likeness is that of the questions' vectors, centred on their mean, and of their words, as tf-idf over character 5-grams: the two miss
different things.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from lawrag_assets.ranking.labelled import WORD_DIMENSIONS, LabelledQuestions, Labels
from lawrag_assets.retrieval.hits import Floats, Ints

NEAREST = 100
"""Labelled questions that are asked for their sections."""
FEW = 20
"""A closer circle, which a learned ranker looks at besides."""
_SHARPNESS = 3
"""The power to which likeness is raised: the nearest count the most."""
_WORDS = 2.0
"""Weight of the words' cosine beside the vectors'."""
OF_ITSELF = 1 + _WORDS


def centred(vectors: Floats, mean: Floats) -> Floats:
    """Vectors without what all questions have in common, of length 1 again; a vector that is the mean itself becomes 0."""
    moved = vectors - mean
    lengths = np.linalg.norm(moved, axis=1, keepdims=True)
    return np.asarray(moved / np.where(lengths > 0, lengths, 1), dtype=np.float32)


@dataclass(frozen=True)
class Likeness:
    """How alike q questions are to the n of a memory: cosines, (q, n) each."""

    vectors: Floats
    words: Floats

    @property
    def both(self) -> Floats:
        """Put together: (q, n). An inner product, as its parts are; of a question with itself it is `OF_ITSELF`."""
        return np.asarray(self.vectors + _WORDS * self.words, dtype=np.float32)


@dataclass(frozen=True)
class QuestionMemory:
    """n labelled questions, ready to be compared with new ones."""

    labels: Labels
    mean: Floats
    """(d,): of the questions' vectors."""
    vectors: Floats
    """(n, d): centred."""
    rarity: Floats
    """(dimensions,): inverse document frequency of each 5-gram."""
    words: Any
    """Their 5-grams by tf-idf, rows of length 1: a scipy CSR matrix (n, dimensions)."""

    @classmethod
    def of(cls, training: LabelledQuestions, known: frozenset[str]) -> "QuestionMemory":
        """Remember questions and those of their gold sections that are `known`."""
        found_in = np.bincount(training.words.indices, minlength=WORD_DIMENSIONS)
        rarity = (np.log((1 + len(training)) / (1 + found_in)) + 1).astype(np.float32)
        mean = training.vectors.mean(axis=0, dtype=np.float64).astype(np.float32)
        return cls(
            Labels.of(training.gold, known), mean, centred(training.vectors, mean), rarity, _weighted(training.words, rarity)
        )

    def likeness(self, vectors: Floats, words: Any) -> "Likeness":
        """Of q questions to each of the n. `words` are the questions' `labelled.word_counts`."""
        weighted = _weighted(words, self.rarity)
        return Likeness(centred(vectors, self.mean) @ self.vectors.T, (weighted @ self._by_gram).toarray())

    def likeness_within(self) -> "Likeness":
        """Of the n questions to each other."""
        return Likeness(self.vectors @ self.vectors.T, (self.words @ self._by_gram).toarray())

    def scores(self, likeness: "Likeness") -> dict[str, Floats]:
        """Ways of scoring the sections of `labels` for q questions, by name, each (q, sections); `memory` is the one to rank by."""
        return {
            "memory": self._votes(likeness.both, NEAREST, _SHARPNESS),
            "memory_few": self._votes(likeness.both, FEW, 1),
            "memory_vectors": self._votes(likeness.vectors, NEAREST, _SHARPNESS),
            "memory_words": self._votes(likeness.words, NEAREST, _SHARPNESS),
            "memory_nearest": self._nearest(likeness.both),
        }

    def _votes(self, likeness: Floats, nearest: int, sharpness: int) -> Floats:
        """Each of the nearest questions gives its likeness to each of its sections."""
        given = np.maximum(likeness, 0)
        if nearest < likeness.shape[1]:
            order = np.argsort(-likeness, axis=1, kind="stable")
            np.put_along_axis(given, order[:, nearest:], 0, axis=1)
        return np.asarray((self._incidence.T @ (given**sharpness).T).T, dtype=np.float32)

    def _nearest(self, likeness: Floats) -> Floats:
        """The likeness of the nearest question that each section answers."""
        order = np.argsort(self.labels.places, kind="stable")
        starts = np.concatenate([[0], np.cumsum(self.labels.counts)[:-1]])
        if len(self.labels.sections) == 0:
            return np.zeros((len(likeness), 0), dtype=np.float32)
        return np.maximum.reduceat(likeness[:, self.labels.questions[order]], starts, axis=1)

    @cached_property
    def _by_gram(self) -> Any:
        """Which question has which 5-gram, by 5-gram: a scipy CSR matrix (dimensions, n)."""
        return self.words.T.tocsr()

    @cached_property
    def _incidence(self) -> Any:
        """Which question has which section: a scipy CSR matrix (n, sections)."""
        from scipy.sparse import csr_matrix

        ones: npt.NDArray[np.float32] = np.ones(len(self.labels.places), dtype=np.float32)
        shape = (len(self.labels.starts) - 1, len(self.labels.sections))
        return csr_matrix((ones, self.labels.places, self.labels.starts), shape=shape)


def _weighted(counts: Any, rarity: Floats) -> Any:
    """Counts as (1 + log count) × rarity, rows of length 1."""
    from scipy.sparse import csr_matrix
    from sklearn.preprocessing import normalize

    values = (1 + np.log(counts.data)) * rarity[counts.indices]
    weighted = csr_matrix((values.astype(np.float32), counts.indices, counts.indptr), shape=counts.shape)
    return normalize(weighted, copy=False)


def popularity(labels: Labels, questions: int) -> Floats:
    """The prior alone: each section's share of the labels, the same for every question; (questions, sections)."""
    counts: Ints = labels.counts
    return np.tile((counts / max(counts.sum(), 1)).astype(np.float32), (questions, 1))
