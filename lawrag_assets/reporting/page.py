"""The benchmark report as one web page that needs nothing else: no network, light and dark, sortable.

It can be read without its script.
"""

from jinja2 import Environment, PackageLoader, StrictUndefined

from lawrag_assets.reporting.answer import answers
from lawrag_assets.reporting.benchmark import BenchmarkReport
from lawrag_assets.reporting.figures.contents import figures
from lawrag_assets.reporting.sections.contents import sections
from lawrag_assets.reporting.words import facts_lines


def to_html(report: BenchmarkReport) -> str:
    """Render the page."""
    environment = Environment(
        loader=PackageLoader("lawrag_assets.reporting"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    main, *others = sections(report)
    return environment.get_template("benchmark.html").render(
        answers=answers(report),
        facts=facts_lines(report.facts),
        main=main,
        figures=figures(report),
        others=others,
        misses=None,
    )
