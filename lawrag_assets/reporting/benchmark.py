"""What a benchmark report says: facts about the corpus, one table of figures (a row a question set and cell), further frames.

How it looks does not belong here (`sections`, `figures`, `page`, `markdown`, `terminal`).
"""

from dataclasses import dataclass

import polars as pl

from lawrag_assets.reporting.frames import ALL, COSTS_SCHEMA, SUMMARIES_SCHEMA
from lawrag_assets.reporting.labelled import LabelledFigures, retriever_figures

PRIMARY = "R@10"
BENCHMARK_MEASURES = (PRIMARY, "R@1", "R@5", "R@25", "R@100", "RR@10", "nDCG@10", "Success@10")

COLLAPSED = "collapsed tree"

NO_QUESTIONS = "no questions"
"""Stands for the question set where there is none."""

REFERENCE = "section/flat"
"""The cell that others are held against: sections as they are."""


@dataclass(frozen=True)
class LawFacts:
    """A law in the corpus."""

    law: str
    build: str
    """Date of the build, YYYY-MM-DD."""
    sections: int
    """Sections in force, which are the ones indexed."""


@dataclass(frozen=True)
class QuestionSetFacts:
    """A question set and what of it could be measured."""

    name: str
    answerable: int
    unanswerable: int
    unknown_gold: int
    """Gold citations of answerable questions that name no section of the corpus; they count as missed."""


@dataclass(frozen=True)
class Facts:
    """What the figures are about; stated at the top of the report."""

    laws: tuple[LawFacts, ...]
    question_sets: tuple[QuestionSetFacts, ...]
    model: str
    """Identity of the embedding model."""
    generator: str
    """What wrote contexts, propositions, boundaries and summaries."""
    date: str
    """Date of the report, YYYY-MM-DD."""
    machine: str = ""
    """What it was measured on: "2 cores, x86-64, 8 GB"; empty where nobody knows."""
    timing: str = ""
    """How searches were timed; empty where they were not."""

    @property
    def sections(self) -> int:
        """Sections in force of all laws."""
        return sum(law.sections for law in self.laws)


@dataclass(frozen=True)
class BenchmarkReport:
    """The report, before it is given a form."""

    facts: Facts
    table: pl.DataFrame
    """See `benchmark_table`."""
    aggregations: tuple[str, ...]
    """Those compared; the first is the one that the measures are of."""
    reference: str
    """The cell that others are held against, whether it was measured or not."""
    costs: pl.DataFrame
    """`COSTS_SCHEMA` and cell."""
    subsets: pl.DataFrame
    """R@10 by subset of the questions: question_set, cell, subset, mean, low, high, questions; empty where none were measured."""
    chunking: pl.DataFrame | None = None
    """`CHUNKING_SCHEMA`."""
    comparisons: pl.DataFrame | None = None
    """`COMPARISONS_SCHEMA`."""
    friedman: pl.DataFrame | None = None
    """`FRIEDMAN_SCHEMA`."""
    failures: pl.DataFrame | None = None
    """`FAILURES_SCHEMA`."""
    sources: pl.DataFrame | None = None
    """`SOURCES_SCHEMA`."""
    retrievers: pl.DataFrame | None = None
    """`labelled.retriever_figures`: those that need no labels."""
    labelled: LabelledFigures | None = None
    multi_hop: pl.DataFrame | None = None
    """`MULTI_HOP_SCHEMA`."""

    @property
    def question_sets(self) -> list[str]:
        """Those that something was measured on."""
        names = self.table["question_set"].unique(maintain_order=True).to_list()
        return [name for name in names if name != NO_QUESTIONS]


