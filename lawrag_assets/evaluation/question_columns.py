"""Questions out of a Parquet file whose columns somebody else has named.

What a question must hold is `questions`' concern; which citations a text holds is told by whoever calls.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import polars as pl

from lawrag_assets.errors import InputError
from lawrag_assets.evaluation.questions import Entry, Question, questions_table

_REQUIRED = ("question", "gold")
_CITATIONS = ("gold", "gold_subsections")


def require_fields(columns: Mapping[str, str]) -> None:
    """Raise InputError unless every key of a mapping from fields to columns is a field of a question."""
    for field in columns:
        if field not in Question.model_fields:
            allowed = ", ".join(Question.model_fields)
            raise InputError(f"questions have no field {field!r} that a column could be mapped to; allowed are {allowed}")


def read_question_columns(path: Path, columns: Mapping[str, str], citations_in: Callable[[str], list[str]]) -> pl.DataFrame:
    """Read a Parquet file into a table of `QUESTIONS_SCHEMA`, in the order of its rows.

    `columns` says which column holds which field; a field that it does not name is looked for under its own name. Without ids the row's
    number, from 1, is the id. Gold is a list of citations; a JSON object whose names are citations, whatever it says of them; or a text
    in which `citations_in` finds them. A row whose JSON object is empty is a question that nobody has labelled: it is kept as
    `uncovered`, and not measured. InputError for a column that is missing, naming those there are, and "file: row n: reason" as
    `questions.read_questions` has it.
    """
    require_fields(columns)
    try:
        with path.open("rb") as file:  # opened here, for polars would take some names for patterns and read whole folders
            chosen = _chosen(columns, list(pl.read_parquet_schema(file)), path)
            file.seek(0)
            frame = pl.read_parquet(file, columns=list(dict.fromkeys(chosen.values())))
    except OSError as error:
        raise InputError(f"{path}: cannot read this question file: {error.strerror}") from None
    except pl.exceptions.PolarsError as error:
        raise InputError(f"{path}: not a Parquet file that can be read: {(str(error).splitlines() or [''])[0]}") from None
    return questions_table(_entries(frame, chosen, citations_in, path), path)


def _chosen(columns: Mapping[str, str], there: list[str], path: Path) -> dict[str, str]:
    """The column of each field; fields that need none and have none are left out."""
    chosen = {field: field for field in Question.model_fields if field in there} | dict(columns)
    for field in {**dict.fromkeys(_REQUIRED), **chosen}:
        if chosen.get(field) not in there:
            raise InputError(
                f"{path}: no column {chosen.get(field, field)!r} for {field!r}; its columns are {', '.join(there)}:"
                f" map them, as --columns question=TEXT,gold=CITATIONS does"
            )
    return chosen


def _entries(
    frame: pl.DataFrame, chosen: Mapping[str, str], citations_in: Callable[[str], list[str]], path: Path
) -> Iterator[Entry]:
    for number, row in enumerate(frame.iter_rows(named=True), start=1):
        fields = {field: row[column] for field, column in chosen.items() if row[column] is not None}
        fields["id"] = str(fields.get("id", number))
        for field in _CITATIONS:
            value = fields.get(field, [])
            fields[field] = _citations(value, citations_in) if isinstance(value, str) else value
        if _labels(row[chosen["gold"]]) == {}:
            fields.setdefault("kind", "uncovered")
        yield Entry(f"{path}: row {number}", f"row {number}", fields)


def _citations(value: str, citations_in: Callable[[str], list[str]]) -> list[str]:
    labels = _labels(value)
    return citations_in(value) if labels is None else [citation for label in labels for citation in citations_in(label)]


def _labels(value: object) -> dict[str, object] | None:
    """The JSON object that a text holds, as data sets have it whose labels carry the sections' text; None for anything else."""
    if not isinstance(value, str) or not value.lstrip().startswith("{"):
        return None
    try:
        found = json.loads(value)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None
