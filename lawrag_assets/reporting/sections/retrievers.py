"""R@10 by retriever and cell, of retrievers that need no labelled questions."""

from lawrag_assets.reporting.benchmark import BenchmarkReport
from lawrag_assets.reporting.layout import CELL, Column, Section, by_question_set, lay_out, number


def retrievers_section(report: BenchmarkReport) -> Section | None:
    """Lay the two axes out, one table a question set; None where there is one retriever only."""
    found = report.retrievers
    if found is None or found["retriever"].n_unique() < 2:
        return None
    layouts = []
    for name, table in by_question_set(found):
        names = table["retriever"].unique(maintain_order=True)
        columns = [Column(retriever, "", retriever, number(retriever, ".3f"), "max") for retriever in names]
        wide = table.pivot("retriever", index="cell", values="mean")
        ordered = report.costs.select("cell").join(wide, on="cell", maintain_order="left")
        layouts.append(lay_out(f"R@10 on {name}", [CELL, *columns], ordered))
    text = "How sections are found, beside what is indexed. None of these has seen a labelled question; the best cell of each is marked."
    return Section("retrievers", "Retrievers", text, tuple(layouts))
