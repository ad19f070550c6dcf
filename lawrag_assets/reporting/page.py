"""The benchmark report as one web page that needs nothing else: no network, light and dark, sortable.

It can be read without its script, but for the misses one by one.
"""

from jinja2 import Environment, PackageLoader, StrictUndefined, Template

from lawrag_assets.reporting.answer import answers
from lawrag_assets.reporting.benchmark import BenchmarkReport
from lawrag_assets.reporting.failures import Misses, misses
from lawrag_assets.reporting.figures.contents import figures
from lawrag_assets.reporting.sections.contents import sections
from lawrag_assets.reporting.words import facts_lines


def template(name: str) -> Template:
    """A template of this package; texts are escaped, and a name that nothing stands for is an error."""
    environment = Environment(
        loader=PackageLoader("lawrag_assets.reporting"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    return environment.get_template(name)


def to_html(report: BenchmarkReport) -> str:
    """Render the page."""
    main, *others = sections(report)
    shown = misses(report.failures) if report.failures is not None and report.failures.height else None
    return template("benchmark.html").render(
        answers=answers(report),
        facts=facts_lines(report.facts),
        main=main,
        figures=figures(report),
        others=others,
        misses=shown,
        misses_text=_misses_text(shown) if shown else "",
    )


_READ = (
    "Open a question to read it beside the missed section and the one found first. Without a rank, the missed section is not among "
    "the candidates at all. Overlap is the share of the question’s words that the missed section has. Texts are cut to 700 characters."
)


def _misses_text(shown: Misses) -> str:
    if shown.shown == shown.total:
        return f"All {shown.total:,} misses. {_READ}"
    return (
        f"{shown.shown:,} of {shown.total:,} misses, so that this page opens quickly: at most {shown.a_cell:,} of each cell and "
        "question set, evenly spread; the Parquet file beside this page has them all. " + _READ
    )
