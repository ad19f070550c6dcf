"""The benchmark report: its table, and every form it takes."""

import io
import re
from html.parser import HTMLParser
from pathlib import Path

import polars as pl
import pytest
from rich.console import Console

from lawrag_assets.evaluation.measures import MEASURES, SUMMARY_SCHEMA
from lawrag_assets.reporting.benchmark import (
    BenchmarkReport,
    Facts,
    LawFacts,
    QuestionSetFacts,
    benchmark_report,
)
from lawrag_assets.reporting.files import write_report
from lawrag_assets.reporting.frames import COSTS_SCHEMA
from lawrag_assets.reporting.markdown import to_markdown
from lawrag_assets.reporting.page import to_html
from lawrag_assets.reporting.sections.published import PAPER
from lawrag_assets.reporting.terminal import print_report

CELLS = {("section", "flat"): 0.2, ("subsection", "flat"): 0.3, ("window_128_32", "flat"): 0.25}
SET = "sample_questions"


def summaries(recalls: dict[tuple[str, str], float], *, aggregations: tuple[str, ...] = ("max", "sum")) -> pl.DataFrame:
    rows = [
        (SET, "dense", aggregation, measure, value, value - 0.05, value + 0.05, 80, base_unit, strategy)
        for (base_unit, strategy), recall in recalls.items()
        for place, aggregation in enumerate(aggregations)
        for value_of_place in [recall - 0.1 * place]
        for measure in MEASURES
        for value in [value_of_place + (0.5 if measure == "R@25" else 0)]
    ]
    return pl.DataFrame(rows, schema={**SUMMARY_SCHEMA, "base_unit": pl.String, "strategy": pl.String}, orient="row")


def costs(cells: dict[tuple[str, str], float]) -> pl.DataFrame:
    """What is known of cells at least; the rest is null."""
    rows = [
        {
            "base_unit": base_unit,
            "strategy": strategy,
            "chunks": 1_000 * (i + 1),
            "build_seconds": 12.34 * 10**i,
            "search_ms": 0.2 * (i + 1),
            "index_bytes": 2_500_000 * (i + 1),
        }
        for i, (base_unit, strategy) in enumerate(cells)
    ]
    return pl.DataFrame(rows, schema=COSTS_SCHEMA)


FACTS = Facts(
    laws=(LawFacts("BGB", "2025-02-06", 2_470), LawFacts("ArbZG", "2024-10-23", 29)),
    question_sets=(QuestionSetFacts(SET, answerable=80, unanswerable=30, unknown_gold=2),),
    model="tiny-model",
    generator="extractive (rules, no language model)",
    date="2026-11-30",
)


@pytest.fixture
def report() -> BenchmarkReport:
    return benchmark_report(FACTS, summaries(CELLS), costs(CELLS))


