"""The benchmark report as one web page that needs nothing else: no script, no network, light and dark."""

from dataclasses import dataclass

from jinja2 import Environment, PackageLoader, StrictUndefined

from lawrag_assets.reporting.benchmark import BenchmarkReport
from lawrag_assets.reporting.layout import Layout, aggregation_layouts, benchmark_layouts
from lawrag_assets.reporting.words import facts_lines, question_set_line


@dataclass(frozen=True)
class Whisker:
    """R@10 with its interval as a small drawing: ends and middle in percent of the drawing's width."""

    low: float
    mean: float
    high: float


def to_html(report: BenchmarkReport) -> str:
    """Render the page."""
    facts = {facts.name: question_set_line(facts) for facts in report.facts.question_sets}
    environment = Environment(
        loader=PackageLoader("lawrag_assets.reporting"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    benchmarks = benchmark_layouts(report.table)
    return environment.get_template("benchmark.html").render(
        facts=facts_lines(report.facts),
        benchmarks=[(layout, facts.get(layout.title, ""), whiskers(layout)) for layout in benchmarks],
        aggregations=aggregation_layouts(report),
        columns=benchmarks[0].columns if benchmarks else (),
    )


def whiskers(layout: Layout) -> list[Whisker | None]:
    """Scale every row's interval to the highest end in the table; None where a row has none."""
    top = max((row["R@10 high"] for row in layout.figures if row["R@10 high"] is not None), default=0.0)
    drawn: list[Whisker | None] = []
    for row in layout.figures:
        ends = (row["R@10 low"], row["R@10"], row["R@10 high"])
        drawn.append(Whisker(*(round(100 * end / top, 1) for end in ends)) if top > 0 and None not in ends else None)
    return drawn
