"""Why gold sections were missed: causes with their counts. The misses one by one: `failures` of the page."""

import polars as pl

from lawrag_assets.reporting.benchmark import BenchmarkReport
from lawrag_assets.reporting.layout import CELL, Column, Section, by_question_set, lay_out, number


def causes_section(report: BenchmarkReport) -> Section | None:
    """Count misses by cause, one table a question set, the most common cause first; None where nothing was looked into."""
    if report.failures is None:
        return None
    layouts = []
    for name, table in by_question_set(report.failures):
        causes = table.group_by("cause").len().sort("len", "cause", descending=[True, False])["cause"].to_list()
        counts = table.group_by("cell", "cause").len().with_columns(pl.col("len").cast(pl.Int64))
        wide = counts.pivot("cause", index="cell", values="len").with_columns(pl.sum_horizontal(causes).alias("\0total"))
        cells = report.costs.select("cell").join(wide, on="cell", how="inner", maintain_order="left").fill_null(0)
        columns = [
            CELL,
            Column(
                "missed", "Gold sections not among the first ten, over all questions.", "\0total", number("\0total", ",d"), "min"
            ),
            *(Column(cause, "", cause, number(cause, ",d")) for cause in causes),
        ]
        layouts.append(lay_out(name, columns, cells))
    text = "Every gold section that is not among the first ten of a cell, by the cause found for it."
    return Section("failures", "What was missed", text, tuple(layouts))
