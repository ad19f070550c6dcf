"""Logistic regression over sections: each section that answers at least two labelled questions is a class of questions.

What it looks at are the main directions of the questions' likeness (kernel principal components, Schölkopf et al. 1998), so that it hears
of words as well as of vectors and is fitted in seconds.
"""

import warnings
from dataclasses import dataclass

import numpy as np

from lawrag_assets.ranking.labelled import Labels
from lawrag_assets.ranking.memory import OF_ITSELF, Likeness, QuestionMemory
from lawrag_assets.retrieval.hits import Floats, Ints

FEWEST = 2
"""Questions that a section must answer to be a class: of a single one nothing can be learned that the memory does not say."""
COMPONENTS = 384
_STRENGTH = 30.0
_ROUNDS = 60
_TOLERANCE = 1e-3


@dataclass(frozen=True)
class SectionClassifier:
    """A linear model of c sections on k components of the likeness to n labelled questions."""

    classes: Ints
    """(c,): positions in `Labels.sections`."""
    components: Floats
    """(n, k): a likeness (q, n) times this gives the questions' components (q, k)."""
    weights: Floats
    """(c, k)."""
    biases: Floats
    """(c,)."""

    @classmethod
    def fit(cls, memory: QuestionMemory) -> "SectionClassifier":
        """Fit on the questions of a memory that have a frequent section; one with several counts once, its weight shared among them."""
        from sklearn.exceptions import ConvergenceWarning
        from sklearn.linear_model import LogisticRegression

        labels = memory.labels
        frequent = labels.counts[labels.places] >= FEWEST
        if len(np.unique(labels.places[frequent])) < 2:
            nothing = np.zeros((0, 0), np.float32)
            return cls(np.zeros(0, np.int64), nothing, nothing, np.zeros(0, np.float32))
        likeness = memory.likeness_within().both
        components = _components(likeness)
        questions, places = labels.questions[frequent], labels.places[frequent]
        shares = (1 / np.diff(labels.starts)[questions]).astype(np.float32)
        model = LogisticRegression(C=_STRENGTH, max_iter=_ROUNDS, tol=_TOLERANCE)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)  # stopping early is meant: more rounds rank no better
            model.fit((likeness @ components)[questions], places, sample_weight=shares)
        weights, biases = model.coef_.astype(np.float32), model.intercept_.astype(np.float32)
        if len(model.classes_) == 2:  # scikit-learn keeps one row for two classes
            weights, biases = np.vstack([-weights, weights]) / 2, np.concatenate([-biases, biases]) / 2
        return cls(model.classes_.astype(np.int64), components, weights, biases)

    def scores(self, likeness: Likeness, labels: Labels) -> Floats:
        """Log-probabilities of the sections of `labels` for q questions: (q, sections), NaN for sections that are no class."""
        found = np.full((len(likeness.vectors), len(labels.sections)), np.nan, dtype=np.float32)
        if len(self.classes):
            logits = likeness.both @ self.components @ self.weights.T + self.biases
            logits -= logits.max(axis=1, keepdims=True)
            found[:, self.classes] = logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))
        return found


def _components(likeness: Floats) -> Floats:
    """The projection on the main directions of a likeness (n, n): (n, k), k at most `COMPONENTS`; lengths stay within 1."""
    from scipy.linalg import eigh

    n = len(likeness)
    strengths, directions = eigh(likeness.astype(np.float64), subset_by_index=[max(0, n - COMPONENTS), n - 1])
    kept = strengths > 1e-6 * strengths[-1]
    return np.asarray(directions[:, kept] / np.sqrt(OF_ITSELF * strengths[kept]), dtype=np.float32)
