"""Questions out of Parquet files of others."""

from pathlib import Path
from typing import Any

import polars as pl
import pytest

from lawrag_assets.errors import InputError
from lawrag_assets.evaluation.question_columns import read_question_columns
from lawrag_assets.evaluation.questions import QUESTIONS_SCHEMA, read_questions
from lawrag_assets.laws.citation_lists import citations_in
from lawrag_assets.sample import questions_path


def written(folder: Path, **columns: list[Any]) -> Path:
    path = folder / "foreign.parquet"
    pl.DataFrame(columns).write_parquet(path)
    return path


def read(path: Path, **columns: str) -> pl.DataFrame:
    return read_question_columns(path, columns, citations_in)


def test_the_same_questions_come_out_of_either_format(tmp_path: Path) -> None:
    questions = read_questions(questions_path())
    path = tmp_path / "questions.parquet"
    questions.drop("question_set").write_parquet(path)
    assert read(path).equals(questions)


def test_columns_are_mapped_ids_are_row_numbers_and_gold_may_be_a_text(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        question_text=["Darf ich?", "Muss ich?", "Wie wird das Wetter?"],
        paragraphs=["§ 1 LeihLG, § 2 LeihLG", "LeihLG § 3", None],
        answerability=["answerable", None, "out_of_corpus"],
        score=[1.0, 2.0, 3.0],
    )
    questions = read(path, question="question_text", gold="paragraphs", kind="answerability")
    assert questions.schema == QUESTIONS_SCHEMA
    assert questions["id"].to_list() == ["1", "2", "3"]
    assert questions["gold"].to_list() == [["§ 1 LeihLG", "§ 2 LeihLG"], ["LeihLG § 3"], []]
    assert questions["kind"].to_list() == ["answerable", "answerable", "out_of_corpus"]


def test_ids_may_be_numbers(tmp_path: Path) -> None:
    path = written(tmp_path, id=[70, 71], question=["Was?", "Wer?"], gold=[["§ 1 LeihLG"], ["§ 2 LeihLG"]])
    assert read(path)["id"].to_list() == ["70", "71"]


GOOD: dict[str, list[Any]] = {"question": ["Was?", "Wer?"], "gold": [["§ 1 LeihLG"], ["§ 2 LeihLG"]]}


@pytest.mark.parametrize(
    ("columns", "mapped", "reason"),
    [
        (GOOD, {"answer": "gold"}, "no field 'answer' that a column could be mapped to; allowed are id, question, "),
        (GOOD, {"question": "text"}, "foreign.parquet: no column 'text' for 'question'; its columns are question, gold"),
        ({"question": ["Was?"]}, {}, "foreign.parquet: no column 'gold' for 'gold'; its columns are question"),
        ({**GOOD, "gold": ["§ 1 LeihLG", ""]}, {}, "foreign.parquet: row 2: gold: an answerable question needs"),
        ({**GOOD, "question": ["Was?", None]}, {}, "foreign.parquet: row 2: question: field required"),
        ({**GOOD, "gold": [[1], [2]]}, {}, "foreign.parquet: row 1: gold.0: input should be a valid string"),
        ({**GOOD, "id": ["a", "a"]}, {}, "foreign.parquet: row 2: id 'a' is already that of row 1"),
        ({"question": [], "gold": []}, {}, "foreign.parquet: no question in this file"),
    ],
)
def test_a_wrong_file_or_mapping_is_named(
    tmp_path: Path, columns: dict[str, list[Any]], mapped: dict[str, str], reason: str
) -> None:
    with pytest.raises(InputError) as raised:
        read(written(tmp_path, **columns), **mapped)
    assert reason in str(raised.value)


def test_a_file_that_is_missing_or_no_parquet_is_refused(tmp_path: Path) -> None:
    for name, content in (
        ("text.parquet", b'{"id": "1"}'),
        ("empty.parquet", b""),
        ("half.parquet", b"PAR1" + bytes(20) + b"PAR1"),
    ):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(InputError, match=rf"{name}: not a Parquet file that can be read: [^\n]+\Z"):
            read(tmp_path / name)
    for path in (tmp_path / "nowhere.parquet", tmp_path):
        with pytest.raises(InputError, match="cannot read this question file"):
            read(path)


def test_gold_may_be_a_json_object_of_texts_by_citation(tmp_path: Path) -> None:
    path = written(
        tmp_path,
        question=["Was?", "Wer?", "Wann?"],
        paragraphs=['{"§ 1 LeihLG": "Siehe § 7.", "§ 2, § 3 LeihLG": ""}', "{}", "{§ 4 LeihLG"],
    )
    questions = read(path, gold="paragraphs")
    assert questions["gold"].to_list() == [["§ 1 LeihLG", "§ 2 LeihLG", "§ 3 LeihLG"], [], ["§ 4 LeihLG"]]
    assert questions["kind"].to_list() == ["answerable", "uncovered", "answerable"]
