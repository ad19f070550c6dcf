"""Questions whose answer stands in two sections that refer to each other: how often all of it is found, by cell and retriever."""

import polars as pl

from lawrag_assets.reporting.benchmark import BenchmarkReport
from lawrag_assets.reporting.layout import CELL, Column, Section, by_question_set, interval, lay_out, number, words

_RETRIEVER = Column("retriever", "", "retriever", words("retriever"), text=True)
_COLUMNS = [
    CELL,
    _RETRIEVER,
    Column("R@10", "Mean R@10 of these questions.", "recall", number("recall", ".3f"), "max"),
    Column(
        "all gold",
        "Share of these questions of which every gold section is among the first ten (R@10 = 1).",
        "all_gold",
        number("all_gold", ".3f"),
        "max",
    ),
    Column("95 %", "Interval of that share (Wilson).", "low", interval("low", "high", ".3f")),
]


def multi_hop_section(report: BenchmarkReport) -> Section | None:
    """Lay the figures out, one table a question set, cells in the report's order; None where no question has linked gold."""
    found = report.multi_hop
    if found is None or found.is_empty():
        return None
    layouts = []
    for name, table in by_question_set(found):
        rows = report.costs.select("cell").join(table, on="cell", maintain_order="left_right")
        count: int = table["questions"].item(0)
        layouts.append(lay_out(f"{count:,} questions of {name}", _COLUMNS, rows.filter(pl.col("retriever").is_not_null())))
    text = (
        "Questions with at least two gold sections of which one refers to another. reference_expanded embeds a unit with what it refers "
        "to; linked takes one step along the references when it is asked."
    )
    return Section("multi-hop", "Answers in two linked sections", text, tuple(layouts))
