"""Run tables of the retrievers that use labels, made on splits only: no question is ranked by what learned from it."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from threadpoolctl import threadpool_limits

from lawrag_assets.ranking.features import Features, SectionFacts
from lawrag_assets.ranking.labelled import LabelledQuestions
from lawrag_assets.ranking.memory import popularity
from lawrag_assets.ranking.ranker import (
    LOGISTIC,
    MEMORY,
    POPULARITY,
    Memories,
    Ranker,
    Runs,
    fit_ranker,
    retrieved,
)
from lawrag_assets.ranking.reserve import reserve
from lawrag_assets.ranking.split import Split
from lawrag_assets.retrieval.aggregation import set_apart
from lawrag_assets.retrieval.dense import DenseCentred
from lawrag_assets.retrieval.hits import Floats, Ints
from lawrag_assets.retrieval.names import LEARNED
from lawrag_assets.retrieval.run import RUN_SCHEMA

DEPTH = 100
"""Sections that a run holds for each question."""
RESERVED = (1, 2, 3)
"""Places of the first ten that may be kept for sections without training questions; each has a run of its own, to say what it costs."""
AGGREGATION = "none"
"""These retrievers rank sections, not chunks."""

SEEN_SCHEMA = pl.Schema(
    {
        "question_set": pl.String,
        "query": pl.String,
        "section": pl.String,  # a gold section of the tested question
        "seen": pl.Int64,  # training questions that it answers, of those that this question was ranked by
    }
)


def reserving(places: int) -> str:
    """The name of the learned retriever that keeps so many places."""
    return f"{LEARNED}_reserving_{places}"


@dataclass(frozen=True)
class Measured:
    """What was ranked on splits."""

    runs: pl.DataFrame
    """A table of `RUN_SCHEMA`, every retriever of `SUPERVISED`."""
    seen: pl.DataFrame
    """`SEEN_SCHEMA`."""

    @classmethod
    def concat(cls, parts: Sequence["Measured"]) -> "Measured":
        """Several, one after the other."""
        return cls(
            pl.concat([RUN_SCHEMA.to_frame(), *(part.runs for part in parts)]),
            pl.concat([SEEN_SCHEMA.to_frame(), *(part.seen for part in parts)]),
        )

    def of_sets(self, names: Collection[str]) -> "Measured":
        """What is of these question sets."""
        wanted = pl.col("question_set").is_in(list(names))
        return Measured(self.runs.filter(wanted), self.seen.filter(wanted))


def cross_validated(split_of_each_fold: Iterator[Split], runs: Runs, memories: Memories) -> Measured:
    """Fit and rank each split in turn; its tested questions are ranked by what its training questions teach."""
    parts = [measure_split(split, fit_ranker(split, runs, memories), runs, memories.cells) for split in split_of_each_fold]
    return Measured.concat(parts)


def measure_split(split: Split, ranker: Ranker, runs: Runs, cells: Mapping[str, DenseCentred]) -> Measured:
    """Rank the tested questions by each retriever that uses labels.

    Raises LeakageError where the ranker was not fitted on the split's training questions.
    """
    ranker.require_trained_on(split)
    asked, sections, remembered = split.tested_questions, ranker.sections, ranker.remembered
    labels, seen = remembered.memory.labels, remembered.seen(ranker.sections)
    with threadpool_limits(1):
        scores = remembered.scores(asked.vectors, asked.words)
        described = remembered.describe(asked, retrieved(runs, asked, sections), cells, sections)
    by_labels = {POPULARITY: popularity(labels, len(asked)), MEMORY: scores["memory"], LOGISTIC: scores[LOGISTIC]}
    tables = [_table(name, asked, *_pairs(values, seen), sections) for name, values in by_labels.items()]
    tables += _learned(asked, described, ranker.score(described), labels.counts, seen, sections)
    return Measured(pl.concat(tables), _seen(asked, ranker))


def _learned(
    asked: LabelledQuestions, described: Features, scores: Floats, counts: Ints, seen: Ints, facts: SectionFacts
) -> list[pl.DataFrame]:
    """The learned ranking, and what it is with places reserved for sections without training questions."""
    order = np.lexsort((described.sections, -scores, described.questions))
    questions, sections, scores = described.questions[order], described.sections[order], scores[order]
    trained = np.zeros(len(facts.ids), dtype=bool)
    trained[seen] = counts > 0
    tables = [_table(LEARNED, asked, questions, sections, scores, facts)]
    for places in RESERVED:
        kept = reserve(questions, ~trained[sections], places)
        falling = -np.arange(len(kept), dtype=np.float32)
        tables.append(_table(reserving(places), asked, questions[kept], sections[kept], falling, facts))
    return tables


def _pairs(scores: Floats, seen: Ints) -> tuple[Ints, Ints, Floats]:
    """The pairs that have a score: question, section number, score."""
    questions, places = np.nonzero(~np.isnan(scores) & (scores != 0))
    return questions, seen[places], scores[questions, places]


def _table(
    retriever: str, asked: LabelledQuestions, questions: Ints, sections: Ints, scores: Floats, facts: SectionFacts
) -> pl.DataFrame:
    """A run table of scored pairs, the best `DEPTH` of each question; equal scores by section id."""
    order = np.lexsort((sections, -scores, questions))
    questions, sections, scores = questions[order], sections[order], scores[order]
    ranks = np.arange(len(questions)) - np.searchsorted(questions, questions) + 1
    kept = ranks <= DEPTH
    questions, sections, scores, ranks = questions[kept], sections[kept], scores[kept], ranks[kept]
    columns = {
        "question_set": pl.Series(asked.sets, dtype=pl.String).gather(questions),
        "retriever": pl.repeat(retriever, len(questions), dtype=pl.String, eager=True),
        "aggregation": pl.repeat(AGGREGATION, len(questions), dtype=pl.String, eager=True),
        "query": pl.Series(asked.ids, dtype=pl.String).gather(questions),
        "section": pl.Series(facts.ids, dtype=pl.String).gather(sections),
        "rank": ranks,
        "score": set_apart(scores, questions),
    }
    return pl.DataFrame(columns).cast(RUN_SCHEMA)


def _seen(asked: LabelledQuestions, ranker: Ranker) -> pl.DataFrame:
    labels = ranker.remembered.memory.labels
    counts = dict(zip(labels.sections, labels.counts.tolist(), strict=True))
    rows = [
        (question_set, query, section, counts.get(section, 0))
        for question_set, query, gold in zip(asked.sets, asked.ids, asked.gold, strict=True)
        for section in gold
    ]
    return pl.DataFrame(rows, schema=SEEN_SCHEMA, orient="row")
