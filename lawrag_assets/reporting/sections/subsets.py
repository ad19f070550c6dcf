"""R@10 by language and kind of question, where the questions say so."""

import polars as pl

from lawrag_assets.reporting.benchmark import BenchmarkReport
from lawrag_assets.reporting.layout import CELL, Column, Section, by_question_set, lay_out, number


def subsets_section(report: BenchmarkReport) -> Section | None:
    """Lay the subsets out, a column each, one table a question set; None where none were measured."""
    if report.subsets.is_empty():
        return None
    layouts = []
    for name, table in by_question_set(report.subsets):
        sizes = table.group_by("subset", maintain_order=True).agg(pl.col("questions").max())
        columns = [
            Column(subset, f"R@10 over the {questions:,} questions with {subset}.", subset, number(subset, ".3f"), "max")
            for subset, questions in sizes.iter_rows()
        ]
        wide = report.costs.select("cell").join(
            table.pivot("subset", index="cell", values="mean"), on="cell", maintain_order="left"
        )
        layouts.append(lay_out(f"R@10 on {name}", [CELL, *columns], wide))
    text = "The best cell of each column is marked. Few questions make wide intervals; they are in the CSV file."
    return Section("subsets", "By language and kind", text, tuple(layouts))
