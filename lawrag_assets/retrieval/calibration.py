"""The calibration questions, whose mean vector is what questions of a language have in common (`dense.DenseCentred`).

A few dozen everyday legal questions in German and as many in English come with the package, written for it; a user may name another
file. A set that holds a question which is measured is refused: its mean would know what is asked.
"""

import json
import re
from pathlib import Path

import numpy as np
import polars as pl

from lawrag_assets.errors import InputError
from lawrag_assets.retrieval.hits import Floats

CALIBRATION_SCHEMA = pl.Schema({"lang": pl.String, "question": pl.String})
_NO_LETTER = re.compile(r"[\W_]+")


def default_questions() -> Path:
    """The file that comes with the package."""
    return Path(__file__).parent / "calibration_questions.jsonl"


def read_calibration(path: Path) -> pl.DataFrame:
    """Read a JSON Lines file of objects with `question` and `lang` into a table of CALIBRATION_SCHEMA, other fields left aside.

    Raises InputError, naming file, line and reason, where it cannot be read or holds no question.
    """
    try:
        lines = path.read_text(encoding="utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot read these calibration questions: {error}") from None
    rows = [_row(line, f"{path}:{number}") for number, line in enumerate(lines, 1) if line.strip()]
    if not rows:
        raise InputError(f"{path}: no question in this file")
    return pl.DataFrame(rows, schema=CALIBRATION_SCHEMA, orient="row")


def _row(line: str, place: str) -> tuple[str, str]:
    try:
        fields = json.loads(line)
    except ValueError as error:
        raise InputError(f"{place}: not JSON: {error}") from None
    values = [fields.get(name) if isinstance(fields, dict) else None for name in ("lang", "question")]
    lang, question = values
    if not (isinstance(lang, str) and lang and isinstance(question, str) and question.strip()):
        raise InputError(f'{place}: a calibration question has `lang` (as "de") and `question`')
    return lang, question


def require_unseen(calibration: pl.DataFrame, asked: pl.Series) -> None:
    """Raise InputError where a calibration question is one of those that are measured; case, space and marks do not matter."""
    measured = {_letters(question) for question in asked}
    for question in calibration["question"]:
        if _letters(question) in measured:
            raise InputError(
                f"the calibration question {question[:80]!r} is one of the questions that are measured: "
                "name another file with LAWRAG_CALIBRATION, or leave it out of the question set"
            )


def _letters(question: str) -> str:
    return _NO_LETTER.sub("", question.lower())


def question_means(calibration: pl.DataFrame, vectors: Floats) -> pl.DataFrame:
    """The mean vector of each language: lang, questions, mean (d,). `vectors` is (questions, d), in the order of `calibration`."""
    rows = []
    for (lang,), members in calibration.with_row_index("row").group_by("lang", maintain_order=True):
        mean = vectors[members["row"].to_numpy()].mean(axis=0, dtype=np.float64).astype(np.float32)
        rows.append((lang, members.height, mean))
    schema = pl.Schema({"lang": pl.String(), "questions": pl.Int64(), "mean": pl.Array(pl.Float32, vectors.shape[1])})
    return pl.DataFrame(rows, schema=schema, orient="row")


def means_by_language(table: pl.DataFrame) -> dict[str, Floats]:
    """`question_means` as a dictionary."""
    return {lang: np.asarray(mean, dtype=np.float32) for lang, mean in table.select("lang", "mean").iter_rows()}
