"""Rerankers: what puts candidates into their final order, behind one protocol.

The offline one with the bundled model is `additive`; any cross-encoder is `CrossEncoderReranker` here. A score is a probability, 0 to 1,
so that the scores of different rerankers can be drawn on one axis; the order is what is judged.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

import numpy as np

from lawrag_assets.qa.finding import PassageScores
from lawrag_assets.qa.model import Candidate
from lawrag_assets.retrieval.asked import Asked
from lawrag_assets.retrieval.reranking import PairScorer


class Reranker(Protocol):
    """Orders candidates by how well they answer a question. Threads may share one."""

    @property
    def name(self) -> str:
        """What settings, reports and answers call it."""

    def load(self) -> None:
        """Make ready now what the first `logits` would."""

    def logits(self, asked: Asked, candidates: Sequence[Candidate], scores: PassageScores) -> np.ndarray:
        """(candidates,): how well each answers the one question asked; higher is better. `scores` are the whole corpus's."""


class CrossEncoderReranker:
    """Any sentence-transformers cross-encoder: it reads question and passage together, behind the passage's headings."""

    def __init__(self, model: PairScorer, name: str) -> None:
        """`model` scores pairs of texts."""
        self._model = model
        self.name = name

    def load(self) -> None:
        """Load the weights."""
        self._model.scores([("", "")])

    def logits(self, asked: Asked, candidates: Sequence[Candidate], scores: PassageScores) -> np.ndarray:
        """See `Reranker.logits`."""
        passages = [candidate.passage for candidate in candidates]
        pairs = [
            (asked.texts[0], f"{passage.heading}: {passage.text}" if passage.heading else passage.text) for passage in passages
        ]
        return np.asarray(self._model.scores(pairs), dtype=np.float64)


def reordered(candidates: Sequence[Candidate], logits: np.ndarray) -> list[Candidate]:
    """The candidates in the order of their logits, best first, equal ones as they stood, with scores and ranks."""
    order = np.argsort(-np.round(logits, 6), kind="stable")
    scores = 1 / (1 + np.exp(-np.clip(logits, -50, 50)))
    return [
        replace(candidates[place], rerank_score=float(scores[place]), rerank_rank=rank) for rank, place in enumerate(order, 1)
    ]
