"""Whether the evidence suffices: signals of retrieval and reranking, put together into a calibrated confidence.

A nearest passage there always is, so a cosine alone says little; and questions in another language than the law's lie lower as a whole.
`dense_above` therefore asks how far the best passage lies above what the calibration questions of the same language, which are about
everyday law in general, find in this corpus.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from lawrag_assets.qa.model import Judgement

SIGNALS = ("dense_top", "dense_gap", "dense_mean5", "dense_above", "sentence_above", "rerank_top", "rerank_gap")
"""The signals, each a number for a question: higher speaks for an answer."""


@dataclass(frozen=True)
class Judge:
    """A logistic model over signals, and the confidence from which on the evidence suffices."""

    weights: Mapping[str, float]
    intercept: float
    threshold: float

    def confidence(self, signals: Mapping[str, float]) -> float:
        """The probability that the corpus answers the question."""
        z = self.intercept + sum(weight * signals[name] for name, weight in self.weights.items())
        return float(1 / (1 + np.exp(-np.clip(z, -50, 50))))

    def judge(self, signals: Mapping[str, float]) -> Judgement:
        """Whether the evidence suffices."""
        confidence = self.confidence(signals)
        return Judgement(confidence >= self.threshold, confidence, self.threshold, dict(signals))


def signals_of(dense: np.ndarray, sentences: np.ndarray, logits: np.ndarray, usual: float) -> dict[str, float]:
    """The signals of one question.

    `dense` are the plain cosines of all passages searched, `sentences` those of the candidates' sentences, `logits` the reranker's of the
    candidates; `usual` is the best plain cosine that calibration questions of the language find, on average.
    """
    top = np.sort(dense)[::-1][:5] if len(dense) else np.array([-1.0])
    best = np.sort(logits)[::-1]
    return {
        "dense_top": float(top[0]),
        "dense_gap": float(top[0] - top[1]) if len(top) > 1 else 0.0,
        "dense_mean5": float(top.mean()),
        "dense_above": float(top[0]) - usual,
        "sentence_above": (float(sentences.max()) if len(sentences) else -1.0) - usual,
        "rerank_top": float(best[0]) if len(best) else 0.0,
        "rerank_gap": float(best[0] - best[1]) if len(best) > 1 else 0.0,
    }
