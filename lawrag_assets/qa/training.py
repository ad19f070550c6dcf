"""Training the offline reranker on a question set, and the figures it reaches on questions that it was not fitted on."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from lawrag_assets.qa.additive import FittedReranker
from lawrag_assets.qa.assessment import (
    Examined,
    Judged,
    errors,
    examine,
    judged_by,
    judged_out_of_fold,
    measured,
    rankings_of,
    reliability,
    separation,
    translation_pairs,
)
from lawrag_assets.qa.attribution import THRESHOLD
from lawrag_assets.qa.features import FEATURES
from lawrag_assets.qa.fitting import fit_judge, fit_weights, out_of_fold_logits, question_key, require_unseen
from lawrag_assets.qa.pipeline import Pipeline


@dataclass(frozen=True)
class Figures:
    """What a reranker and its judge reach on questions that they were not fitted on."""

    measures: pl.DataFrame
    """`assessment.measured`."""
    separation: pl.DataFrame
    """`assessment.separation`."""
    reliability: pl.DataFrame
    """`assessment.reliability`."""
    errors: dict[str, float]
    """`assessment.errors`."""
    pairs: pl.DataFrame
    """`assessment.translation_pairs`."""


@dataclass(frozen=True)
class Trained:
    """A fitted reranker, and what the same way of fitting reaches on folds that it has not seen."""

    reranker: FittedReranker
    figures: Figures


def train(
    pipeline: Pipeline, questions: pl.DataFrame, *, embedding_model: str, progress: Callable[[int, int], None] | None = None
) -> Trained:
    """Fit on all questions of a table of `evaluation.questions.QUESTIONS_SCHEMA`, and cross-validate on the same.

    Raises InputError where the questions have no gold in this corpus, or are too few.
    """
    examined = examine(pipeline, questions, progress)
    examples = [one.example for one in examined]
    logits = out_of_fold_logits(examples)
    signals = [example.signals(of_pool) for example, of_pool in zip(examples, logits, strict=True)]
    fitted = FittedReranker(
        weights=fit_weights(examples),
        judge=fit_judge(signals, np.array([example.answerable for example in examples])),
        support_threshold=THRESHOLD,
        fitted_on=tuple(questions["question_set"].unique(maintain_order=True)),
        embedding_model=embedding_model,
        seen=frozenset(map(question_key, questions["question"])),
    )
    return Trained(fitted, _figures(examined, logits, judged_out_of_fold(examples, logits)))


def figures_on(
    pipeline: Pipeline, fitted: FittedReranker, questions: pl.DataFrame, progress: Callable[[int, int], None] | None = None
) -> Figures:
    """What a fitted reranker reaches on other questions. Raises InputError where it was fitted on one of them."""
    require_unseen(fitted.seen, questions["question"])
    examined = examine(pipeline, questions, progress)
    examples = [one.example for one in examined]
    weights = np.array([fitted.weights[name] for name in FEATURES])
    logits = [example.features @ weights for example in examples]
    return _figures(examined, logits, judged_by(fitted.judge, examples, logits))


def _figures(examined: Sequence[Examined], logits: Sequence[np.ndarray], judged: Judged) -> Figures:
    answerable = np.array([one.answerable for one in examined])
    kinds = [str(one.row["kind"]) for one in examined]
    languages = [one.looked.language for one in examined]
    rankings = rankings_of(examined, logits)
    return Figures(
        measured(examined, rankings),
        separation(judged.signals, kinds, languages, judged.confidences.tolist()),
        reliability(judged.confidences, answerable),
        errors(judged.answers, answerable),
        translation_pairs(examined, rankings),
    )
