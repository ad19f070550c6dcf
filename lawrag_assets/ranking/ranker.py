"""A ranker: what labelled questions teach about sections, and trees that weigh it against what the retrievers without labels find.

The trees (LambdaMART, Burges 2010, by LightGBM) see features of training questions that were made without those questions: the training
is dealt out to folds, and each fold is described by what the others remember. Fitted on features of questions that the memory holds, they
would learn to trust it blindly.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl
from threadpoolctl import threadpool_limits

from lawrag_assets.ranking.features import Features, Retrieved, SectionFacts, features
from lawrag_assets.ranking.labelled import LabelledQuestions
from lawrag_assets.ranking.logistic import SectionClassifier
from lawrag_assets.ranking.memory import QuestionMemory
from lawrag_assets.ranking.split import LeakageError, Split
from lawrag_assets.ranking.viewpoint import Passages, Viewpoint, place_in, uncentring
from lawrag_assets.retrieval.dense import DenseCentred
from lawrag_assets.retrieval.hits import Floats, Ints
from lawrag_assets.retrieval.names import LEARNED

POPULARITY, MEMORY, LOGISTIC = "popularity", "question_memory", "logistic"
SUPERVISED = (POPULARITY, MEMORY, LOGISTIC, LEARNED)
"""Retrievers that use labels, by name; the simplest first."""

_FORESTS = 3
"""Forests that differ in their seed only, and whose scores are added: one alone is off by a percent of recall either way."""
_TREES = 160
_PARAMETERS: dict[str, object] = {
    "objective": "lambdarank",
    "lambdarank_truncation_level": 15,
    "learning_rate": 0.05,
    "num_leaves": 15,
    "min_data_in_leaf": 50,
    "feature_fraction": 0.5,
    # The same trees on every run: one thread, one way of building histograms, one seed.
    "num_threads": 1,
    "deterministic": True,
    "force_row_wise": True,
    "verbose": -1,
}

Runs = Mapping[str, pl.DataFrame]
"""Run tables of the retrievers without labels, by name; each holds all questions that are learned from or ranked."""


@dataclass(frozen=True)
class Remembered:
    """All that n training questions say of sections, before any tree weighs it."""

    memory: QuestionMemory
    classifier: SectionClassifier
    viewpoint: Viewpoint

    @classmethod
    def of(cls, training: LabelledQuestions, sections: SectionFacts, passages: Passages) -> "Remembered":
        """Learn from these questions; gold that is no section in force teaches nothing."""
        memory = QuestionMemory.of(training, sections.known)
        return cls(memory, SectionClassifier.fit(memory), Viewpoint.fit(memory, passages))

    def scores(self, vectors: Floats, words: Any) -> dict[str, Floats]:
        """Scores of the sections of `memory.labels`, by name: (questions, sections). `words` are the questions' `word_counts`."""
        likeness = self.memory.likeness(vectors, words)
        return self.memory.scores(likeness) | {LOGISTIC: self.classifier.scores(likeness, self.memory.labels)}

    def seen(self, sections: SectionFacts) -> Ints:
        """The section numbers of `memory.labels`."""
        return place_in(self.memory.labels.sections, sections.ids)

    def describe(
        self,
        questions: LabelledQuestions,
        runs: Mapping[str, Retrieved],
        cells: Mapping[str, DenseCentred],
        sections: SectionFacts,
    ) -> Features:
        """Labelled questions' candidates and their features; their labels are not looked at."""
        return self.describe_asked(questions.vectors, questions.words, runs, cells, sections)

    def describe_asked(
        self,
        vectors: Floats,
        words: Any,
        runs: Mapping[str, Retrieved],
        cells: Mapping[str, DenseCentred],
        sections: SectionFacts,
    ) -> Features:
        """The same of any questions: `vectors` (q, d) and `labelled.word_counts`."""
        known = self.memory.labels
        found = {**runs, **self.viewpoint.look(vectors, cells, sections)}
        return features(found, self.scores(vectors, words), self.seen(sections), known.counts, sections, len(vectors))


@dataclass(frozen=True)
class TrainingFeatures:
    """Out-of-fold features of the training questions, with what their gold makes of each pair."""

    features: Features
    relevant: Ints
    """(pairs,): 1 where the section answers the question."""


