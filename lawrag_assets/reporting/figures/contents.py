"""Which figures a report has, and in what order."""

from lawrag_assets.reporting.benchmark import BenchmarkReport
from lawrag_assets.reporting.figures.costs import build_figure, latency_figure, size_figure
from lawrag_assets.reporting.figures.heatmap import heat_map
from lawrag_assets.reporting.figures.marks import looks
from lawrag_assets.reporting.figures.pareto import pareto_figure
from lawrag_assets.reporting.figures.recall import recall_figure
from lawrag_assets.reporting.figures.svg import Figure


def figures(report: BenchmarkReport) -> list[Figure]:
    """Draw what there is enough to draw of: three figures a question set, then what cells cost."""
    costs = list(report.costs.iter_rows(named=True))
    marks = looks([row["strategy"] for row in costs])
    named = {row["cell"]: {"base_unit": row["base_unit"], "strategy": row["strategy"]} for row in costs}
    sets = report.question_sets
    drawn: list[Figure | None] = []
    for name in sets:
        rows = [row | named[row["cell"]] for row in report.table.iter_rows(named=True) if row["question_set"] == name]
        of = f" on {name}" if len(sets) > 1 else ""
        drawn += [recall_figure(rows, marks, report.reference, of), pareto_figure(rows, marks, of), heat_map(rows, of)]
    drawn += [draw(costs, marks, report.reference) for draw in (latency_figure, build_figure, size_figure)]
    return [figure for figure in drawn if figure is not None]
