"""The report as files and in a browser: what is embedded, that nothing is markup, that it works and opens quickly."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import made_report as made
import polars as pl
import pytest
from browser import console_errors, needs_browser, open_page
from playwright.sync_api import Page

from lawrag_assets.reporting import failures as failures_module
from lawrag_assets.reporting.benchmark import benchmark_report
from lawrag_assets.reporting.failures import misses
from lawrag_assets.reporting.files import write_report
from lawrag_assets.reporting.frames import FAILURES_SCHEMA
from lawrag_assets.reporting.page import to_html

HUGE = (made.PAPER_45, 2_154)
"""As many cells as there is room for all misses of; of more cells fewer are shown."""


def embedded(page: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="misses-data">(.*?)</script>', page, re.DOTALL)
    assert found
    document: dict[str, Any] = json.loads(found[1])
    return document


def rows_of(document: dict[str, Any]) -> pl.DataFrame:
    table = pl.DataFrame(document["rows"], schema=document["columns"], orient="row")
    texts = [name for name, kind in FAILURES_SCHEMA.items() if kind == pl.String]
    return table.with_columns(
        pl.Series(name, [None if place is None else document["texts"][place] for place in table[name]], dtype=pl.String)
        for name in texts
    )


@pytest.mark.parametrize("cells", [made.THREE, made.PAPER_21, made.ALL], ids=len)
def test_two_reports_of_the_same_frames_are_the_same_bytes(cells: made.Cells, tmp_path: Path) -> None:
    for folder in ("a", "b"):
        write_report(made.full_report(cells), tmp_path / folder)
    names = sorted(path.name for path in (tmp_path / "a").iterdir())
    assert len(names) == 4 + 2 * 7 - 1
    for name in names:
        assert (tmp_path / "a" / name).read_bytes() == (tmp_path / "b" / name).read_bytes(), name


def test_frames_lie_beside_the_page_and_leave_with_it(tmp_path: Path) -> None:
    report = made.full_report(made.THREE)
    write_report(report, tmp_path, "report")
    assert report.failures is not None
    assert pl.read_parquet(tmp_path / "report-failures.parquet").equals(report.failures)
    assert not (tmp_path / "report-failures.csv").exists()
    assert pl.read_csv(tmp_path / "report-comparisons.csv").height == 6
    write_report(benchmark_report(made.FACTS, made.summaries(made.THREE, ("max",)), made.costs(made.THREE)), tmp_path, "report")
    left = sorted(path.stem for path in tmp_path.glob("*.parquet"))
    assert left == ["report", "report-costs", "report-subsets"]


def test_the_page_has_all_misses_where_they_are_few() -> None:
    report = made.full_report(made.THREE, 40)
    page = to_html(report)
    assert "All 120 misses." in page
    assert report.failures is not None
    shown = rows_of(embedded(page))
    assert shown.drop("overlap", "gold_text", "found_text").equals(
        report.failures.drop("overlap", "gold_text", "found_text").cast(
            {"rank": shown["rank"].dtype, "length": shown["length"].dtype}
        )
    )


def test_misses_beyond_what_a_page_holds_are_spread_evenly_and_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(failures_module, "_ROWS_A_CELL", 10)
    page = to_html(made.full_report(made.THREE, 40))
    assert "30 of 120 misses" in page
    assert "at most 10 of each cell and question set" in page
    shown = rows_of(embedded(page))
    assert shown.group_by("cell").len()["len"].to_list() == [10, 10, 10]
    assert shown.filter(pl.col("cell") == "section/flat")["query"].to_list() == [f"q{i}" for i in range(3, 40, 4)]


def test_misses_with_long_texts_are_fewer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(failures_module, "_BUDGET", 40_000)
    table = made.failures(made.THREE, 400).with_columns(gold_text=pl.col("gold_text") + pl.col("query"))
    chosen = misses(table)
    assert len(chosen.json) <= 40_000
    assert 0 < chosen.shown <= 3 * chosen.a_cell < chosen.total


def test_long_texts_are_cut() -> None:
    table = made.failures(made.THREE[:1], 1).with_columns(gold_text=pl.lit("x" * 5_000))
    assert max(map(len, json.loads(misses(table).json)["texts"])) == 701


def test_names_and_texts_are_no_markup_anywhere() -> None:
    evil = "</script><img src=x onerror=alert(1)>"
    cells = [("section", "flat"), ("section", evil), ("subsection", "flat"), ("subsection", evil)]
    failures = made.failures(cells, 3).with_columns(
        *(pl.lit(evil).alias(name) for name in ("question", "cause", "gold", "found", "gold_text", "chapter"))
    )
    report = benchmark_report(
        made.FACTS,
        made.summaries(cells).with_columns(question_set=pl.lit(evil), subset=pl.col("subset").str.replace("lang=de", evil)),
        made.costs(cells),
        chunking=made.chunking(cells),
        comparisons=made.comparisons(cells).with_columns(question_set=pl.lit(evil)),
        friedman=made.friedman(),
        failures=failures,
    )
    page = to_html(report)
    assert "<img" not in page
    assert page.count("</script>") == page.count("<script")
    assert evil in rows_of(embedded(page))["question"].to_list()


def test_no_failures_no_browser() -> None:
    report = benchmark_report(made.FACTS, made.summaries(made.THREE), made.costs(made.THREE), failures=FAILURES_SCHEMA.to_frame())
    page = to_html(report)
    assert 'id="misses"' not in page


@pytest.fixture(scope="module")
def huge(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_report(made.full_report(*HUGE), tmp_path_factory.mktemp("report")).html


@pytest.fixture(params=[("light", 1280), ("dark", 400)], ids=["light, wide", "dark, narrow"])
def page(request: pytest.FixtureRequest) -> Iterator[Page]:
    scheme, width = request.param
    with open_page(width=width, color_scheme=scheme) as opened:
        yield opened


@pytest.mark.slow
@needs_browser
def test_the_page_works(huge: Path, page: Page) -> None:
    """45 cells × 2,154 misses: opens (`pytest -s` says how fast), asks for nothing, shows its pictures, sorts, pages."""
    assert huge.stat().st_size <= 15_000_000
    errors, requests = console_errors(page), []
    page.on("request", lambda request: requests.append(request.url))
    page.goto(huge.as_uri())
    took = page.evaluate("performance.getEntriesByType('navigation')[0].duration")
    print(f"opened in {took:.0f} ms")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")

    pictures = page.locator("figure svg:visible")
    assert pictures.count() == 6
    for place in range(6):
        box = pictures.nth(place).bounding_box()
        assert box
        assert box["width"] > 300
        assert box["height"] > 200

    heading = page.locator("#cells th", has_text="build s")
    cells = page.locator("#cells tbody th")
    assert cells.first.inner_text() == "section/flat"
    heading.get_by_role("button").focus()
    page.keyboard.press("Enter")
    assert heading.get_attribute("aria-sort") == "descending"
    built = [float(text.replace(",", "")) for text in page.locator("#cells tbody td:nth-child(12)").all_inner_texts()]
    assert built == sorted(built, reverse=True)
    assert len(built) == 45
    page.keyboard.press("Enter")
    assert heading.get_attribute("aria-sort") == "ascending"
    assert cells.first.inner_text() == "section/flat"

    assert page.locator("#browser table").count() == 0  # not yet read
    page.locator("#misses").scroll_into_view_if_needed()
    page.locator("#browser table").wait_for()
    status = page.locator("#browser [role=status]")
    assert status.inner_text() == "1–25 of 2154"
    page.get_by_role("button", name="Next").click()
    assert status.inner_text() == "26–50 of 2154"
    page.get_by_role("button", name="Back").click()
    page.get_by_label("Cell").select_option("window_256_64/raptor")
    page.get_by_label("Cause").select_option("linked to a found one")
    assert set(page.locator("#browser tbody td:nth-child(3)").all_inner_texts()) == {"linked to a found one"}
    page.locator("#browser .question button").first.click()
    assert "window_256_64/raptor" in page.locator("#browser .texts").inner_text()
    page.get_by_role("searchbox").fill("no such words")
    assert status.inner_text() == "none"
    assert errors == []
    assert [url for url in requests if not url.startswith(("file:", "data:"))] == []


@pytest.mark.slow
@needs_browser
def test_figures_that_are_missing_come_last_however_sorted(tmp_path: Path, page: Page) -> None:
    costs = made.costs(made.THREE).with_columns(search_ms=pl.Series([None, 0.2, 0.1]))
    report = benchmark_report(made.FACTS, made.summaries(made.THREE), costs)
    page.goto(write_report(report, tmp_path).html.as_uri())
    button = page.locator("#cells th", has_text="search ms").get_by_role("button")
    orders = []
    for _ in range(2):
        button.click()
        orders.append(page.locator("#cells tbody th").all_inner_texts())
    assert orders == [
        ["subsection/flat", "window_128_32/flat", "section/flat"],
        ["window_128_32/flat", "subsection/flat", "section/flat"],
    ]
