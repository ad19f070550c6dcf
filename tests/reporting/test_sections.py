"""What the report's parts say."""

import made_report as made
import polars as pl
import pytest

from lawrag_assets.chunking.cells import PAPER_CELLS
from lawrag_assets.evaluation.failures import CAUSES
from lawrag_assets.evaluation.measures import SUMMARY_SCHEMA
from lawrag_assets.evaluation.multi_hop import MULTI_HOP_SCHEMA
from lawrag_assets.evaluation.significance import COMPARISON_SCHEMA, REFERENCE
from lawrag_assets.reporting import benchmark, frames
from lawrag_assets.reporting.benchmark import BenchmarkReport, benchmark_report
from lawrag_assets.reporting.frames import COMPARISONS_SCHEMA, SUMMARIES_SCHEMA
from lawrag_assets.reporting.layout import Section
from lawrag_assets.reporting.markdown import to_markdown
from lawrag_assets.reporting.sections.causes import CAUSE_NOTES
from lawrag_assets.reporting.sections.contents import sections
from lawrag_assets.reporting.sections.published import BUILD_SECONDS, CELLS, INDEX_MB, LATENCY_MS, RECALL, RECALL_IN_WORDS
from lawrag_assets.reporting.words import duration, p_text, ratio

ALL_SECTIONS = ["cells", "costs", "significance", "subsets", "aggregations", "paper", "chunking", "failures", "sources"]


def named(report: BenchmarkReport) -> dict[str, Section]:
    return {section.anchor: section for section in sections(report)}


def texts(section: Section, table: int = 0) -> list[dict[str, str]]:
    layout = section.layouts[table]
    titles = [column.title for column in layout.columns]
    return [dict(zip(titles, [shown.text for shown in row], strict=True)) for row in layout.rows]


def test_schemas_fit_those_of_the_rooms_that_measure() -> None:
    assert {**SUMMARY_SCHEMA, "base_unit": pl.String, "strategy": pl.String, "subset": pl.String} == dict(SUMMARIES_SCHEMA)
    assert {"question_set": pl.String, "measure": pl.String, **COMPARISON_SCHEMA} == dict(COMPARISONS_SCHEMA)
    assert MULTI_HOP_SCHEMA == frames.MULTI_HOP_SCHEMA
    assert benchmark.REFERENCE == REFERENCE
    assert tuple(CAUSE_NOTES) == CAUSES
    assert set(CELLS) == {str(cell) for cell in PAPER_CELLS}


def test_all_there_is_to_say_in_order() -> None:
    assert list(named(made.full_report(made.PAPER_21))) == ALL_SECTIONS
    bare = benchmark_report(
        made.FACTS,
        made.summaries(made.THREE, ("max",)).drop("subset").unique(maintain_order=True).head(0),
        made.costs(made.THREE),
    )
    assert list(named(bare)) == ["cells", "costs"]


def test_significance_is_said_in_words_and_figures() -> None:
    section = named(made.full_report(made.PAPER_21))["significance"]
    assert [layout.title for layout in section.layouts] == [f"R@10 on {made.SET}", f"search ms on {made.SET}"]
    assert section.layouts[0].text == (
        "Friedman’s test over all cells: the cells differ (χ² = 812.4, p < 0.0001, Kendall’s W = 0.02). "
        "Of the 20 other cells, 0 are significantly better than section/flat and 16 significantly worse."
    )
    assert "0 are significantly slower than section/flat and 16 significantly quicker" in section.layouts[1].text
    rows = texts(section)
    assert rows[0] | {"mean": ""} == dict.fromkeys(rows[0], "–") | {
        "cell": "section/flat",
        "mean": "",
        "significant": "reference",
    }
    last = rows[-1]
    assert (last["cell"], last["significant"], last["p"], last["won"]) == ("window_256_64/flat", "less", "0.0001", "300")
    assert last["difference"].startswith("−0.1")
    assert " to −0." in last["95 % interval"]


def test_no_friedman_where_it_was_not_tested() -> None:
    report = benchmark_report(
        made.FACTS, made.summaries(made.THREE), made.costs(made.THREE), comparisons=made.comparisons(made.THREE)
    )
    assert named(report)["significance"].layouts[0].text.startswith("Of the 2 other cells")


def test_subsets_have_a_column_each() -> None:
    rows = texts(named(made.full_report(made.THREE))["subsets"])
    assert [row["cell"] for row in rows] == ["section/flat", "subsection/flat", "window_128_32/flat"]
    assert float(rows[0]["lang=de"]) == pytest.approx(float(rows[0]["lang=en"]) + 0.11, abs=0.0011)


