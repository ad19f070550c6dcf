"""The benchmark's tables as rows of short texts, ready for Markdown, page and terminal: columns, rounding, best values."""

from collections.abc import Callable
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, Literal

import polars as pl

from lawrag_assets.reporting.benchmark import COLLAPSED, BenchmarkReport

Row = dict[str, Any]
NOTHING = "–"


@dataclass(frozen=True)
class Column:
    """A column as a reader sees it."""

    title: str
    note: str
    """What it means, in a sentence or two."""
    show: Callable[[Row], str]
    best: tuple[str, Literal["max", "min"]] | None = None
    """Which figure is compared for the best value, and which end is best."""
    text: bool = False
    """Left-aligned words; numbers are aligned right."""


@dataclass(frozen=True)
class Shown:
    """One cell of a table."""

    text: str
    best: bool


@dataclass(frozen=True)
class Layout:
    """A table for one question set."""

    title: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Shown, ...], ...]
    figures: tuple[Row, ...]
    """The unrounded figures behind each row."""


def _number(key: str, form: str) -> Callable[[Row], str]:
    return lambda row: NOTHING if row[key] is None else format(row[key], form)


def _seconds(row: Row) -> str:
    seconds = row["build_seconds"]
    return NOTHING if seconds is None else format(seconds, ".1f" if seconds < 100 else ",.0f")


def _interval(row: Row) -> str:
    low, high = row["R@10 low"], row["R@10 high"]
    return NOTHING if low is None or high is None else f"{low:.3f}–{high:.3f}"


CELL = Column(
    "cell",
    "Base unit (what the law is cut into) / strategy (how chunks are made of it).",
    lambda row: str(row["cell"]),
    text=True,
)

BENCHMARK_COLUMNS = (
    CELL,
    Column(
        "R@10",
        "Recall at 10, the primary measure: the share of a question's gold sections among the first ten sections, averaged.",
        _number("R@10", ".3f"),
        ("R@10", "max"),
    ),
    Column(
        "95 % interval",
        "Of R@10, by bootstrap over the questions. Cells share their questions: they may differ though intervals overlap.",
        _interval,
    ),
    Column("R@25", "Recall at 25.", _number("R@25", ".3f"), ("R@25", "max")),
    Column("RR@10", "Reciprocal rank of the first gold section, 0 beyond rank 10.", _number("RR@10", ".3f"), ("RR@10", "max")),
    Column(
        "nDCG@10",
        "Like recall, but a gold section counts less the further down it stands.",
        _number("nDCG@10", ".3f"),
        ("nDCG@10", "max"),
    ),
    Column(
        "Success@10",
        "Share of questions with at least one gold section among the first ten.",
        _number("Success@10", ".3f"),
        ("Success@10", "max"),
    ),
    Column("chunks", "Indexed texts.", _number("chunks", ",d")),
    Column(
        "build s",
        "Seconds to build the index offline, as if nothing had been cached before.",
        _seconds,
        ("build_seconds", "min"),
    ),
    Column(
        "search ms",
        "Median time to find 100 chunks (exact search in memory) and rank their sections, without embedding the question.",
        _number("search_ms", ".2f"),
        ("search_ms", "min"),
    ),
    Column(
        "index MB",
        "Millions of bytes on disk: vectors, ids and citations, without the chunks' text.",
        _number("index_mb", ".2f"),
        ("index_mb", "min"),
    ),
)

AGGREGATION_NOTES = {
    "max": "A section scores as its best chunk.",
    "sum": "A section scores as the sum over its chunks among the 100.",
    "mean_top_n": "A section scores as the mean of its three best chunks.",
    COLLAPSED: "As max, with all nodes of a tree of summaries searched at once; the other columns route through summaries to leaves.",
}


def benchmark_layouts(table: pl.DataFrame) -> list[Layout]:
    """Lay out the main table (`benchmark.benchmark_table`), one a question set."""
    return [_layout(name, BENCHMARK_COLUMNS, part) for name, part in _by_question_set(table)]


def aggregation_layouts(report: BenchmarkReport) -> list[Layout]:
    """Lay out R@10 under each aggregation, one table a question set; nothing where there is one aggregation only."""
    if len(report.aggregations) < 2:
        return []
    first, *others = report.aggregations
    keys = {first: "R@10"} | {name: f"R@10 {name}" for name in others}
    compared = tuple(Column(name, AGGREGATION_NOTES.get(name, ""), _number(key, ".3f")) for name, key in keys.items())
    layouts = []
    for name, table in _by_question_set(report.table):
        rows = []
        for figures in table.iter_rows(named=True):
            texts = [column.show(figures) for column in compared]
            best = max((text for text in texts if text != NOTHING), default="")
            rows.append((Shown(CELL.show(figures), False), *(Shown(text, text == best) for text in texts)))
        layouts.append(Layout(name, (CELL, *compared), tuple(rows), tuple(table.iter_rows(named=True))))
    return layouts


def _layout(title: str, columns: tuple[Column, ...], table: pl.DataFrame) -> Layout:
    """Round the figures, and mark the best of each column where there is something to compare."""
    figures = tuple(table.iter_rows(named=True))
    best: dict[str, str] = {}
    if len(figures) > 1:
        for column in columns:
            if column.best:
                key, end = column.best
                known = [row for row in figures if row[key] is not None]
                if known:
                    chosen = (max if end == "max" else min)(known, key=itemgetter(key))
                    best[column.title] = column.show(chosen)
    rows = tuple(tuple(_shown(column, row, best.get(column.title)) for column in columns) for row in figures)
    return Layout(title, columns, rows, figures)


def _shown(column: Column, row: Row, best: str | None) -> Shown:
    """Show one figure; all that read like the best one are marked."""
    text = column.show(row)
    return Shown(text, text == best)


def _by_question_set(table: pl.DataFrame) -> list[tuple[str, pl.DataFrame]]:
    return [(str(name), part) for (name,), part in table.group_by(["question_set"], maintain_order=True)]
