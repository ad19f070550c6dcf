"""Question sets: what a question holds, reading a JSON Lines file, and refusing a wrong one with file, line and reason.

Parquet files are `question_columns`' concern, the hub is `hub_questions`'. What a gold citation refers to is not known here (`qrels`).
"""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal, NamedTuple

import polars as pl
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from lawrag_assets.errors import InputError

_CITATIONS = pl.List(pl.String())
QUESTIONS_SCHEMA = pl.Schema(
    {
        "question_set": pl.String(),  # name of the set: the file's stem
        "id": pl.String(),  # unique in the set
        "question": pl.String(),
        "lang": pl.String(),  # "de", "en", or null where the file does not say
        "gold": _CITATIONS,  # citations of the sections that answer it, as written in the file
        "gold_subsections": _CITATIONS,  # the same at Absatz level, where known
        "kind": pl.String(),  # "answerable", "out_of_corpus", "uncovered"
        "pair": pl.String(),  # id of the same question in the other language, or null
        "laws": pl.List(pl.String()),  # laws concerned, where known
        "note": pl.String(),
    }
)


class Question(BaseModel):
    """One question of a file. Fields that are not named here are left aside."""

    model_config = ConfigDict(extra="ignore", strict=True)

    id: str = Field(min_length=1)
    question: str = Field(pattern=r"\S")
    gold: list[str]
    lang: Literal["de", "en"] | None = None
    gold_subsections: list[str] = []
    kind: Literal["answerable", "out_of_corpus", "uncovered"] = "answerable"
    pair: str | None = None
    laws: list[str] = []
    note: str | None = None


class Entry(NamedTuple):
    """A question as a file holds it, unchecked."""

    place: str
    """Where it stands, for messages: "questions.jsonl:3"."""
    number: str
    """The same within the file: "line 3"."""
    fields: dict[str, object]


def read_questions(path: Path) -> pl.DataFrame:
    """Read a JSON Lines file into a table of `QUESTIONS_SCHEMA`, in the order of the file.

    Blank lines are passed over. InputError "file:line: reason" where a line is not JSON, misses a field or has a wrong one,
    repeats an id, or is answerable without gold; where there is no question at all, or no such file.
    """
    entries = (Entry(f"{path}:{number}", f"line {number}", _fields(line, f"{path}:{number}")) for number, line in _lines(path))
    return questions_table(entries, path)


def questions_table(entries: Iterable[Entry], path: Path) -> pl.DataFrame:
    """Check the entries of a file and put them into a table of `QUESTIONS_SCHEMA`. InputError as in `read_questions`."""
    seen: dict[str, str] = {}
    rows = []
    for entry in entries:
        question = _checked(entry)
        if question.id in seen:
            raise InputError(f"{entry.place}: id {question.id!r} is already that of {seen[question.id]}")
        seen[question.id] = entry.number
        rows.append({"question_set": path.stem, **question.model_dump()})
    if not rows:
        raise InputError(f"{path}: no question in this file")
    return pl.DataFrame(rows, schema=QUESTIONS_SCHEMA)


def answerable(questions: pl.DataFrame) -> pl.DataFrame:
    """Keep the questions that measures average over."""
    return questions.filter(pl.col("kind") == "answerable")


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the lines that are not blank with their numbers, from 1."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InputError(f"{path}: cannot read this question file: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 text (byte {error.start})") from None
    # Not splitlines(): JSON strings may hold line separators that it would cut at.
    return ((number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip())


def _fields(line: str, place: str) -> dict[str, object]:
    """A line as a JSON object."""
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InputError(f"{place}: not JSON: {error}") from None
    if not isinstance(fields, dict):
        raise InputError(f"{place}: not a JSON object")
    return fields


def _checked(entry: Entry) -> Question:
    """Check one entry against the contract."""
    try:
        question = Question.model_validate(entry.fields)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = ".".join(map(str, first["loc"]))
        raise InputError(f"{entry.place}: {field}: {first['msg'][:1].lower()}{first['msg'][1:]}") from None
    if question.kind == "answerable" and not question.gold:
        raise InputError(f"{entry.place}: gold: an answerable question needs at least one citation (or another kind)")
    return question
