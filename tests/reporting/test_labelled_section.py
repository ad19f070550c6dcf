"""What the report says of retrievers that learn from labels."""

from dataclasses import replace

import polars as pl
from made_report import full_report

from lawrag_assets.reporting.labelled import EXPOSURE_SCHEMA, STEPS_SCHEMA, SUPERVISED_SCHEMA, LabelledFigures
from lawrag_assets.reporting.layout import Layout
from lawrag_assets.reporting.markdown import to_markdown
from lawrag_assets.reporting.sections.labelled import labelled_section
from lawrag_assets.reporting.sections.retrievers import retrievers_section

CELLS = [("section", "flat"), ("subsection", "flat")]
FIGURES = LabelledFigures(
    supervised=pl.DataFrame(
        [
            ("dev", "popularity", 0.18, 0.16, 0.20, 0.2, 0.178, 2_154, 170),
            ("dev", "learned", 0.57, 0.55, 0.59, 0.7, 0.56, 2_154, 170),
            ("dev", "learned_reserving_1", 0.56, 0.54, 0.58, 0.69, 0.55, 2_154, 170),
        ],
        schema=SUPERVISED_SCHEMA,
        orient="row",
    ),
    steps=pl.DataFrame(
        [
            ("dev", "section/flat dense", 0.13, None, None, None, None, None, None, None),
            ("dev", "section/flat fused", 0.22, None, 0.09, 0.07, 0.11, 0.0001, 0.0002, True),
            ("dev", "learned", None, 0.57, 0.35, 0.33, 0.37, 0.0001, 0.0002, True),
        ],
        schema=STEPS_SCHEMA,
        orient="row",
    ),
    exposure=pl.DataFrame(
        [("dev", "learned", "0", 300, 0.04), ("dev", "learned", "30+", 900, 0.9), ("dev", "popularity", "0", 300, 0.0)],
        schema=EXPOSURE_SCHEMA,
        orient="row",
    ),
    left_out=3,
)


def texts(layout: Layout) -> list[list[str]]:
    return [[shown.text for shown in row] for row in layout.rows]


def test_figures_with_and_without_labels_never_stand_in_one_column() -> None:
    section = labelled_section(FIGURES)
    assert section is not None
    steps = section.layouts[1]
    titles = [column.title for column in steps.columns]
    without, with_labels = titles.index("R@10 without labels"), titles.index("R@10 with labels")
    assert [row[without] for row in texts(steps)] == ["0.130", "0.220", "–"]
    assert [row[with_labels] for row in texts(steps)] == ["–", "–", "0.570"]


def test_near_duplicates_that_were_left_out_are_counted() -> None:
    section = labelled_section(FIGURES)
    assert section is not None
    assert "3 training questions were left out" in section.text
    none = labelled_section(replace(FIGURES, left_out=0))
    assert none is not None
    assert "No training question was the same" in none.text


def test_exposure_has_a_column_a_band_and_says_what_was_not_measured() -> None:
    section = labelled_section(FIGURES)
    assert section is not None
    assert texts(section.layouts[2]) == [["learned", "0.040", "0.900"], ["popularity", "0.000", "–"]]


def test_without_figures_there_is_no_such_section() -> None:
    assert labelled_section(None) is None


def test_the_report_holds_both_sections_in_markdown() -> None:
    report = full_report(CELLS)
    figures = pl.DataFrame(
        [("dev", f"{unit}/flat", retriever, 0.1, 0.1, 0.1) for unit, _ in CELLS for retriever in ("dense", "fused")],
        schema=["question_set", "cell", "retriever", "mean", "low", "high"],
        orient="row",
    )
    whole = replace(report, retrievers=figures, labelled=FIGURES)
    assert retrievers_section(whole) is not None
    page = to_markdown(whole)
    assert "## Retrievers" in page
    assert "## With labelled questions" in page


def test_one_retriever_is_no_comparison() -> None:
    report = full_report(CELLS)
    assert report.retrievers is not None
    assert retrievers_section(replace(report, retrievers=report.retrievers.filter(pl.col("retriever") == "dense"))) is None
