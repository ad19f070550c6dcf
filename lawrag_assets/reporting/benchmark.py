"""What the first benchmark report says: facts about the corpus and one table of figures, a row a question set and cell.

How it looks does not belong here (`layout`, `page`, `terminal`).
"""

from dataclasses import dataclass

import polars as pl

BENCHMARK_MEASURES = ("R@10", "R@25", "RR@10", "nDCG@10", "Success@10")

COLLAPSED = "collapsed tree"

NO_QUESTIONS = "no questions"
"""Stands for the question set where there is none."""

COSTS_SCHEMA = pl.Schema(
    {
        "base_unit": pl.String,
        "strategy": pl.String,
        "chunks": pl.Int64,
        "build_seconds": pl.Float64,  # offline, as if nothing had been cached
        "search_ms": pl.Float64,  # median over single questions: search and aggregation
        "index_bytes": pl.Int64,  # on disk, without the text payload
    }
)


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


def benchmark_report(facts: Facts, summaries: pl.DataFrame, costs: pl.DataFrame, *, retriever: str = "dense") -> BenchmarkReport:
    """Put the report together from `evaluation.measures.summarize`'s tables and the cells' costs.

    `summaries`: that table's columns and base_unit, strategy. `costs`: `COSTS_SCHEMA`. The figures are those of the first
    aggregation in `summaries`. The other way through a tree of summaries stands beside the aggregations, as `COLLAPSED`.
    """
    chosen = summaries.filter(pl.col("retriever") == retriever)
    collapsed = summaries.filter(
        pl.col("retriever") == f"{retriever}_collapsed", pl.col("aggregation").is_in(chosen["aggregation"].head(1).implode())
    )
    chosen = pl.concat([chosen, collapsed.with_columns(aggregation=pl.lit(COLLAPSED))])
    aggregations = tuple(chosen["aggregation"].unique(maintain_order=True))
    return BenchmarkReport(facts, benchmark_table(chosen, costs, aggregations), aggregations)


def benchmark_table(summaries: pl.DataFrame, costs: pl.DataFrame, aggregations: tuple[str, ...]) -> pl.DataFrame:
    """One row a question set and cell, question sets as in `summaries`, cells as in `costs`.

    Columns: question_set, cell ("base_unit/strategy"), R@10, R@10 low, R@10 high, R@25, RR@10, nDCG@10, Success@10, chunks,
    build_seconds, search_ms, index_mb (millions of bytes), and "R@10 <name>" for every aggregation but the first. A cell that was
    not measured on a question set has no row there; where nothing was measured at all, the cells stand under `NO_QUESTIONS`.
    """
    first, *others = aggregations or ("max",)
    columns = {"R@10": ("R@10", first, "mean"), "R@10 low": ("R@10", first, "low"), "R@10 high": ("R@10", first, "high")}
    columns |= {measure: (measure, first, "mean") for measure in BENCHMARK_MEASURES[1:]}
    compared = {f"R@10 {aggregation}": ("R@10", aggregation, "mean") for aggregation in others}

    keys = ["question_set", "cell"]
    cell = pl.concat_str("base_unit", "strategy", separator="/").alias("cell")
    measured = summaries.with_columns(cell)
    cells = costs.with_columns(cell, index_mb=pl.col("index_bytes") / 1e6).with_row_index("place")
    if measured.is_empty():
        rows = cells.with_columns(question_set=pl.lit(NO_QUESTIONS))
    else:
        sets = measured.select("question_set").unique(maintain_order=True).with_row_index("set")
        rows = sets.join(cells, how="cross").join(measured, on=keys, how="semi").sort("set", "place")
    for column, (measure, aggregation, statistic) in (columns | compared).items():
        figures = measured.filter(pl.col("measure") == measure, pl.col("aggregation") == aggregation)
        rows = rows.join(figures.select(*keys, pl.col(statistic).alias(column)), on=keys, how="left", maintain_order="left")
    return rows.select(*keys, *columns, "chunks", "build_seconds", "search_ms", "index_mb", *compared)
