"""Which questions have linked gold, and how often all of it is found."""

from dataclasses import replace

import made_report as made
import polars as pl
import pytest

from lawrag_assets.evaluation.measures import evaluate
from lawrag_assets.evaluation.multi_hop import MULTI_HOP_SCHEMA, linked_questions, multi_hop
from lawrag_assets.reporting.sections.multi_hop import multi_hop_section

QRELS = pl.DataFrame(
    [
        *(("s", "forward", section) for section in ("§1", "§2")),
        *(("s", "back", section) for section in ("§2", "§1", "§9")),
        *(("s", "apart", section) for section in ("§1", "§9")),
        ("s", "one", "§1"),
        ("t", "forward", "§1"),
    ],
    schema=["question_set", "query", "section"],
    orient="row",
)
REFERENCES = pl.DataFrame({"source": ["§1", "§1", "§3", "§9"], "target": ["§2", "§1", "§1", None]})


def run(found: dict[str, list[str]], retriever: str) -> pl.DataFrame:
    rows = [
        ("s", retriever, "max", query, section, rank, 1 - rank / 100)
        for query, sections in found.items()
        for rank, section in enumerate(sections, 1)
    ]
    return pl.DataFrame(
        rows, schema=["question_set", "retriever", "aggregation", "query", "section", "rank", "score"], orient="row"
    )


def test_a_reference_in_either_direction_links_two_gold_sections_of_one_question() -> None:
    assert linked_questions(QRELS, REFERENCES).rows() == [("s", "forward"), ("s", "back")]
    assert linked_questions(QRELS, REFERENCES.head(0)).is_empty()


def test_all_gold_has_to_be_among_the_first_ten() -> None:
    eleven = ["§2", *(f"§{number}" for number in range(20, 29)), "§1"]
    runs = pl.concat(
        [
            run({"forward": ["§2", "§1"], "back": ["§1", "§2", "§9"], "apart": ["§5"]}, "linked"),
            run({"forward": eleven, "back": ["§1", "§2"], "apart": ["§1", "§9"]}, "dense"),
        ]
    )
    measures = evaluate(runs, QRELS.filter(question_set="s")).with_columns(cell=pl.lit("section/flat"))
    figures = multi_hop(measures, linked_questions(QRELS, REFERENCES))
    assert figures.schema == MULTI_HOP_SCHEMA
    of = {row["retriever"]: row for row in figures.iter_rows(named=True)}
    assert (of["linked"]["questions"], of["linked"]["recall"], of["linked"]["all_gold"]) == (2, 1.0, 1.0)
    assert of["dense"]["recall"] == pytest.approx((1 / 2 + 2 / 3) / 2)
    assert of["dense"]["all_gold"] == 0
    assert 0 < of["linked"]["low"] < 1 == of["linked"]["high"]


def test_the_report_says_it_where_there_are_such_questions() -> None:
    report = made.full_report(made.THREE)
    assert multi_hop_section(report) is None
    rows = [
        (made.SET, cell, retriever, 213, recall, all_gold, all_gold - 0.01, all_gold + 0.03)
        for cell, retriever, recall, all_gold in [
            ("subsection/flat", "dense", 0.1, 0.0141),
            ("subsection/flat", "linked", 0.2, 0.0469),
            ("section/flat", "dense", 0.15, 0.02),
        ]
    ]
    section = multi_hop_section(replace(report, multi_hop=pl.DataFrame(rows, schema=MULTI_HOP_SCHEMA, orient="row")))
    assert section is not None
    (layout,) = section.layouts
    assert layout.title == f"213 questions of {made.SET}"
    shown = [[cell.text for cell in row] for row in layout.rows]
    assert shown[0] == ["section/flat", "dense", "0.150", "0.020", "0.010–0.050"]
    assert [row[1] for row in shown] == ["dense", "dense", "linked"]
    assert [cell.text for row in layout.rows for cell in row if cell.best] == ["0.200", "0.047"]
