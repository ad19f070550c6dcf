"""The misses one by one, with texts, and as JSON that the page reads when its reader comes to them. Counting them: `sections.causes`."""

import json
from dataclasses import dataclass

import polars as pl

from lawrag_assets.reporting.frames import FAILURES_SCHEMA

_ROWS_A_CELL = 4_000
_BUDGET = 10_000_000
"""Bytes of JSON; the rest of a page of all cells takes less than one million."""
_LONGEST = 700
"""Characters of a text that are shown."""


@dataclass(frozen=True)
class Misses:
    """What the page shows of a table of failures."""

    json: str
    """Safe inside a script element."""
    shown: int
    total: int
    a_cell: int
    """At most so many of a question set and cell are shown."""


def readable(failures: pl.DataFrame, corpus: pl.DataFrame, questions: pl.DataFrame) -> pl.DataFrame:
    """Misses of several cells with citations and texts for their ids: `FAILURES_SCHEMA` and more.

    `failures` has the columns of `evaluation.failures.FAILURES_SCHEMA` and cell; a missed section that the corpus lacks is its citation
    already.
    """
    asked = questions.select("question_set", "question", query="id")
    rows = failures.join(asked, on=["question_set", "query"], how="left", maintain_order="left")
    for name in ("section", "found", "linked"):
        columns = {name: "section_id", f"{name} cited": "citation", f"{name} text": "text"}
        rows = rows.join(corpus.select(**columns), on=name, how="left", maintain_order="left")
    return rows.with_columns(
        gold=pl.coalesce("section cited", "section"),
        found="found cited",
        linked="linked cited",
        gold_text="section text",
        found_text="found text",
    )


def misses(failures: pl.DataFrame) -> Misses:
    """Choose as many rows as a page can hold, evenly spread over those of each question set and cell, and write them as JSON."""
    a_cell = _ROWS_A_CELL
    while True:
        chosen = _spread(failures, a_cell)
        written = _json(chosen)
        if len(written) <= _BUDGET or a_cell == 1:
            return Misses(written, chosen.height, failures.height, a_cell)
        a_cell = max(1, a_cell // 2)


def _spread(failures: pl.DataFrame, a_cell: int) -> pl.DataFrame:
    """Keep every row of groups that are small enough, else `a_cell` at even distances."""
    group = ["question_set", "cell"]
    place, size = pl.int_range(pl.len()).over(group), pl.len().over(group).cast(pl.Int64)
    kept = ((place + 1) * a_cell // size) > (place * a_cell // size)
    return failures.filter((size <= a_cell) | kept)


def _json(rows: pl.DataFrame) -> str:
    """Write {columns, texts, rows}: a text stands once in texts, and rows have its place there."""
    texts = [name for name, kind in FAILURES_SCHEMA.items() if kind == pl.String]
    rows = rows.select(FAILURES_SCHEMA.names()).with_columns(
        pl.when(pl.col(name).str.len_chars() > _LONGEST)
        .then(pl.col(name).str.head(_LONGEST) + "…")
        .otherwise(pl.col(name))
        .alias(name)
        for name in texts
    )
    places: dict[str, int] = {}
    columns = []
    for name in rows.columns:
        values = rows[name].to_list()
        if name in texts:
            values = [None if value is None else places.setdefault(value, len(places)) for value in values]
        elif FAILURES_SCHEMA[name] == pl.Float64:
            values = [None if value is None else round(value, 3) for value in values]
        columns.append(values)
    document = {"columns": rows.columns, "texts": list(places), "rows": list(zip(*columns, strict=True))}
    written = json.dumps(document, ensure_ascii=False, separators=(",", ":"))
    return written.replace("<", "\\u003c")
