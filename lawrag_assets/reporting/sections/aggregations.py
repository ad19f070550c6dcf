"""R@10 under each way in which similarities of chunks become the score of a section."""

from lawrag_assets.reporting.benchmark import COLLAPSED, BenchmarkReport
from lawrag_assets.reporting.layout import CELL, Column, Layout, Section, Shown, by_question_set, number
from lawrag_assets.reporting.words import NOTHING

AGGREGATION_NOTES = {
    "max": "A section scores as its best chunk.",
    "sum": "A section scores as the sum over its chunks among the 100.",
    "mean_top_n": "A section scores as the mean of its three best chunks.",
    COLLAPSED: "As max, with all nodes of a tree of summaries searched at once; the other columns route through summaries to leaves.",
}


def aggregations_section(report: BenchmarkReport) -> Section | None:
    """Lay the comparison out, one table a question set; None where there is one aggregation only."""
    if len(report.aggregations) < 2:
        return None
    first, *others = report.aggregations
    keys = {first: "R@10"} | {name: f"R@10 {name}" for name in others}
    compared = [Column(name, AGGREGATION_NOTES.get(name, ""), key, number(key, ".3f")) for name, key in keys.items()]
    layouts = []
    for name, table in by_question_set(report.table):
        rows = []
        for figures in table.iter_rows(named=True):
            texts = [column.show(figures) for column in compared]
            best = max((text for text in texts if text != NOTHING), default="")
            shown = [Shown(text, text == best, figures[column.key]) for text, column in zip(texts, compared, strict=True)]
            rows.append((Shown(CELL.show(figures), sort=figures["cell"]), *shown))
        layouts.append(Layout(f"R@10 on {name}", (CELL, *compared), tuple(rows)))
    text = "How the similarities of chunks become the score of a section; the best of each row is marked."
    return Section("aggregations", "Aggregations compared", text, tuple(layouts))
