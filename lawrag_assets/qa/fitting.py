"""Fitting the offline reranker and its judge from labelled questions, and measuring that without testing on what was fitted.

**Ranking** is learned from pairs: for each gold Absatz among the candidates, its features less those of every other candidate, by a
logistic regression without an intercept; an equal weight a gold Absatz. **The judge** is a logistic regression on signals of answerable and
unanswerable questions, on rankings of folds that the question was not in; its threshold is the one that costs least.

A question is known by its words, case and marks aside; translations (`pair`) stand in one fold. `require_unseen` is how testing refuses
what was fitted.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from lawrag_assets.errors import InputError
from lawrag_assets.qa.features import FEATURES
from lawrag_assets.qa.judging import Judge, signals_of

FOLDS = 10
REGULARISATION = 0.01
"""scikit-learn's C: the fewer pairs, the nearer all weights stay to nothing, and their ratios to those of single features."""
JUDGED_BY = ("dense_above", "sentence_above")
"""The signals that the fitted combination uses. The reranker's say how much better the best candidate is than the others of its question,
and nothing across questions (AUROC .50 to .57); they are reported beside it."""
WRONG_ANSWER, WRONG_REFUSAL = 2.0, 1.0
"""What an answer from evidence that does not suffice costs, beside a refusal where it does."""
_NO_LETTER = re.compile(r"[\W_]+")


@dataclass(frozen=True)
class Example:
    """A labelled question with its candidates. `gold` (candidates,) says which of them answer it; none may."""

    question: str
    group: str
    """Examples of one group stand in one fold: a question and its translation."""
    answerable: bool
    features: np.ndarray
    """(candidates, FEATURES), standardised."""
    gold: np.ndarray
    dense: np.ndarray
    """The plain cosines of all passages searched."""
    sentences: np.ndarray
    """The plain cosines of the candidates' sentences."""
    usual: float
    """See `judging.signals_of`."""

    def signals(self, logits: np.ndarray) -> dict[str, float]:
        """The question's signals, its candidates having these logits."""
        return signals_of(self.dense, self.sentences, logits, self.usual)


def question_key(question: str) -> str:
    """By what a question is known again."""
    return _NO_LETTER.sub("", question.lower())


def require_unseen(seen: Iterable[str], questions: Iterable[str]) -> None:
    """Raise InputError where a question that is to be tested was fitted on."""
    known = frozenset(seen)
    for question in questions:
        if question_key(question) in known:
            raise InputError(
                f"the question {question[:80]!r} is one that the reranker was fitted on: test it cross-validated, or fit on others"
            )


def fit_weights(examples: Sequence[Example]) -> dict[str, float]:
    """The weights of the features. Raises InputError where no question has a gold Absatz among its candidates."""
    from sklearn.linear_model import LogisticRegression

    rows, weights = [], []
    for example in examples:
        found = np.flatnonzero(example.gold)
        for gold in found:
            others = example.features[~example.gold]
            rows.append(example.features[gold] - others)
            weights.append(np.full(len(others), 1 / len(found)))
    pairs = np.concatenate(rows) if rows else np.zeros((0, len(FEATURES)))
    if not len(pairs):
        raise InputError("no question has gold among its candidates: are the question set's laws those of this profile?")
    model = LogisticRegression(C=REGULARISATION, fit_intercept=False, max_iter=1000)
    both = np.concatenate([pairs, -pairs])
    model.fit(both, np.repeat([1, 0], len(pairs)), sample_weight=np.tile(np.concatenate(weights), 2))
    return dict(zip(FEATURES, map(float, model.coef_[0]), strict=True))


def folds(examples: Sequence[Example], count: int = FOLDS) -> list[tuple[np.ndarray, np.ndarray]]:
    """Places of training and test examples, `count` times, no group in both."""
    from sklearn.model_selection import GroupKFold

    groups = [example.group for example in examples]
    count = min(count, len(set(groups)))
    if count < 2:
        raise InputError("too few questions to cross-validate: at least two that are no translations of each other")
    return list(GroupKFold(count).split(np.zeros(len(examples)), groups=groups))


def out_of_fold_logits(examples: Sequence[Example]) -> list[np.ndarray]:
    """Each example's logits by weights that were fitted without its fold."""
    found: list[np.ndarray] = [np.zeros(0)] * len(examples)
    for train, test in folds(examples):
        weights = fit_weights([examples[place] for place in train])
        vector = np.array([weights[name] for name in FEATURES])
        for place in test:
            found[place] = examples[place].features @ vector
    return found


def fit_judge(signals: Sequence[Mapping[str, float]], answerable: np.ndarray) -> Judge:
    """A judge on the signals of `JUDGED_BY`. Without unanswerable questions, or answerable ones, one that lets everything pass."""
    if answerable.all() or not answerable.any():
        return Judge({}, 0.0, 0.0)
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    rows = np.array([[of_one[name] for name in JUDGED_BY] for of_one in signals])
    pipeline: Any = make_pipeline(StandardScaler(), LogisticRegression(C=1.0)).fit(rows, answerable)
    scale, model = pipeline[0], pipeline[1]
    weights = model.coef_[0] / scale.scale_
    judge = Judge(dict(zip(JUDGED_BY, map(float, weights), strict=True)), float(model.intercept_[0] - weights @ scale.mean_), 0.5)
    confidences = np.array([judge.confidence(of_one) for of_one in signals])
    return Judge(judge.weights, judge.intercept, cheapest_threshold(confidences, answerable))


def cheapest_threshold(confidences: np.ndarray, answerable: np.ndarray) -> float:
    """The threshold at which wrong answers and wrong refusals cost least; of equals the middle one."""
    values = np.unique(confidences)
    thresholds = np.concatenate([[0.0], (values[1:] + values[:-1]) / 2, [1.0]])
    costs = [cost(confidences >= threshold, answerable) for threshold in thresholds]
    best = np.flatnonzero(np.isclose(costs, min(costs)))
    return float(thresholds[best[len(best) // 2]])


def cost(answers: np.ndarray, answerable: np.ndarray) -> float:
    """What the errors of some decisions cost, a question."""
    wrong = WRONG_ANSWER * (answers & ~answerable).sum() + WRONG_REFUSAL * (~answers & answerable).sum()
    return float(wrong / max(len(answers), 1))
