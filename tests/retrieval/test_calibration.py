"""Calibration questions: those of the package, those of a user, and none that is measured."""

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from lawrag_assets.errors import InputError
from lawrag_assets.evaluation.language import guess_language
from lawrag_assets.retrieval.calibration import (
    LONG,
    QuestionMeans,
    default_questions,
    question_means,
    read_calibration,
    require_unseen,
)
from lawrag_assets.sample import questions_path


def test_the_packages_questions_are_a_few_dozen_in_each_language_and_none_is_the_samples() -> None:
    calibration = read_calibration(default_questions())
    counts = dict(
        question_means(calibration, np.zeros((calibration.height, 1), np.float32)).select("kind", "questions").iter_rows()
    )
    assert counts == {"de": 40, "en": 40, "de, long": 40}
    lengths = calibration["question"].str.split(" ").list.len()
    assert lengths.filter(lengths < LONG).max() == 25
    assert lengths.filter(lengths >= LONG).min() == 92
    assert calibration["question"].n_unique() == calibration.height
    guessed = [guess_language(question) in (lang, None) for lang, question in calibration.iter_rows()]
    assert all(guessed)
    sample = [json.loads(line)["question"] for line in questions_path().read_text("utf-8").splitlines() if line.strip()]
    require_unseen(calibration, pl.Series(sample))


def test_a_question_that_is_measured_is_refused_however_it_is_written() -> None:
    calibration = read_calibration(default_questions())
    same = calibration["question"][3].upper().replace(" ", "  ")
    with pytest.raises(InputError, match="LAWRAG_CALIBRATION"):
        require_unseen(calibration, pl.Series(["Etwas anderes?", same]))


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("{", r"1: not JSON"),
        ('{"question": "Was?"}', r"1: a calibration question has `lang`"),
        ("[]", "1: a calibration question"),
        ("", "no question"),
    ],
)
def test_a_file_that_cannot_be_used_is_refused_with_its_line(tmp_path: Path, line: str, reason: str) -> None:
    file = tmp_path / "mine.jsonl"
    file.write_text(line + "\n", encoding="utf-8")
    with pytest.raises(InputError, match=reason):
        read_calibration(file)
    with pytest.raises(InputError, match="cannot read"):
        read_calibration(tmp_path / "missing.jsonl")


def test_each_language_has_its_own_mean_and_so_have_its_long_questions() -> None:
    page = " ".join(["Wort"] * LONG)
    calibration = pl.DataFrame({"lang": ["de", "en", "de", "de"], "question": ["a", "b", "c", page]})
    means = QuestionMeans.of_table(question_means(calibration, np.float32([[1, 0], [0, 1], [0, 0], [4, 4]])))
    assert means.of("de", "kurz").tolist() == [0.5, 0.0]
    assert means.of("de", page).tolist() == [4.0, 4.0]
    assert means.of("en", page).tolist() == means.of("en", "short").tolist() == [0.0, 1.0]
    assert means.of(None, page).tolist() == means.of("fr", "court").tolist() == [0.25, 0.5]
    only_long = QuestionMeans({"de, long": np.float32([1, 2])})
    assert only_long.of("de", "kurz").tolist() == only_long.of(None, "kurz").tolist() == [1.0, 2.0]


def test_means_that_an_older_version_made_are_refused_with_the_way_out() -> None:
    old = pl.DataFrame({"lang": ["de"], "mean": [[0.0, 1.0]], "questions": [40]})
    with pytest.raises(InputError, match="lawrag run"):
        QuestionMeans.of_table(old)
