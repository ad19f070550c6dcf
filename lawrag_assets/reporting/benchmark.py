"""What the first benchmark report says: facts about the corpus and one table of figures, a row a question set and cell.

How it looks does not belong here (`layout`, `page`, `terminal`).
"""

from dataclasses import dataclass

import polars as pl

BENCHMARK_MEASURES = ("R@10", "R@25", "RR@10", "nDCG@10", "Success@10")

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
    aggregation in `summaries`.
    """
    chosen = summaries.filter(pl.col("retriever") == retriever)
    aggregations = tuple(chosen["aggregation"].unique(maintain_order=True))
    return BenchmarkReport(facts, benchmark_table(chosen, costs, aggregations), aggregations)


def benchmark_table(summaries: pl.DataFrame, costs: pl.DataFrame, aggregations: tuple[str, ...]) -> pl.DataFrame:
    """One row a question set and cell, question sets as in `summaries`, cells as in `costs`.

    Columns: question_set, cell ("base_unit/strategy"), R@10, R@10 low, R@10 high, R@25, RR@10, nDCG@10, Success@10, chunks,
    build_seconds, search_ms, index_mb (millions of bytes), and "R@10 <name>" for every aggregation but the first. A cell that was
    not measured on a question set has no row there.
    """
    cell = pl.concat_str("base_unit", "strategy", separator="/").alias("cell")
    rows = costs.select(
        cell,
        "chunks",
        "build_seconds",
        "search_ms",
        (pl.col("index_bytes") / 1e6).alias("index_mb"),
        place=pl.int_range(pl.len()),
    )
    keys = ["question_set", "cell"]
    measured = summaries.with_columns(cell)
    sets = measured.select("question_set").unique(maintain_order=True).with_row_index("set")
    rows = sets.join(rows, how="cross").join(measured.select(keys).unique(), on=keys, how="semi").sort("set", "place")

    def add(rows: pl.DataFrame, measure: str, aggregation: str, names: dict[str, str]) -> pl.DataFrame:
        figures = measured.filter(pl.col("measure") == measure, pl.col("aggregation") == aggregation)
        return rows.join(figures.select(*keys, *names).rename(names), on=keys, how="left", maintain_order="left")

    for measure in BENCHMARK_MEASURES:
        interval = {"low": f"{measure} low", "high": f"{measure} high"} if measure == "R@10" else {}
        rows = add(rows, measure, aggregations[0], {"mean": measure, **interval})
    for aggregation in aggregations[1:]:
        rows = add(rows, "R@10", aggregation, {"mean": f"R@10 {aggregation}"})
    measures = [
        column for name in BENCHMARK_MEASURES for column in rows.columns if column in (name, f"{name} low", f"{name} high")
    ]
    others = [f"R@10 {aggregation}" for aggregation in aggregations[1:]]
    return rows.select(*keys, *measures, "chunks", "build_seconds", "search_ms", "index_mb", *others)
