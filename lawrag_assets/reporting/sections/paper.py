"""The paper's published figures beside ours, for cells that are in both; and how the conditions differ."""

from collections.abc import Callable, Mapping

import polars as pl

from lawrag_assets.reporting.benchmark import PRIMARY, BenchmarkReport
from lawrag_assets.reporting.layout import CELL, Column, Layout, Row, Section, lay_out, number, seconds, words
from lawrag_assets.reporting.sections.published import (
    BUILD_SECONDS,
    CELLS,
    CONDITIONS,
    INDEX_MB,
    LATENCY_MS,
    RECALL,
    RECALL_IN_WORDS,
    SOURCES,
    Published,
)
from lawrag_assets.reporting.words import NOTHING, duration, facts_lines


def paper_section(report: BenchmarkReport) -> Section | None:
    """Lay the figures out side by side; None where no cell of the paper was measured on any question."""
    asked = report.table.filter(pl.col(PRIMARY).is_not_null(), pl.col("cell").is_in(CELLS))
    if asked.is_empty():
        return None
    text = (
        "What the text of Chunking German Legal Code (ASAIL 2026) states for a cell, and the same figure here. Model, questions "
        "and machine differ, so that the order of the cells compares, not the figures. Ranges are of several cells of a "
        f"family: the paper does not say which cell has which. {NOTHING} is what it shows as a bar only."
    )
    details = (
        "The paper’s tests, as here against section/flat: Friedman’s p < 0.0001; no significant difference from the other "
        "structural units (subsection, sentence, proposition), significantly better than all other strategies; RAPTOR "
        "significantly quicker to search, proposition/flat indistinguishable, most others significantly slower."
    )
    layouts = (_figures(report, asked), _conditions(report))
    return Section("paper", "Beside the paper", text, layouts, SOURCES, details)


def _figures(report: BenchmarkReport, asked: pl.DataFrame) -> Layout:
    sets = asked["question_set"].unique(maintain_order=True).to_list()
    recalls = {name: dict(asked.filter(pl.col("question_set") == name).select("cell", PRIMARY).iter_rows()) for name in sets}
    rows: list[Row] = []
    for costs in report.costs.filter(pl.col("cell").is_in(asked["cell"].implode())).iter_rows(named=True):
        row = costs | {f"R@10 on {name}": recalls[name].get(costs["cell"]) for name in sets}
        for key, published, show in _PUBLISHED:
            found = published.get(costs["cell"])
            row |= {key: found.low if found else None, f"{key} written": _text(found, show)}
        row["paper R@10 written"] = row["paper R@10 written"] or RECALL_IN_WORDS.get(costs["cell"])
        rows.append(row)
    columns = (
        CELL,
        _paper("R@10", "Figure 2; in words where the text has no figure."),
        *(
            Column(f"R@10 on {name}", "Measured here.", key, number(key, ".3f"), "max")
            for name in sets
            for key in [f"R@10 on {name}"]
        ),
        _paper("build", "Figure 4."),
        Column("build", "Measured here, as if nothing had been cached.", "build_seconds", seconds("build_seconds")),
        _paper("mean ms", "Figure 3."),
        Column("mean ms", "Mean time of a search, measured here.", "search_mean_ms", number("search_mean_ms", ".2f")),
        _paper("MB", "Figure 5."),
        Column("index MB", "Measured here.", "index_bytes", number("index_bytes", ",.2f", 1e6)),
    )
    return lay_out("", columns, rows)


_PUBLISHED: tuple[tuple[str, Mapping[str, Published], Callable[[float], str]], ...] = (
    ("paper R@10", RECALL, "{:.2f}".format),
    ("paper build", BUILD_SECONDS, duration),
    ("paper mean ms", LATENCY_MS, "{:.2f}".format),
    ("paper MB", INDEX_MB, "{:.1f}".format),
)


def _paper(what: str, note: str) -> Column:
    return Column(f"paper’s {what}", note, f"paper {what}", words(f"paper {what} written"), text=what == "R@10")


def _text(published: Published | None, show: Callable[[float], str]) -> str | None:
    if published is None:
        return None
    return show(published.low) + (f"–{show(published.high)}" if published.high is not None else "")


def _conditions(report: BenchmarkReport) -> Layout:
    here = dict(facts_lines(report.facts))
    rows: list[Row] = [{"what": what, "paper": paper, "here": here.get(what) or "not stated"} for what, paper in CONDITIONS]
    columns = [
        Column(title, "", key, words(key), text=True) for title, key in (("", "what"), ("paper", "paper"), ("here", "here"))
    ]
    return lay_out("What differs", columns, rows)
