"""The calibration questions, whose mean vector is what questions of a language have in common (`dense.DenseCentred`).

A few dozen everyday legal questions in German and as many in English come with the package, written for it; and as many German ones as
people write them to a forum, with their whole story. What a sentence has in common with others is not what a page has, so long
questions have a mean of their own. A user may name another file. A set that holds a question which is measured is refused: its mean would
know what is asked.
"""

import json
import re
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import polars as pl

from lawrag_assets.errors import InputError
from lawrag_assets.retrieval.hits import Floats

CALIBRATION_SCHEMA = pl.Schema({"lang": pl.String, "question": pl.String})
LONG = 60
"""Words from which on a question counts as long: between the package's longest short one (25) and its shortest long one (92)."""
_LONG_ONES = ", long"
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
    """The mean vector of each language's short and long questions: kind, questions, mean (d,); kind as `kind_of` says it.

    `vectors` is (questions, d), in the order of `calibration`.
    """
    kinds = [kind_of(lang, question) for lang, question in calibration.select("lang", "question").iter_rows()]
    rows = []
    for (kind,), members in (
        calibration.with_columns(kind=pl.Series(kinds)).with_row_index("row").group_by("kind", maintain_order=True)
    ):
        mean = vectors[members["row"].to_numpy()].mean(axis=0, dtype=np.float64).astype(np.float32)
        rows.append((kind, members.height, mean))
    schema = pl.Schema({"kind": pl.String(), "questions": pl.Int64(), "mean": pl.Array(pl.Float32, vectors.shape[1])})
    return pl.DataFrame(rows, schema=schema, orient="row")


def kind_of(language: str, question: str) -> str:
    """The language of a question, and whether it is long: "de", "de, long"."""
    return f"{language}{_LONG_ONES}" if len(question.split()) >= LONG else language


def short_only(calibration: pl.DataFrame) -> pl.Series:
    """Which of the questions are not long."""
    return pl.Series([len(question.split()) < LONG for question in calibration["question"]], dtype=pl.Boolean)


class QuestionMeans:
    """What questions have in common, by language and length."""

    def __init__(self, means: Mapping[str, Floats]) -> None:
        """`means`: (d,) by `kind_of`, at least one."""
        self._means = dict(means)
        short = [mean for kind, mean in self._means.items() if not kind.endswith(_LONG_ONES)]
        self._any = np.mean(short or list(self._means.values()), axis=0)

    @classmethod
    def of_table(cls, table: pl.DataFrame) -> "QuestionMeans":
        """From `question_means`. Raises InputError for a table that an older version of this software made."""
        if "kind" not in table.columns:
            raise InputError("this profile's calibration was made by an older version: `lawrag run` makes it anew")
        return cls({kind: np.asarray(mean, dtype=np.float32) for kind, mean in table.select("kind", "mean").iter_rows()})

    def of(self, language: str | None, question: str) -> Floats:
        """The mean (d,) for a question: of its language and length, else of its language, else of all languages."""
        kinds = (kind_of(language, question), language, f"{language}{_LONG_ONES}") if language else ()
        found: Floats = next((self._means[kind] for kind in kinds if kind in self._means), self._any)
        return found