def benchmark_report(
    facts: Facts,
    summaries: pl.DataFrame,
    costs: pl.DataFrame,
    *,
    chunking: pl.DataFrame | None = None,
    comparisons: pl.DataFrame | None = None,
    friedman: pl.DataFrame | None = None,
    failures: pl.DataFrame | None = None,
    sources: pl.DataFrame | None = None,
    labelled: LabelledFigures | None = None,
    multi_hop: pl.DataFrame | None = None,
    retriever: str = "dense",
    reference: str = REFERENCE,
) -> BenchmarkReport:
    """Put the report together from frames laid out as `frames` says; a frame that is None leaves its section out.

    The figures are those of the first aggregation in `summaries`. The other way through a tree of summaries stands beside the
    aggregations, as `COLLAPSED`.
    """
    if "subset" not in summaries.columns:
        summaries = summaries.with_columns(subset=pl.lit(ALL))
    summaries = summaries.select(SUMMARIES_SCHEMA.names()).with_columns(_CELL)
    costs = costs.select(COSTS_SCHEMA.names()).with_columns(_CELL)
    chosen = summaries.filter(pl.col("retriever") == retriever)
    first = chosen["aggregation"].head(1).implode()
    subsets = chosen.filter(pl.col("subset") != ALL, pl.col("measure") == PRIMARY, pl.col("aggregation").is_in(first))
    collapsed = summaries.filter(pl.col("retriever") == f"{retriever}_collapsed", pl.col("aggregation").is_in(first))
    measured = pl.concat([chosen, collapsed.with_columns(aggregation=pl.lit(COLLAPSED))]).filter(pl.col("subset") == ALL)
    aggregations = tuple(measured["aggregation"].unique(maintain_order=True))
    return BenchmarkReport(
        facts=facts,
        table=benchmark_table(measured, costs, aggregations),
        aggregations=aggregations,
        reference=reference,
        costs=costs,
        subsets=subsets.select("question_set", "cell", "subset", "mean", "low", "high", "questions"),
        chunking=chunking,
        comparisons=comparisons,
        friedman=friedman,
        failures=failures,
        sources=sources,
        retrievers=retriever_figures(summaries),
        labelled=labelled,
        multi_hop=multi_hop,
    )


_CELL = pl.concat_str("base_unit", "strategy", separator="/").alias("cell")


def benchmark_table(summaries: pl.DataFrame, costs: pl.DataFrame, aggregations: tuple[str, ...]) -> pl.DataFrame:
    """One row a question set and cell, question sets as in `summaries`, cells as in `costs`; both have the column cell.

    Columns: question_set, cell ("base_unit/strategy"), R@10, R@10 low, R@10 high, the other measures, the columns of
    `COSTS_SCHEMA` from chunks on, index_mb (millions of bytes) for index_bytes, and "R@10 <name>" for every aggregation but the
    first. A cell that was not measured on a question set has no row there; where nothing was measured at all, the cells stand
    under `NO_QUESTIONS`.
    """
    first, *others = aggregations or ("max",)
    columns = {PRIMARY: (PRIMARY, first, "mean"), "R@10 low": (PRIMARY, first, "low"), "R@10 high": (PRIMARY, first, "high")}
    columns |= {measure: (measure, first, "mean") for measure in BENCHMARK_MEASURES[1:]}
    compared = {f"R@10 {aggregation}": (PRIMARY, aggregation, "mean") for aggregation in others}

    keys = ["question_set", "cell"]
    cells = costs.with_columns(index_mb=pl.col("index_bytes") / 1e6).with_row_index("place")
    if summaries.is_empty():
        rows = cells.with_columns(question_set=pl.lit(NO_QUESTIONS))
    else:
        sets = summaries.select("question_set").unique(maintain_order=True).with_row_index("set")
        rows = sets.join(cells, how="cross").join(summaries, on=keys, how="semi").sort("set", "place")
    for column, (measure, aggregation, statistic) in (columns | compared).items():
        figures = summaries.filter(pl.col("measure") == measure, pl.col("aggregation") == aggregation)
        rows = rows.join(figures.select(*keys, pl.col(statistic).alias(column)), on=keys, how="left", maintain_order="left")
    spent = [name for name in COSTS_SCHEMA.names() if name not in ("base_unit", "strategy", "index_bytes")]
    return rows.select(*keys, *columns, *spent, "index_mb", *compared)
