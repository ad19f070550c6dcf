"""Reading question files."""

import json
from pathlib import Path
from typing import Any

import pytest

from lawrag_assets.errors import InputError
from lawrag_assets.evaluation.questions import QUESTIONS_SCHEMA, answerable, read_questions

GOOD = {"id": "a", "question": "Darf ich das?", "gold": ["§ 1 BGB"]}


def write(folder: Path, *lines: str | dict[str, Any]) -> Path:
    path = folder / "some_set.jsonl"
    path.write_text("".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines), encoding="utf-8")
    return path


def test_three_fields_are_enough(tmp_path: Path) -> None:
    questions = read_questions(write(tmp_path, GOOD))
    assert questions.schema == QUESTIONS_SCHEMA
    assert questions.row(0, named=True) == {
        "question_set": "some_set",
        "id": "a",
        "question": "Darf ich das?",
        "lang": None,
        "gold": ["§ 1 BGB"],
        "gold_subsections": [],
        "kind": "answerable",
        "pair": None,
        "laws": [],
        "note": None,
    }


def test_all_fields_are_read_and_unknown_ones_left_aside(tmp_path: Path) -> None:
    full = {
        **GOOD,
        "lang": "en",
        "gold_subsections": ["§ 1 Abs. 2 BGB"],
        "pair": "b",
        "laws": ["BGB"],
        "note": "n",
        "difficulty": 3,
    }
    refused = {"id": "b", "question": "Was kostet Brot?", "gold": [], "kind": "out_of_corpus"}
    questions = read_questions(write(tmp_path, full, "", refused, "   "))
    assert questions["id"].to_list() == ["a", "b"]
    assert questions.row(0)[3:] == ("en", ["§ 1 BGB"], ["§ 1 Abs. 2 BGB"], "answerable", "b", ["BGB"], "n")
    assert answerable(questions)["id"].to_list() == ["a"]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{'id': 1}", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ('["a"]', "not a JSON object"),
        ({"question": "?", "gold": ["§ 1 BGB"]}, "id: field required"),
        ({"id": "b", "gold": ["§ 1 BGB"]}, "question: field required"),
        ({"id": "b", "question": "?"}, "gold: field required"),
        ({**GOOD, "id": ""}, "id: "),
        ({**GOOD, "id": 7}, "id: input should be a valid string"),
        ({**GOOD, "id": "b", "question": " \t"}, "question: "),
        ({**GOOD, "id": "b", "gold": "§ 1 BGB"}, "gold: input should be a valid list"),
        ({**GOOD, "id": "b", "gold": ["§ 1 BGB", None]}, "gold.1: input should be a valid string"),
        ({**GOOD, "id": "b", "gold": []}, "gold: an answerable question needs at least one citation"),
        ({**GOOD, "id": "b", "kind": "maybe"}, "kind: input should be 'answerable', 'out_of_corpus' or 'uncovered'"),
        ({**GOOD, "id": "b", "lang": "fr"}, "lang: input should be 'de' or 'en'"),
        ('{"id": "b", "question": "\\ud800", "gold": ["§ 1 BGB"]}', "question: "),
        (GOOD, "id 'a' is already that of line 1"),
    ],
)
def test_a_wrong_line_is_named(tmp_path: Path, line: str | dict[str, Any], reason: str) -> None:
    path = write(tmp_path, GOOD, "", line)
    with pytest.raises(InputError) as raised:
        read_questions(path)
    message = str(raised.value)
    assert message.startswith(f"{path}:3: ")
    assert reason in message
    assert "\n" not in message


def test_a_line_separator_inside_a_text_does_not_end_the_line(tmp_path: Path) -> None:
    question = {**GOOD, "question": "Eins\u2028zwei"}
    path = write(tmp_path, json.dumps(question, ensure_ascii=False))
    assert read_questions(path)["question"].to_list() == ["Eins\u2028zwei"]


@pytest.mark.parametrize("content", [b"", b"\n \n", b"\xef\xbb\xbf"])
def test_a_file_without_questions_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "empty.jsonl"
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"empty\.jsonl: no question"):
        read_questions(path)


def test_a_file_that_is_missing_or_no_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nowhere\.jsonl: cannot read"):
        read_questions(tmp_path / "nowhere.jsonl")
    with pytest.raises(InputError, match="cannot read"):
        read_questions(tmp_path)
    path = tmp_path / "latin.jsonl"
    path.write_bytes('{"id": "ä"}'.encode("latin-1"))
    with pytest.raises(InputError, match=r"latin\.jsonl: not UTF-8 text \(byte 8\)"):
        read_questions(path)


def test_the_shared_question_sets_are_read(shared: Path) -> None:
    counts = {
        path.stem: (len(questions), len(answerable(questions)))
        for path in sorted((shared / "questions").glob("*.jsonl"))
        for questions in [read_questions(path)]
    }
    assert counts["gerlayqa_bgb_dev"] == (2154, 2154)
    assert counts["arbzg_dev"] == (100, 60)
