"""The main table: every cell's measures and what it costs, one table a question set."""

import polars as pl

from lawrag_assets.reporting.benchmark import BenchmarkReport
from lawrag_assets.reporting.layout import CELL, Column, Layout, Section, by_question_set, interval, lay_out, number
from lawrag_assets.reporting.words import NOTHING, question_set_line


def _recall(cutoff: int) -> Column:
    return Column(f"R@{cutoff}", f"Recall at {cutoff}.", f"R@{cutoff}", number(f"R@{cutoff}", ".3f"), "max")


def _build(row: dict[str, float | None]) -> str:
    seconds = row["build_seconds"]
    return NOTHING if seconds is None else format(seconds, ".1f" if seconds < 100 else ",.0f")


BENCHMARK_COLUMNS = (
    CELL,
    Column(
        "R@10",
        "Recall at 10, the primary measure: the share of a question's gold sections among the first ten sections, averaged.",
        "R@10",
        number("R@10", ".3f"),
        "max",
    ),
    Column(
        "95 % interval",
        "Of R@10, by bootstrap over the questions. Cells share their questions: they may differ though intervals overlap.",
        "R@10 low",
        interval("R@10 low", "R@10 high", ".3f"),
    ),
    _recall(1),
    _recall(5),
    _recall(25),
    Column(
        "R@100",
        "Recall at 100 sections: the ceiling of what a reranker of these candidates could reach.",
        "R@100",
        number("R@100", ".3f"),
        "max",
    ),
    Column("RR@10", "Reciprocal rank of the first gold section, 0 beyond rank 10.", "RR@10", number("RR@10", ".3f"), "max"),
    Column(
        "nDCG@10",
        "Like recall, but a gold section counts less the further down it stands.",
        "nDCG@10",
        number("nDCG@10", ".3f"),
        "max",
    ),
    Column(
        "Success@10",
        "Share of questions with at least one gold section among the first ten.",
        "Success@10",
        number("Success@10", ".3f"),
        "max",
    ),
    Column("chunks", "Indexed texts.", "chunks", number("chunks", ",d")),
    Column(
        "build s",
        "Seconds to build the index offline, as if nothing had been cached before.",
        "build_seconds",
        _build,
        "min",
    ),
    Column(
        "search ms",
        "Median time to find 100 chunks (exact search in memory) and rank their sections, without embedding the question.",
        "search_ms",
        number("search_ms", ".2f"),
        "min",
    ),
    Column(
        "index MB",
        "Millions of bytes on disk: vectors, ids and citations, without the chunks' text.",
        "index_mb",
        number("index_mb", ".2f"),
        "min",
    ),
)


def cells_section(report: BenchmarkReport) -> Section:
    """Lay the main table out."""
    facts = {facts.name: question_set_line(facts) for facts in report.facts.question_sets}
    text = "The best value of each column is marked." if report.table["cell"].n_unique() > 1 else ""
    return Section("cells", "Cells", text, tuple(benchmark_layouts(report.table, facts)))


def benchmark_layouts(table: pl.DataFrame, texts: dict[str, str] | None = None) -> list[Layout]:
    """Lay out `benchmark.benchmark_table`, one table a question set, with a text of `texts` above it."""
    return [lay_out(name, BENCHMARK_COLUMNS, part, (texts or {}).get(name, "")) for name, part in by_question_set(table)]