@dataclass(frozen=True)
class Ranker:
    """Ranks sections for a question. `fit_ranker` makes one."""

    trained_on: str
    """`LabelledQuestions.version` of the training questions."""
    remembered: Remembered
    sections: SectionFacts
    forests: tuple[str, ...]
    """LightGBM models as text, at least one."""

    @cached_property
    def boosters(self) -> list[Any]:
        """The forests, loaded."""
        import lightgbm

        return [lightgbm.Booster(model_str=forest) for forest in self.forests]

    def score(self, described: Features) -> Floats:
        """Score described pairs: (pairs,). Raises ValueError where they were described otherwise than those that were learned from."""
        if tuple(self.boosters[0].feature_name()) != safe_names(described.names):
            raise ValueError(f"features {described.names} are not those that the ranker was fitted with")
        scores = sum(booster.predict(described.values, num_threads=1) for booster in self.boosters)
        return np.asarray(scores, dtype=np.float32)

    def require_trained_on(self, split: Split) -> None:
        """Raise LeakageError unless this ranker was fitted on just what the split allows to learn from."""
        if split.training_questions.version != self.trained_on:
            raise LeakageError("a ranker is measured on a split that it was not fitted on: it may have seen the tested questions")


def safe_names(names: tuple[str, ...]) -> tuple[str, ...]:
    """Feature names as LightGBM takes them."""
    return tuple("".join(c if c.isalnum() else "_" for c in name) for name in names)


class Memories:
    """What the training questions of each split say, learned once: splits of one cross-validation share most of theirs."""

    def __init__(self, sections: SectionFacts, passages: Passages) -> None:
        self.sections = sections
        self.cells = uncentring(passages)
        self._passages = passages
        self._known: dict[bytes, Remembered] = {}

    def of(self, split: Split) -> Remembered:
        """What the split's training questions say."""
        key = split.training.tobytes()
        if key not in self._known:
            with threadpool_limits(1):  # the last bits of a sum depend on the number of threads, and rankings on the last bits
                self._known[key] = Remembered.of(split.training_questions, self.sections, self._passages)
        return self._known[key]


def training_features(split: Split, runs: Runs, memories: Memories) -> TrainingFeatures:
    """Describe the training questions of a split, each fold of them by what the other folds remember."""
    sections = memories.sections
    known = split.pool.questions
    parts, begins, labels = [], [], []
    asked_so_far = 0
    for inner in split.inner():
        asked = inner.tested_questions
        remembered = memories.of(inner)
        with threadpool_limits(1):
            described = remembered.describe(asked, retrieved(runs, asked, sections), memories.cells, sections)
        gold = [{*known.gold[row]} for row in inner.tested]
        relevant = [
            int(sections.ids[section] in gold[question])
            for question, section in zip(described.questions.tolist(), described.sections.tolist(), strict=True)
        ]
        parts.append(described)
        begins.append(asked_so_far)
        labels.append(np.array(relevant, dtype=np.int64))
        asked_so_far += len(asked)
    return TrainingFeatures(Features.concat(parts, begins), np.concatenate(labels))


def fit_ranker(split: Split, runs: Runs, memories: Memories, made: TrainingFeatures | None = None) -> Ranker:
    """Fit a ranker on the training questions of a split; `made` are its `training_features`, where they are there already."""
    made = made or training_features(split, runs, memories)
    return Ranker(split.training_questions.version, memories.of(split), memories.sections, _fit_forests(made))


def _fit_forests(made: TrainingFeatures) -> tuple[str, ...]:
    import lightgbm

    described = made.features
    _, sizes = np.unique(described.questions, return_counts=True)
    data = lightgbm.Dataset(
        described.values, made.relevant, group=sizes, feature_name=list(safe_names(described.names)), free_raw_data=False
    )
    models = [lightgbm.train(_PARAMETERS | {"seed": seed}, data, num_boost_round=_TREES) for seed in range(_FORESTS)]
    return tuple(model.model_to_string() for model in models)


def retrieved(runs: Runs, asked: LabelledQuestions, sections: SectionFacts) -> dict[str, Retrieved]:
    """What each retriever found for these questions. Their run tables name questions as `query_names` does."""
    return {name: Retrieved.of(run, query_names(asked), sections) for name, run in runs.items()}


def query_names(asked: LabelledQuestions) -> list[str]:
    """Names of questions across question sets: "set/id"."""
    return [f"{name}/{number}" for name, number in zip(asked.sets, asked.ids, strict=True)]
