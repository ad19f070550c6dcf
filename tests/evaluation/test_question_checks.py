"""What is found in question sets, against a corpus of three sections."""

import polars as pl
import pytest

from lawrag_assets.evaluation.question_checks import (
    GoldFinding,
    LanguageFinding,
    SetFindings,
    check_question_sets,
)
from lawrag_assets.evaluation.questions import QUESTIONS_SCHEMA
from lawrag_assets.laws.citations import CitationIndex

SECTIONS = CitationIndex(
    pl.DataFrame(
        {
            "section_id": ["leihlg/§1", "leihlg/§2", "leihlg/§3"],
            "slug": "leihlg",
            "law": "LeihLG",
            "designation": ["§ 1", "§ 2", "§ 3"],
            "status": ["in_force", "repealed", "future"],
        }
    )
)
LONG = "Im Leihladen unseres Stadtteils habe ich eine Bohrmaschine ausgeliehen, die nach einer Woche ohne mein Zutun den Geist aufgab."


def questions(*rows: dict[str, object]) -> pl.DataFrame:
    base = {"question_set": "made", "gold": ["§ 1 LeihLG"], "gold_subsections": [], "kind": "answerable", "laws": []}
    return pl.DataFrame([{**base, **row} for row in rows], schema=QUESTIONS_SCHEMA)


def one(*rows: dict[str, object]) -> SetFindings:
    (findings,), between = check_question_sets([questions(*rows)], SECTIONS)
    assert between == {}
    return findings


def test_a_set_is_counted_by_kind_language_and_length() -> None:
    findings = one(
        {"id": "a", "question": "Darf ich?", "lang": "de"},
        {"id": "b", "question": "Wer zahlt das denn alles?", "kind": "out_of_corpus", "gold": []},
        {"id": "c", "question": "May I?", "lang": "en", "gold": ["§ 1 LeihLG", "§ 1 Abs. 2 LeihLG"]},
    )
    assert findings.questions == 3
    assert findings.kinds == {"answerable": 2, "out_of_corpus": 1}
    assert findings.languages == {"de": 1, "not said": 1, "en": 1}
    assert findings.characters == {"median": 9, "p95": 25, "max": 25}
    assert findings.gold_citations == 3
    assert (findings.unknown_gold, findings.gold_not_in_force, findings.duplicates, findings.other_language) == ([], [], [], [])
    assert findings.near_duplicates.found == 0


def test_gold_without_a_section_in_force_is_listed_with_reason_and_questions() -> None:
    findings = one(
        {"id": "a", "question": "Eins?", "gold": ["§ 1 LeihLG", "§ 2 LeihLG", "§ 9 LeihLG"]},
        {"id": "b", "question": "Zwei?", "gold": ["§ 3 LeihLG", "§ 9 LeihLG", "irgendwo"]},
        {"id": "c", "question": "Drei?", "gold": ["§ 5 AndersG"], "kind": "uncovered"},
    )
    assert findings.unknown_gold == [
        GoldFinding("§ 9 LeihLG", "no such section", ["a", "b"]),
        GoldFinding("irgendwo", "no citation", ["b"]),
    ]
    assert findings.gold_not_in_force == [
        GoldFinding("§ 2 LeihLG", "repealed", ["a"]),
        GoldFinding("§ 3 LeihLG", "future", ["b"]),
    ]


def test_repeated_questions_are_found_and_counted_as_near_duplicates_once() -> None:
    findings = one(
        {"id": "a", "question": LONG},
        {"id": "b", "question": "Und sonst?"},
        {"id": "c", "question": LONG.replace(" ", "\n ")},
        {"id": "d", "question": LONG.replace("eine Bohrmaschine", "die Bohrmaschine")},
    )
    assert findings.duplicates == [["a", "c"]]
    assert findings.near_duplicates.found == 1
    (pair,) = findings.near_duplicates.pairs
    assert (pair.first, pair.second) == ("a", "d")
    assert pair.similarity == pytest.approx(0.95, abs=0.05)


def test_questions_of_one_set_that_are_in_another_are_leakage() -> None:
    sets = [
        questions({"id": "a", "question": LONG}),
        questions({"id": "b", "question": "Und sonst?"}),
        questions({"id": "x", "question": "Und sonst?"}, {"id": "y", "question": LONG}),
    ]
    findings, between = check_question_sets(sets, SECTIONS)
    assert [found.questions for found in findings] == [1, 1, 2]
    named = {places: [(pair.first, pair.second, pair.similarity) for pair in near.pairs] for places, near in between.items()}
    assert named == {(0, 1): [], (0, 2): [("a", "y", 1.0)], (1, 2): [("b", "x", 1.0)]}


def test_a_question_that_looks_another_language_than_it_says_is_listed() -> None:
    findings = one(
        {"id": "a", "question": "May I keep it if I am ill?", "lang": "de"},
        {"id": "b", "question": "Darf ich es behalten, wenn ich krank bin?", "lang": "de"},
        {"id": "c", "question": "May I keep it if I am ill?"},
    )
    assert findings.other_language == [LanguageFinding("a", "de", "en")]
