"""The report's pictures: what they hold, and that they can be read."""

import re
import xml.etree.ElementTree as ET

import made_report as made
import polars as pl
import pytest

from lawrag_assets.reporting.benchmark import benchmark_report
from lawrag_assets.reporting.figures.axis import duration_axis, linear_axis
from lawrag_assets.reporting.figures.contents import figures
from lawrag_assets.reporting.figures.marks import looks
from lawrag_assets.reporting.figures.pareto import front
from lawrag_assets.reporting.figures.svg import Figure

TITLES = ["Recall", "Recall against build time", "Base unit by strategy", "Latency", "Build time", "Size of the index"]


def pictures(figure: Figure) -> list[ET.Element]:
    return [ET.fromstring(picture) for picture in (figure.wide, figure.narrow)]


@pytest.mark.parametrize("cells", [made.PAPER_21, made.ALL], ids=len)
def test_every_figure_holds_every_cell(cells: made.Cells) -> None:
    drawn = figures(made.full_report(cells))
    assert [figure.title for figure in drawn] == TITLES
    for figure in drawn:
        for picture in pictures(figure):
            told = {(title.text or "").split(":")[0] for title in picture.iter("title")}
            assert {"/".join(cell) for cell in cells} <= told


def test_few_cells_have_the_figures_that_say_something() -> None:
    assert [figure.title for figure in figures(made.full_report(made.THREE))] == [
        title for title in TITLES if "strategy" not in title
    ]
    assert figures(made.full_report(made.THREE[:1])) == []


@pytest.mark.parametrize("cells", [made.THREE, made.PAPER_21, made.ALL], ids=len)
def test_everything_is_drawn_inside_the_picture(cells: made.Cells) -> None:
    for figure in figures(made.full_report(cells)):
        for picture in pictures(figure):
            _, _, width, height = map(float, picture.attrib["viewBox"].split())
            for element in picture.iter():
                for name, most in (("x", width), ("cx", width), ("y", height), ("cy", height)):
                    assert 0 <= float(element.get(name, 0)) <= most, (figure.title, element.attrib)
            ranges = re.findall(r'd="M([\d.]+) [\d.]+H([\d.]+)"', ET.tostring(picture, "unicode"))
            assert all(0 <= float(begin) <= float(end) <= width for begin, end in ranges)


def test_a_cell_without_figures_keeps_its_row() -> None:
    costs = made.costs(made.THREE).with_columns(
        pl.when(pl.col("base_unit") == "subsection").then(None).otherwise(pl.col(name)).alias(name)
        for name in ("build_seconds", "search_ms", "index_bytes")
    )
    drawn = {figure.title: figure for figure in figures(benchmark_report(made.FACTS, made.summaries(made.THREE), costs))}
    for title in ("Latency", "Build time", "Size of the index"):
        assert "subsection/flat: –" in drawn[title].wide


def test_times_of_zero_have_no_logarithm() -> None:
    costs = made.costs(made.THREE).with_columns(build_seconds=pl.Series([0.0, 5.0, 50.0]), warm_seconds=pl.lit(0.0))
    drawn = {figure.title: figure for figure in figures(benchmark_report(made.FACTS, made.summaries(made.THREE), costs))}
    assert "section/flat: –" in drawn["Build time"].wide


def test_names_in_pictures_are_text() -> None:
    cells = [("section", "flat"), ("section", "<b>&\"'"), ("subsection", "flat")]
    for figure in figures(made.full_report(cells)):
        assert "<b>" not in figure.wide
        pictures(figure)


def test_several_question_sets_have_their_own_figures_of_recall() -> None:
    both = pl.concat([made.summaries(made.THREE), made.summaries(made.THREE).with_columns(question_set=pl.lit("other"))])
    titles = [figure.title for figure in figures(benchmark_report(made.FACTS, both, made.costs(made.THREE)))]
    assert [title for title in titles if title.startswith("Recall on")] == [f"Recall on {made.SET}", "Recall on other"]


def test_the_front_holds_what_no_other_beats() -> None:
    rows = [
        {"cell": cell, "build_seconds": seconds, "R@10": recall}
        for cell, seconds, recall in [
            ("a", 1, 0.2),
            ("b", 2, 0.1),
            ("c", 3, 0.4),
            ("d", 3, 0.3),
            ("e", 9, 0.4),
            ("f", 10, 0.5),
            ("g", 10, 0.5),
        ]
    ]
    assert [row["cell"] for row in front(rows)] == ["a", "c", "f", "g"]


def test_strategies_are_told_apart_by_colour_and_shape() -> None:
    made_looks = looks([f"strategy {i}" for i in range(42)])
    assert len(set(made_looks.values())) == 42
    seven = list(made_looks.values())[:6]
    assert len({look.colour for look in seven}) == len({look.shape for look in seven}) == 6


@pytest.mark.parametrize(
    ("values", "ticks"),
    [
        ([0.21, 0.47], ["0.2", "0.3", "0.4", "0.5"]),
        ([0.452, 0.47], ["0.450", "0.455", "0.460", "0.465", "0.470"]),
        ([0.3], ["0.24", "0.26", "0.28", "0.30", "0.32", "0.34", "0.36"]),
        ([0.0, 0.0], ["0.00", "0.01", "0.02", "0.03", "0.04", "0.05"]),
    ],
)
def test_linear_axes_have_round_ticks(values: list[float], ticks: list[str]) -> None:
    axis = linear_axis(values, from_zero=False)
    assert [words for _, words in axis.ticks] == ticks
    assert all(0 <= axis.share(value) <= 1 for value in values)


@pytest.mark.parametrize(
    ("values", "ticks"),
    [
        ([44, 42_060], ["10 s", "1 m", "10 m", "1 h", "10 h", "100 h"]),
        ([0.2, 0.3], ["0.1 s", "1 s"]),
        ([60.0], ["1 m", "10 m"]),
        ([1e-5, 2e8], ["0.001 s", "0.01 s", "0.1 s", "1 s", "10 s", "1 m", "10 m", "1 h", "10 h", "100 h", "1000 h"]),
    ],
)
def test_axes_of_durations(values: list[float], ticks: list[str]) -> None:
    axis = duration_axis(values)
    assert [words for _, words in axis.ticks] == ticks
    assert all(0 <= axis.share(value) <= 1 for value in values)