def test_the_main_table_holds_no_subsets() -> None:
    report = made.full_report(made.THREE)
    assert report.table.height == 3
    assert report.table["R@10"].to_list() == pytest.approx(list(made.recalls(made.THREE).values()))


def test_the_papers_figures_stand_beside_ours() -> None:
    section = named(made.full_report(made.PAPER_21))["paper"]
    rows = {row["cell"]: row for row in texts(section)}
    assert len(rows) == 21
    assert rows["subsection/flat"]["paper’s R@10"] == "0.47"
    assert rows["subsection/flat"]["paper’s build"] == "2 m 57 s"
    assert rows["subsection/flat"]["paper’s MB"] == "62.1"
    assert rows["subsection/flat"]["build"] == "2 m 54 s"
    assert rows["sentence/raptor"]["paper’s build"] == "3 h 4 m–5 h 51 m"
    assert rows["sentence/raptor"]["paper’s mean ms"] == "2.00–2.30"
    assert rows["window_256_64/flat"]["paper’s R@10"] == "lowest"
    assert rows["window_64_16/flat"]["paper’s build"] == "–"
    differs = {row[""]: row for row in texts(section, 1)}
    assert differs["Machine"] == {"": "Machine", "paper": "not stated", "here": "2 cores, x86-64"}
    assert [address[-6:] for _, address in section.sources] == ["#S4.F2", "#S4.F3", "#S4.F4", "#S4.F5"]


def test_no_paper_where_no_cell_of_it_was_measured() -> None:
    others = [("section", "raptor"), ("window_16_4", "lumber")]
    assert "paper" not in named(benchmark_report(made.FACTS, made.summaries(others), made.costs(others)))


def test_published_figures_are_of_the_papers_cells() -> None:
    for figures in (RECALL, RECALL_IN_WORDS, BUILD_SECONDS, LATENCY_MS, INDEX_MB):
        assert set(figures) <= set(CELLS)
    assert set(RECALL) | set(RECALL_IN_WORDS) == set(CELLS)


def test_causes_are_counted_over_all_misses() -> None:
    report = made.full_report(made.THREE, 40)
    rows = texts(named(report)["failures"])
    assert [row["missed"] for row in rows] == ["40", "40", "40"]
    assert all(sum(int(count) for name, count in row.items() if name not in ("cell", "missed")) == 40 for row in rows)


def test_costs_show_only_what_was_measured() -> None:
    costs = made.costs(made.THREE).with_columns(cost_usd=pl.lit(None, pl.Float64), scan_ms=pl.lit(None, pl.Float64))
    section = named(benchmark_report(made.FACTS, made.summaries(made.THREE), costs))["costs"]
    assert "USD" not in texts(section)[0]
    assert "scan ms" not in texts(section, 1)[0]
    assert texts(section, 1)[0]["bytes a chunk"] == "1,600"


def test_a_column_whose_figures_all_read_the_same_has_no_best() -> None:
    section = named(made.full_report(made.THREE))["costs"]
    last = [row[-1] for row in section.layouts[1].rows]
    assert [shown.best for shown in last] == [False] * 3


def test_markdown_says_it_all() -> None:
    text = to_markdown(made.full_report(made.PAPER_21))
    for section in sections(made.full_report(made.PAPER_21)):
        assert f"\n## {section.title}\n" in text
    assert text.startswith("# Benchmark\n\nOn gerlayqa_bgb_dev, section/flat finds the most")


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "0 s"), (0.0123, "0.012 s"), (0.1, "0.1 s"), (9.96, "10 s"), (51, "51 s"), (59.6, "1 m 0 s"), (177, "2 m 57 s"),
        (3599.7, "1 h 0 m"), (11_040, "3 h 4 m"), (42_060, "11 h 41 m"), (3_600_000, "1,000 h 0 m"),
    ],
)  # fmt: skip
def test_durations(seconds: float, words: str) -> None:
    assert duration(seconds) == words


def test_ratios_and_p_values() -> None:
    assert [ratio(value, 2) for value in (2, 7, 0.5, 19.95, 246, 0.02)] == [
        *("1.0 times", "3.5 times", "0.2 times", "10 times", "123 times", "0.01 times")
    ]
    assert [p_text(p) for p in (0.0, 0.00009, 0.0001, 0.0123, 0.5, 1.0)] == [
        "< 0.0001",
        "< 0.0001",
        "0.0001",
        "0.012",
        "0.5",
        "1",
    ]
