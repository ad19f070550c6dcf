"""Why gold sections were missed: causes with their counts. The misses one by one: `failures` of the page."""

import polars as pl

from lawrag_assets.reporting.benchmark import BenchmarkReport
from lawrag_assets.reporting.layout import CELL, Column, Section, by_question_set, lay_out, number

CAUSE_NOTES = {
    "no such section": "The gold label names no section in force of these laws: an older numbering, or another law.",
    "ranked 11 to 25": "It nearly made it: a reranker of the first 25 would see it.",
    "linked to a found one": "One of the first ten refers to it or is referred to by it: following references would reach it.",
    "only its chapter found": "One of the first ten stands under the same heading: the right place of the law, the wrong section.",
    "ranked below 25": "It is among the sections of the 100 candidate chunks, far down.",
    "other words": "No candidate, and it has fewer of the question’s words than the section found first: the statute puts it differently.",
    "out of reach": "No candidate, though its words are no worse.",
}
"""What each cause means; of several that hold, a miss is counted under the first."""


def causes_section(report: BenchmarkReport) -> Section | None:
    """Count misses by cause, one table a question set; None where nothing was looked into."""
    if report.failures is None:
        return None
    layouts = []
    for name, table in by_question_set(report.failures):
        there = table["cause"].unique().sort().to_list()
        causes = [cause for cause in CAUSE_NOTES if cause in there] + [cause for cause in there if cause not in CAUSE_NOTES]
        counts = table.group_by("cell", "cause").len().with_columns(pl.col("len").cast(pl.Int64))
        wide = counts.pivot("cause", index="cell", values="len").with_columns(pl.sum_horizontal(causes).alias("\0total"))
        cells = report.costs.select("cell").join(wide, on="cell", how="inner", maintain_order="left").fill_null(0)
        columns = [
            CELL,
            Column(
                "missed", "Gold sections not among the first ten, over all questions.", "\0total", number("\0total", ",d"), "min"
            ),
            *(Column(cause, CAUSE_NOTES.get(cause, ""), cause, number(cause, ",d")) for cause in causes),
        ]
        layouts.append(lay_out(name, columns, cells))
    text = "Every gold section that is not among the first ten of a cell, under the first cause from the left that holds."
    return Section("failures", "What was missed", text, tuple(layouts))
