"""Which differences between cells are more than chance. The tests are made elsewhere; here they are shown and put into words."""

from collections.abc import Callable

import polars as pl

from lawrag_assets.reporting.benchmark import BenchmarkReport
from lawrag_assets.reporting.frames import LATENCY
from lawrag_assets.reporting.layout import CELL, Column, Row, Section, interval, lay_out, number
from lawrag_assets.reporting.words import NOTHING, p_is, p_text


def significance_section(report: BenchmarkReport) -> Section | None:
    """Lay the comparisons with the reference out, one table a question set and measure; None where none were made."""
    if report.comparisons is None:
        return None
    layouts = []
    for (name, measure), table in report.comparisons.group_by(["question_set", "measure"], maintain_order=True):
        shown = "search ms" if measure == LATENCY else str(measure)
        rows = [row | {"verdict": _verdict(row)} for row in table.iter_rows(named=True)]
        text = f"{_friedman(report, str(name), str(measure))} {_counts(rows, report.reference, str(measure))}".strip()
        text += " The time of a question is the median of its runs." if measure == LATENCY else ""
        layouts.append(lay_out(f"{shown} on {name}", _columns(str(measure)), rows, text))
    text = (
        f"Every cell against the reference {report.reference}, on the same questions: sign-flip permutation tests of the mean "
        "difference, two-sided, corrected by Holm’s method for the number of cells; bootstrap intervals of the difference. "
        "“No” means that a difference could be chance, not that there is none."
    )
    return Section("significance", "Significance", text, tuple(layouts))


def _columns(measure: str) -> tuple[Column, ...]:
    form = ".2f" if measure == LATENCY else ".3f"
    return (
        CELL,
        Column("mean", "Of the cell, over the questions.", "mean", number("mean", form)),
        Column("difference", "Cell minus reference.", "difference", number("difference", f"+{form}")),
        Column("95 % interval", "Of the difference.", "low", interval("low", "high", f"+{form}")),
        Column("p", "Of the difference, taken alone.", "p", _p("p")),
        Column("p (Holm)", "Corrected for the number of cells tested.", "p_holm", _p("p_holm")),
        Column(
            "significant",
            "More or less than the reference, with p (Holm) of at most 0.05.",
            "verdict",
            lambda row: str(row["verdict"]),
            text=True,
        ),
        Column(
            "effect", "Cohen’s dz: the difference in standard deviations of the differences.", "effect", number("effect", "+.2f")
        ),
        Column("won", "Questions on which the cell does better than the reference.", "won", number("won", ",d")),
        Column("tied", "Questions on which it does as well.", "tied", number("tied", ",d")),
        Column("lost", "Questions on which it does worse.", "lost", number("lost", ",d")),
    )


def _p(key: str) -> Callable[[Row], str]:
    return lambda row: NOTHING if row[key] is None else p_text(row[key])


def _verdict(row: Row) -> str:
    if row["p_holm"] is None:
        return "reference"
    if not row["significant"]:
        return "no"
    return "more" if row["difference"] > 0 else "less"


def _friedman(report: BenchmarkReport, name: str, measure: str) -> str:
    if report.friedman is None:
        return ""
    found = report.friedman.filter(pl.col("question_set") == name, pl.col("measure") == measure)
    for row in found.iter_rows(named=True):
        if row["p"] is not None:
            verdict = "the cells differ" if row["p"] <= 0.05 else "no difference between any cells shows"
            figures = f"χ² = {row['statistic']:,.1f}, {p_is(row['p'])}, Kendall’s W = {row['kendall_w']:.2f}"
            return f"Friedman’s test over all cells: {verdict} ({figures})."
    return ""


def _counts(rows: list[Row], reference: str, measure: str) -> str:
    tested = [row for row in rows if row["p_holm"] is not None]
    if not tested:
        return ""
    more, less = (sum(row["verdict"] == verdict for row in tested) for verdict in ("more", "less"))
    better, worse = ("slower", "quicker") if measure == LATENCY else ("better", "worse")
    cells = f"the {len(tested)} other cells" if len(tested) > 1 else "the one other cell"
    return f"Of {cells}, {more} are significantly {better} than {reference} and {less} significantly {worse}."
