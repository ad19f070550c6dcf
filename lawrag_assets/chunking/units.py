"""The structural base units: section (§, Art), subsection (Absatz) and sentence (Satz).

They follow the statute's own boundaries (paper, section 3, "Subsection, sentence and fixed size splitting"), and only text in
force becomes a unit. Windows, which ignore those boundaries, are in `windows`.
"""

from collections.abc import Iterator
from typing import Any

import polars as pl

from lawrag_assets.chunking.material import Tokenize
from lawrag_assets.chunking.registry import BASE_UNITS, BaseUnit
from lawrag_assets.chunking.tables import UNITS_SCHEMA

Row = dict[str, Any]
IN_FORCE = "in_force"


def sections_in_force(corpus: pl.DataFrame) -> pl.DataFrame:
    """The sections that are indexed: in force and with text."""
    return corpus.filter((pl.col("status") == IN_FORCE) & (pl.col("text") != ""))


def units_table(base_unit: str, rows: list[Row]) -> pl.DataFrame:
    """Rows in document order, without `base_unit` and `position`, to a table of UNITS_SCHEMA."""
    for position, row in enumerate(rows):
        row.update(base_unit=base_unit, position=position)
    return pl.DataFrame(rows, schema=UNITS_SCHEMA)


def _unit(section: Row, unit_id: str, citation: str, part: Row) -> Row:
    section_id = section["section_id"]
    return {
        "unit_id": unit_id,
        "slug": section["slug"],
        "build": section["build"],
        "citation": citation,
        "text": part["text"],
        "parents": [section_id],
        "spans": [{"section_id": section_id, "start": part["start"], "end": part["end"]}],
    }


def _subsections(section: Row) -> Iterator[tuple[str, Row]]:
    """The section's Absätze in force with their ids. A section that counts an Absatz twice gets `~2` at the second."""
    seen: dict[str | None, int] = {}
    for subsection in section["subsections"]:
        label = subsection["label"]
        seen[label] = seen.get(label, 0) + 1
        name = section["section_id"] if label is None else f"{section['section_id']}/Abs{label}"
        if subsection["status"] == IN_FORCE and subsection["text"]:
            yield (name if seen[label] == 1 else f"{name}~{seen[label]}"), subsection


def cut_sections(corpus: pl.DataFrame, tokenize: Tokenize) -> pl.DataFrame:
    """One unit a section in force."""
    rows = [
        _unit(
            section,
            section["section_id"],
            section["citation"],
            {"text": section["text"], "start": 0, "end": len(section["text"])},
        )
        for section in sections_in_force(corpus).iter_rows(named=True)
    ]
    return units_table("section", rows)


def cut_subsections(corpus: pl.DataFrame, tokenize: Tokenize) -> pl.DataFrame:
    """One unit an Absatz in force; a section without numbered Absätze is one unit."""
    rows = [
        _unit(section, unit_id, subsection["citation"], subsection)
        for section in sections_in_force(corpus).iter_rows(named=True)
        for unit_id, subsection in _subsections(section)
    ]
    return units_table("subsection", rows)


def cut_sentences(corpus: pl.DataFrame, tokenize: Tokenize) -> pl.DataFrame:
    """One unit a Satz of an Absatz in force."""
    rows = [
        _unit(section, f"{unit_id}/S{sentence['number']}", sentence["citation"], sentence)
        for section in sections_in_force(corpus).iter_rows(named=True)
        for unit_id, subsection in _subsections(section)
        for sentence in subsection["sentences"]
    ]
    return units_table("sentence", rows)


def register() -> None:
    """Add the structural units to the registry."""
    BASE_UNITS.register(BaseUnit("section", "1", cut_sections))
    BASE_UNITS.register(BaseUnit("subsection", "1", cut_subsections))
    BASE_UNITS.register(BaseUnit("sentence", "1", cut_sentences))
