"""The two sentences that the report opens with."""

import made_report as made
import polars as pl
import pytest
from test_benchmark_report import costs as bare_costs

from lawrag_assets.reporting.answer import Answer, answers
from lawrag_assets.reporting.benchmark import BenchmarkReport, benchmark_report
from lawrag_assets.reporting.frames import COMPARISONS_SCHEMA, SUMMARIES_SCHEMA

SECTION, SUBSECTION, WINDOW = "section/flat", "subsection/flat", "window_128_32/flat"


def report(recalls: dict[str, float], tested: dict[str, tuple[float, bool]] | None = None, **changes: object) -> BenchmarkReport:
    """A report of some cells; `tested`: p (Holm) and whether that is significant."""
    cells = {cell: (cell.split("/")[0], cell.split("/")[1]) for cell in recalls}
    rows = [
        (made.SET, "dense", "max", "R@10", recall, recall - 0.01, recall + 0.01, 2_154, *cells[cell], "all")
        for cell, recall in recalls.items()
    ]
    comparisons = None
    if tested is not None:
        reference = recalls[SECTION]
        compared = [
            {"cell": cell, "difference": recalls[cell] - reference, "p_holm": p, "significant": significant}
            for cell, (p, significant) in tested.items()
        ]
        compared = [{"question_set": made.SET, "measure": "R@10", **row} for row in [{"cell": SECTION}, *compared]]
        comparisons = pl.DataFrame(compared, schema=COMPARISONS_SCHEMA)
    summaries = pl.DataFrame(rows, schema=SUMMARIES_SCHEMA, orient="row")
    spent = bare_costs(dict.fromkeys(cells.values(), 0.0))
    return benchmark_report(made.FACTS, summaries, spent, comparisons=comparisons, **changes)  # type: ignore[arg-type]


def test_the_best_cell_beats_the_reference() -> None:
    told = answers(report({SECTION: 0.46, SUBSECTION: 0.5, WINDOW: 0.3}, {SUBSECTION: (0.0012, True), WINDOW: (0.0002, True)}))
    assert told == [
        Answer(
            made.SET,
            "On gerlayqa_bgb_dev, subsection/flat finds the most: R@10 0.500 (95 % interval 0.490–0.510, 2,154 questions), "
            "significantly more than the reference section/flat (+0.040, p = 0.0012 after Holm’s correction).",
            "It takes 2 m 3 s to build (10 times section/flat’s), 0.40 ms to search (2.0 times) and 5.00 MB of disk (2.0 times).",
        )
    ]


def test_the_best_cell_is_not_significantly_better() -> None:
    [told] = answers(report({SECTION: 0.46, SUBSECTION: 0.47}, {SUBSECTION: (0.41, False)}))
    assert "but not significantly more than the reference section/flat (+0.010, p = 0.41 after" in told.finding


@pytest.mark.parametrize(
    ("tested", "words"),
    [
        (
            {SUBSECTION: (0.5, False), WINDOW: (0.0002, True)},
            "significantly more than 1 of the 2 other cells after Holm’s correction.",
        ),
        (
            {SUBSECTION: (0.01, True), WINDOW: (0.0002, True)},
            "significantly more than each of the 2 other cells after Holm’s correction.",
        ),
        ({SUBSECTION: (0.5, False), WINDOW: (0.5, False)}, "but not significantly more than any of the 2 other cells."),
        ({}, "which was not tested against other cells."),
        (None, "which was not tested against other cells."),
    ],
)
def test_the_reference_is_the_best(tested: dict[str, tuple[float, bool]] | None, words: str) -> None:
    [told] = answers(report({SECTION: 0.5, SUBSECTION: 0.49, WINDOW: 0.3}, tested))
    assert told.finding.startswith("On gerlayqa_bgb_dev, section/flat finds the most: R@10 0.500")
    assert told.finding.endswith(words)
    assert told.cost == "It is the reference itself and takes 12 s to build, 0.20 ms to search and 2.50 MB of disk."


def test_two_cells() -> None:
    [told] = answers(report({SECTION: 0.5, SUBSECTION: 0.4}, {SUBSECTION: (0.01, True)}))
    assert told.finding.endswith("significantly more than the other cell after Holm’s correction.")


def test_equal_cells_share_the_place_and_the_quickest_is_named() -> None:
    [told] = answers(report({SECTION: 0.5, SUBSECTION: 0.5, WINDOW: 0.3}))
    assert told.finding.startswith("On gerlayqa_bgb_dev, section/flat finds the most, as does subsection/flat: R@10 0.500")


def test_without_the_reference_nothing_is_held_against_it() -> None:
    [told] = answers(report({SUBSECTION: 0.5, WINDOW: 0.3}))
    assert told.cost == "It takes 12 s to build, 0.20 ms to search and 2.50 MB of disk."


def test_another_reference_may_be_named() -> None:
    [told] = answers(report({SECTION: 0.4, SUBSECTION: 0.5}, reference=SUBSECTION))
    assert told.cost.startswith("It is the reference itself")


def test_a_single_cell() -> None:
    [told] = answers(report({SECTION: 0.5}))
    assert (
        told.finding
        == "Only section/flat was measured on gerlayqa_bgb_dev: R@10 0.500 (95 % interval 0.490–0.510, 2,154 questions)."
    )
    assert told.cost == "It takes 12 s to build, 0.20 ms to search and 2.50 MB of disk."


def test_nothing_asked() -> None:
    [told] = answers(benchmark_report(made.FACTS, SUMMARIES_SCHEMA.to_frame(), bare_costs(dict.fromkeys(made.THREE, 0.0))))
    assert told.finding == "No questions were asked, so nothing is known of which of the 3 cells finds the most."
    assert told.cost == (
        "Of them, quickest to build is section/flat (12 s), quickest to search section/flat (0.20 ms) and smallest on disk "
        "section/flat (2.50 MB)."
    )
    [alone] = answers(benchmark_report(made.FACTS, SUMMARIES_SCHEMA.to_frame(), bare_costs({("section", "flat"): 0.0})))
    assert alone.cost == "It takes 12 s to build, 0.20 ms to search and 2.50 MB of disk."


def test_nothing_built() -> None:
    [told] = answers(benchmark_report(made.FACTS, SUMMARIES_SCHEMA.to_frame(), bare_costs({})))
    assert told.finding == "No cell has been built."


def test_costs_that_nobody_measured() -> None:
    some = report({SECTION: 0.4, SUBSECTION: 0.5})
    unknown = benchmark_report(
        made.FACTS,
        made.summaries(made.THREE),
        some.costs.with_columns(build_seconds=None, search_ms=None, index_bytes=None),
    )
    assert answers(unknown)[0].cost == "It is the reference itself and has costs that were not measured."


def test_an_answer_for_each_question_set() -> None:
    both = pl.concat([made.summaries(made.THREE), made.summaries(made.THREE).with_columns(question_set=pl.lit("other"))])
    assert [told.question_set for told in answers(benchmark_report(made.FACTS, both, made.costs(made.THREE)))] == [
        made.SET,
        "other",
    ]
