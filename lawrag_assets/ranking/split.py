"""Keeping what is learned from apart from what is tested: no question, and none that is nearly the same, is ever on both sides.

A `Split` cannot be made otherwise, and whatever is fitted or measured asks for one. That makes training on the tested questions
impossible, not merely discouraged.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from lawrag_assets.errors import InputError
from lawrag_assets.evaluation.near_duplicates import similar_pairs, vectors
from lawrag_assets.ranking.labelled import LabelledQuestions, Rows, plain
from lawrag_assets.retrieval.hits import Ints

FOLDS = 5
_SEED = 20260613


class LeakageError(InputError):
    """A question that was to be tested is among those that were to be learned from."""


@dataclass(frozen=True)
class QuestionPool:
    """All questions that an experiment learns from or is tested on, compared with one another once."""

    questions: LabelledQuestions

    @cached_property
    def groups(self) -> Ints:
        """(questions,): equal for questions that are the same by id or words, nearly so (`near_duplicates`) or in translation."""
        from scipy.sparse import coo_matrix
        from scipy.sparse.csgraph import connected_components

        known = self.questions
        pairs = [(i, j) for i, j, _ in similar_pairs(vectors(known.texts)).pairs] if len(known) else []
        first: dict[object, int] = {}
        for place, name in enumerate(zip(known.sets, known.ids, strict=True)):
            pairs.append((first.setdefault(name, place), place))
        for place, translated in enumerate(zip(known.sets, known.pairs, strict=True)):
            pairs.append((first.get(translated, place), place))
        for place, text in enumerate(known.texts):
            pairs.append((first.setdefault(plain(text), place), place))
        ends = np.array(pairs, dtype=np.int64).reshape(-1, 2)
        graph = coo_matrix((np.ones(len(ends)), (ends[:, 0], ends[:, 1])), shape=(len(known), len(known)))
        groups: Ints = connected_components(graph, directed=False)[1].astype(np.int64)
        return groups

    def split(self, training: Rows, tested: Rows) -> "Split":
        """Learn from the one, test on the other. Raises LeakageError where they overlap."""
        return Split(self, training, tested, self.folds(training))

    def split_without_overlap(self, training: Rows, tested: Rows) -> tuple["Split", int]:
        """The same, once training questions that are the same as a tested one, or nearly so, are left out; and how many those were.

        Raises InputError where too few are left to learn from.
        """
        kept = training[~np.isin(self.groups[training], self.groups[tested])]
        if len(np.unique(self.groups[kept])) < 2:
            raise InputError(
                f"{len(training) - len(kept)} of {len(training)} training questions are also tested, the same or nearly so: the rest is "
                "too few to learn to rank from. To have a question set cross-validated, name the same file for both."
            )
        return self.split(kept, tested), len(training) - len(kept)

    def folds(self, rows: Rows, folds: int = FOLDS) -> Ints:
        """Deal questions out to folds of about the same size, near-duplicates to the same one: (rows,), from 0.

        The same questions in the same order are dealt out alike every time.
        """
        groups, members = np.unique(self.groups[rows], return_inverse=True)
        sizes = np.bincount(members, minlength=len(groups))
        order = np.random.default_rng(_SEED).permutation(len(groups))
        held = np.zeros(folds, dtype=np.int64)
        dealt = np.zeros(len(groups), dtype=np.int64)
        for group in order[np.argsort(-sizes[order], kind="stable")]:
            dealt[group] = np.argmin(held)
            held[dealt[group]] += sizes[group]
        return dealt[members]

    def cross_splits(self, rows: Rows, folds: int = FOLDS) -> Iterator["Split"]:
        """Each fold once as the tested one, the others to learn from. Raises InputError where there are fewer questions than folds."""
        if len(np.unique(self.groups[rows])) < folds:
            raise InputError(f"{len(rows)} questions are too few for {folds} folds")
        fold = self.folds(rows, folds)
        for number in range(folds):
            yield Split(self, rows[fold != number], rows[fold == number], fold[fold != number])


@dataclass(frozen=True)
class Split:
    """Questions to learn from and questions to test on. Making one that overlaps raises LeakageError."""

    pool: QuestionPool
    training: Rows
    tested: Rows
    folds: Ints
    """(training,): the folds in which the training questions take turns at being described by the others."""

    def __post_init__(self) -> None:
        groups = self.pool.groups
        shared = np.flatnonzero(np.isin(groups[self.tested], groups[self.training]))
        if len(shared):
            tested = self.tested[shared[0]]
            training = self.training[np.flatnonzero(groups[self.training] == groups[tested])[0]]
            names = [f"{self.pool.questions.sets[row]}/{self.pool.questions.ids[row]}" for row in (tested, training)]
            raise LeakageError(
                f"{len(shared)} tested question(s) are also learned from, the same or nearly so: {names[0]} is {names[1]}"
            )

    def inner(self) -> Iterator["Split"]:
        """Each fold of the training questions once as the tested one. Raises InputError where there is only one fold."""
        numbers = np.unique(self.folds)
        if len(numbers) < 2:
            raise InputError(f"{len(self.training)} questions are too few to learn to rank from")
        for number in numbers:
            others = self.folds != number
            yield Split(self.pool, self.training[others], self.training[~others], self.folds[others])

    @property
    def training_questions(self) -> LabelledQuestions:
        """What may be learned from."""
        return self.pool.questions.take(self.training)

    @property
    def tested_questions(self) -> LabelledQuestions:
        """What is tested."""
        return self.pool.questions.take(self.tested)
