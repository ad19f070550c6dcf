"""The answer that the report opens with: two sentences a question set, made from the figures. The figures themselves: `benchmark`."""

from dataclasses import dataclass

import polars as pl

from lawrag_assets.reporting.benchmark import NO_QUESTIONS, PRIMARY, BenchmarkReport
from lawrag_assets.reporting.layout import Row, by_question_set
from lawrag_assets.reporting.words import MINUS, duration, listed, p_is, ratio


@dataclass(frozen=True)
class Answer:
    """Which cell finds the most, what that is worth and what it costs."""

    question_set: str
    """Empty where nothing was asked."""
    finding: str
    cost: str


def answers(report: BenchmarkReport) -> list[Answer]:
    """Answer for each question set; a single answer about costs where nothing was asked."""
    if report.table.is_empty():
        return [Answer("", "No cell has been built.", "There is nothing to compare yet.")]
    measured = []
    for name, table in by_question_set(report.table.filter(pl.col(PRIMARY).is_not_null())):
        if name != NO_QUESTIONS:
            rows = list(table.iter_rows(named=True))
            best = _best(rows)
            measured.append(Answer(name, _finding(report, name, rows, best), _cost(report, rows, best)))
    return measured or [_unasked(report)]


def _best(rows: list[Row]) -> Row:
    """Choose the cell that finds the most; of equal ones the quickest to build."""
    top = max(row[PRIMARY] for row in rows)
    equal = [row for row in rows if row[PRIMARY] == top]
    return min(equal, key=lambda row: float("inf") if row["build_seconds"] is None else row["build_seconds"])


def _finding(report: BenchmarkReport, name: str, rows: list[Row], best: Row) -> str:
    of_it = [f"95 % interval {best['R@10 low']:.3f}–{best['R@10 high']:.3f}"] if best["R@10 low"] is not None else []
    of_it += [f"{facts.answerable:,} questions" for facts in report.facts.question_sets if facts.name == name]
    figure = f"R@10 {best[PRIMARY]:.3f}" + (f" ({', '.join(of_it)})" if of_it else "")
    if len(rows) == 1:
        return f"Only {best['cell']} was measured on {name}: {figure}."
    equal = [row["cell"] for row in rows if row[PRIMARY] == best[PRIMARY] and row is not best]
    shared = f", as do {listed(equal)}" if len(equal) > 1 else f", as does {equal[0]}" if equal else ""
    return f"On {name}, {best['cell']} finds the most{shared}: {figure}, {_verdict(report, name, best['cell'])}."


def _verdict(report: BenchmarkReport, name: str, best: str) -> str:
    """Say what the tests against the reference allow to say of the best cell."""
    untested = "which was not tested against other cells"
    if report.comparisons is None:
        return untested
    tested = report.comparisons.filter(
        pl.col("question_set") == name, pl.col("measure") == PRIMARY, pl.col("p_holm").is_not_null()
    )
    if best == report.reference and tested.height:
        beaten = tested.filter(pl.col("significant"), pl.col("difference") < 0).height
        if beaten == tested.height:
            return f"significantly more than {'each of ' if beaten > 1 else ''}{_others(beaten)} after Holm’s correction"
        if beaten == 0:
            return f"but not significantly more than {'any of ' if tested.height > 1 else ''}{_others(tested.height)}"
        return f"significantly more than {beaten} of {_others(tested.height)} after Holm’s correction"
    of_best = list(tested.filter(pl.col("cell") == best).iter_rows(named=True))
    if not of_best:
        return untested
    row = of_best[0]
    difference = f"{row['difference']:+.3f}".replace("-", MINUS)
    much = "significantly more" if row["significant"] and row["difference"] > 0 else "but not significantly more"
    return f"{much} than the reference {report.reference} ({difference}, {p_is(row['p_holm'])} after Holm’s correction)"


def _others(cells: int) -> str:
    return f"the {cells} other cells" if cells > 1 else "the other cell"


def _cost(report: BenchmarkReport, rows: list[Row], best: Row) -> str:
    standard = next((row for row in rows if row["cell"] == report.reference), None)
    if standard is best and len(rows) > 1:
        return f"It is the reference itself and {_costs(best, None)}."
    return f"It {_costs(best, None if standard is best else standard)}."


def _costs(row: Row, standard: Row | None) -> str:
    """Say what a cell costs, and how many times what `standard` does."""
    known = [
        (row["build_seconds"], "build_seconds", "{} to build", duration),
        (row["search_ms"], "search_ms", "{} to search", lambda ms: f"{ms:.2f} ms"),
        (row["index_mb"], "index_mb", "{} of disk", lambda mb: f"{mb:,.2f} MB"),
    ]
    parts = []
    named = False
    for value, key, form, show in known:
        if value is not None:
            times = ""
            if standard and standard[key]:
                whose = "" if named else f" {standard['cell']}’s"
                times = f" ({ratio(value, standard[key])}{whose})"
                named = True
            parts.append(form.format(show(value)) + times)
    return f"takes {listed(parts)}" if parts else "has costs that were not measured"


def _unasked(report: BenchmarkReport) -> Answer:
    rows = list(report.table.unique("cell", maintain_order=True).iter_rows(named=True))
    if len(rows) == 1:
        finding = f"No questions were asked of {rows[0]['cell']}, the only cell, so nothing is known of what it finds."
        return Answer("", finding, f"It {_costs(rows[0], None)}.")
    said = []
    for key, words, show in (
        ("build_seconds", "quickest to build is", duration),
        ("search_ms", "quickest to search", lambda ms: f"{ms:.2f} ms"),
        ("index_mb", "smallest on disk", lambda mb: f"{mb:,.2f} MB"),
    ):
        known = [row for row in rows if row[key] is not None]
        if known:
            row = min(known, key=lambda row: float(row[key]))
            said.append(f"{words} {row['cell']} ({show(row[key])})")
    cost = f"{listed(said)}." if said else "what they cost was not measured."
    finding = f"No questions were asked, so nothing is known of which of the {len(rows)} cells finds the most."
    return Answer("", finding, f"Of them, {cost}")
