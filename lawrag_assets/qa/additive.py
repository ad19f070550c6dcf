"""The offline reranker: a weighted sum of standardised features. What it weighs is fitted by `fitting`, or what comes with the package."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from lawrag_assets.errors import InputError
from lawrag_assets.qa.features import FEATURES, FeatureMaker
from lawrag_assets.qa.finding import PassageScores
from lawrag_assets.qa.judging import SIGNALS, Judge
from lawrag_assets.qa.model import Candidate
from lawrag_assets.retrieval.asked import Asked

BUNDLED = "bundled"
"""What the reranker is called that needs no other model."""


@dataclass(frozen=True)
class FittedReranker:
    """Weights of the features and the judge that goes with them, and what they were fitted on.

    `seen` are the keys (`fitting.question_key`) of the questions that were used: nothing of it may be tested on these.
    """

    weights: Mapping[str, float]
    judge: Judge
    support_threshold: float
    fitted_on: tuple[str, ...] = ()
    """Names of the question sets."""
    embedding_model: str = ""
    """Identity of the embedding model: with another one, fit anew."""
    seen: frozenset[str] = field(default_factory=frozenset)

    def to_json(self) -> str:
        """As JSON, keys sorted."""
        return json.dumps({**asdict(self), "seen": sorted(self.seen)}, ensure_ascii=False, sort_keys=True, indent=1)

    @classmethod
    def from_json(cls, text: str, place: str) -> "FittedReranker":
        """Read what `to_json` wrote. Raises InputError, naming `place`, for anything else."""
        try:
            fields: dict[str, Any] = json.loads(text)
            judge = Judge(**fields.pop("judge"))
            made = cls(**{**fields, "judge": judge, "seen": frozenset(fields["seen"]), "fitted_on": tuple(fields["fitted_on"])})
        except (ValueError, TypeError, KeyError) as error:
            raise InputError(f"{place}: no fitted reranker ({error}); fit one with `lawrag fit-reranker`") from error
        if set(made.weights) != set(FEATURES) or not set(made.judge.weights) <= set(SIGNALS):
            raise InputError(f"{place}: a reranker of other features than this version's; fit anew with `lawrag fit-reranker`")
        return made


def packaged() -> FittedReranker:
    """The one that comes with the package, fitted on the questions on the fictional sample law."""
    file = Path(__file__).parent / "reranker.json"
    return FittedReranker.from_json(file.read_text("utf-8"), str(file))


class AdditiveReranker:
    """Adds weighted features."""

    name = BUNDLED

    def __init__(self, features: FeatureMaker, weights: Mapping[str, float]) -> None:
        self._features = features
        self._weights = np.array([weights[name] for name in FEATURES])

    def load(self) -> None:
        """Read what all questions need."""
        self._features.views.load()

    def logits(self, asked: Asked, candidates: Sequence[Candidate], scores: PassageScores) -> np.ndarray:
        """See `Reranker.logits`."""
        return np.asarray(self._features.features(asked, candidates, scores) @ self._weights)