class Rows(HTMLParser):
    """Cells of all tables of a page, row by row, and its headings."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.classes: list[list[str]] = []
        self.inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "tr":
            self.rows.append([])
            self.classes.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")
            self.classes[-1].append(dict(attrs).get("class") or "")
            self.inside = True

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th"):
            self.inside = False

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.rows[-1][-1] += data.strip()


def rows_of(page: str) -> Rows:
    rows = Rows()
    rows.feed(page)
    return rows


def test_the_table_holds_figures_and_costs_of_every_cell(report: BenchmarkReport) -> None:
    table = report.table
    assert table["cell"].to_list() == ["section/flat", "subsection/flat", "window_128_32/flat"]
    row = {name: value for name, value in table.row(1, named=True).items() if value is not None}
    assert row == pytest.approx(
        {
            "question_set": SET,
            "cell": "subsection/flat",
            "R@10": 0.3,
            "R@10 low": 0.25,
            "R@10 high": 0.35,
            "R@1": 0.3,
            "R@5": 0.3,
            "R@25": 0.8,
            "R@100": 0.3,
            "RR@10": 0.3,
            "nDCG@10": 0.3,
            "Success@10": 0.3,
            "chunks": 2_000,
            "build_seconds": 123.4,
            "search_ms": 0.4,
            "index_mb": 5.0,
            "R@10 sum": 0.2,
        }
    )


def test_a_cell_not_measured_on_a_set_has_no_row_there() -> None:
    other = summaries({("section", "flat"): 0.4}).with_columns(question_set=pl.lit("other"))
    table = benchmark_report(FACTS, pl.concat([summaries(CELLS), other]), costs(CELLS)).table
    assert table.select("question_set", "cell").rows()[2:] == [(SET, "window_128_32/flat"), ("other", "section/flat")]


def test_markdown_has_figures_marks_and_meanings(report: BenchmarkReport) -> None:
    lines = to_markdown(report).splitlines()
    assert "- **Laws**: BGB (2,470 sections, build 2025-02-06), ArbZG (29 sections, build 2024-10-23)" in lines
    assert "- **Sections in force**: 2,499" in lines
    assert any(line.startswith("80 answerable questions measured, 30 unanswerable ones left out; 2 gold") for line in lines)
    measures = "**0.300** | 0.250–0.350 | **0.300** | **0.300** | **0.800** | **0.300** | **0.300** | **0.300** | **0.300**"
    figures = f"{measures} | 2,000 | 123 | 0.40 | 5.00"
    assert f"| subsection/flat | {figures} |" in lines
    assert "| section/flat | **0.200** | 0.100 |" in lines  # max beside sum
    headings = next(line for line in lines if line.startswith("| cell | R@10")).strip("| ").split(" | ")
    assert all(any(line.startswith(f"- **{heading}**: ") for line in lines) for heading in headings)


def test_all_that_read_like_the_best_are_marked() -> None:
    close = {("section", "flat"): 0.30001, ("subsection", "flat"): 0.30002, ("sentence", "flat"): 0.29}
    lines = to_markdown(benchmark_report(FACTS, summaries(close), costs(close))).splitlines()
    assert [line.split(" | ")[1] for line in lines if line.startswith("| ") and "/flat" in line][:3] == [
        "**0.300**",
        "**0.300**",
        "0.290",
    ]


def test_a_single_cell_is_not_the_best_of_anything() -> None:
    alone = {("section", "flat"): 0.3}
    single = benchmark_report(FACTS, summaries(alone, aggregations=("max",)), costs(alone))
    assert "**0.300**" not in to_markdown(single)
    assert "Aggregations compared" not in to_markdown(single)
    assert 'class="best"' not in to_html(single)
    assert "<svg" not in to_html(single)


def test_csv_holds_the_unrounded_figures(report: BenchmarkReport, tmp_path: Path) -> None:
    paths = write_report(report, tmp_path / "reports")
    read = pl.read_csv(paths.csv, schema=report.table.schema)
    assert read.equals(report.table)
    assert pl.read_parquet(paths.parquet).equals(report.table)


def test_the_page_shows_the_same_figures(report: BenchmarkReport) -> None:
    rows = rows_of(to_html(report))
    assert rows.rows[0][:3] == ["cell", "R@10", "95 % interval"]
    assert rows.rows[2] == [
        *("subsection/flat", "0.300", "0.250–0.350", "0.300", "0.300", "0.800", *["0.300"] * 4),
        *("2,000", "123", "0.40", "5.00"),
    ]
    assert rows.classes[2][:4] == ["text", "best", "", "best"]
    compared = rows.rows.index(["cell", "max", "sum"])
    assert rows.rows[compared + 1 : compared + 4] == [
        ["section/flat", "0.200", "0.100"],
        ["subsection/flat", "0.300", "0.200"],
        ["window_128_32/flat", "0.250", "0.150"],
    ]


def test_the_page_needs_nothing_else(report: BenchmarkReport) -> None:
    page = to_html(report)
    assert not re.findall(r"<script[^>]+src|@import|url\(|<img|<iframe|<link rel=\"stylesheet|fetch\(|XMLHttp", page)
    assert set(re.findall(r'(?:href|src)="(?!#|data:,)([^"]+)"', page)) == {f"{PAPER}#S4.F{figure}" for figure in (2, 3, 4, 5)}
    assert "default-src 'none'" in page
    assert "prefers-color-scheme: dark" in page


def test_names_are_text_not_markup() -> None:
    facts = Facts(laws=(), question_sets=(), model="<script>|a*b</script>", generator="rules", date="2026-11-30")
    strange = benchmark_report(facts, summaries(CELLS).with_columns(question_set=pl.lit("<b>|set")), costs(CELLS))
    page = to_html(strange)
    assert "<script>|a" not in page
    assert "&lt;script&gt;|a" in page
    assert "&lt;b&gt;|set" in page
    assert "\\<b\\>\\|set" in to_markdown(strange)


def test_the_other_way_through_a_tree_stands_beside_the_aggregations() -> None:
    measured = summaries(CELLS)
    first = measured["aggregation"][0]
    other = measured.filter(pl.col("base_unit") == "section", pl.col("aggregation") == first)
    other = other.with_columns(retriever=pl.lit("dense_collapsed"), mean=pl.lit(0.125))
    report = benchmark_report(FACTS, pl.concat([measured, other]), costs(CELLS))
    assert report.table["R@10 collapsed tree"].to_list() == [0.125, None, None]
    assert report.table["R@10"].to_list() == benchmark_report(FACTS, measured, costs(CELLS)).table["R@10"].to_list()
    assert "collapsed tree" in to_markdown(report)


def test_figures_that_are_missing_are_dashes() -> None:
    lacking = summaries(CELLS).with_columns(low=pl.lit(None, dtype=pl.Float64), high=pl.lit(None, dtype=pl.Float64))
    unknown = costs(CELLS).with_columns(build_seconds=pl.Series([None, 5.0, 6.0]), search_ms=pl.lit(None, dtype=pl.Float64))
    report = benchmark_report(FACTS, lacking, unknown)
    heads, row = rows_of(to_html(report)).rows[:2]
    assert row[heads.index("build s")] == "–"
    assert not {"95 % interval", "search ms"} & set(heads)  # no cell has them


def test_nothing_measured_makes_a_report_of_facts() -> None:
    report = benchmark_report(FACTS, summaries({}), costs({}))
    assert "tiny-model" in to_html(report)
    assert "tiny-model" in to_markdown(report)


def test_cells_that_nothing_was_asked_of_are_listed_with_what_they_cost() -> None:
    report = benchmark_report(FACTS, summaries({}), costs(CELLS))
    assert report.table["cell"].to_list() == ["section/flat", "subsection/flat", "window_128_32/flat"]
    assert report.table["R@10"].null_count() == 3
    assert "no questions" in to_markdown(report)


def test_the_same_figures_make_the_same_files(report: BenchmarkReport, tmp_path: Path) -> None:
    first = write_report(report, tmp_path / "a")
    second = write_report(benchmark_report(FACTS, summaries(CELLS), costs(CELLS)), tmp_path / "b")
    for one, two in ((first.html, second.html), (first.markdown, second.markdown), (first.csv, second.csv)):
        assert one.read_bytes() == two.read_bytes()
    assert sorted(path.name for path in (tmp_path / "a").iterdir()) == [
        *("benchmark-costs.csv", "benchmark-costs.parquet"),
        *("benchmark.csv", "benchmark.html", "benchmark.md", "benchmark.parquet"),
    ]


@pytest.mark.parametrize("name", ["window_128_32/flat", "subsection/semantic_cluster", "proposition/semantic_cluster"])
def test_the_terminal_shows_whole_names_and_figures_in_80_columns(report: BenchmarkReport, name: str) -> None:
    output = io.StringIO()
    table = report.table.with_columns(pl.col("cell").replace("window_128_32/flat", name))
    print_report(table, Console(file=output, width=80))
    lines = output.getvalue().splitlines()
    assert any("R@10" in line and "chunks" in line for line in lines)
    row = next(line for line in lines if line.startswith(name))
    assert row.split() == [name, "0.250", "0.200–0.300", "3,000", "1,234", "0.60", "7.50"]
