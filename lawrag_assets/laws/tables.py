"""Parsed laws as one polars table, one row a section. What the columns' values mean is `model`'s concern.

Columns of `SECTIONS_SCHEMA`, in the law's document order:

- `section_id`, `slug`, `law`, `build` ("YYYY-MM-DD"), `position` (from 0 within the law)
- `citation` ("§ 433 BGB"), `designation` ("§ 433"), `heading`, `kind` ("section", "article", "annex", "formula", "other")
- `status` (a `Status` value), `status_evidence` (the words it was read from)
- `hierarchy`: headings above, outermost first, each label and title
- `text`: the running text with Absatz markers
- `subsections`: label (null if unnumbered), citation, status, text, start and end (character offsets into `text`, end
exclusive), and
  `sentences`: number, citation, text, start, end (offsets into `text`, too)
- `references`: text as written, normalised targets
- `notes`: footnotes and editors' notes, never part of `text`
"""

from collections.abc import Iterable

import polars as pl

from lawrag_assets.laws.model import Law, Section, Subsection

_SENTENCE = pl.Struct({"number": pl.Int32, "citation": pl.String, "text": pl.String, "start": pl.Int32, "end": pl.Int32})
_SUBSECTION = pl.Struct(
    {
        "label": pl.String,
        "citation": pl.String,
        "status": pl.String,
        "text": pl.String,
        "start": pl.Int32,
        "end": pl.Int32,
        "sentences": pl.List(_SENTENCE),
    }
)

SECTIONS_SCHEMA: dict[str, pl.DataType] = {
    "section_id": pl.String(),
    "slug": pl.String(),
    "law": pl.String(),
    "build": pl.String(),
    "position": pl.Int32(),
    "citation": pl.String(),
    "designation": pl.String(),
    "heading": pl.String(),
    "kind": pl.String(),
    "status": pl.String(),
    "status_evidence": pl.String(),
    "hierarchy": pl.List(pl.Struct({"label": pl.String, "title": pl.String})),
    "text": pl.String(),
    "subsections": pl.List(_SUBSECTION),
    "references": pl.List(pl.Struct({"text": pl.String, "targets": pl.List(pl.String)})),
    "notes": pl.List(pl.String),
}
"""The table's columns and types; each is described in this module's docstring."""


def sections_table(laws: Iterable[Law]) -> pl.DataFrame:
    """All sections of the laws, one row each, in document order. An empty table of the same schema for no law."""
    rows = [_row(section, law.builddate) for law in laws for section in law.sections]
    return pl.DataFrame(rows, schema=SECTIONS_SCHEMA, orient="row")


def _row(section: Section, build: str) -> tuple[object, ...]:
    return (
        section.section_id,
        section.slug,
        section.law,
        build,
        section.position,
        section.citation,
        section.designation,
        section.heading,
        section.kind,
        section.status.value,
        section.status_evidence,
        [{"label": level.label, "title": level.title} for level in section.hierarchy],
        section.text,
        [_subsection(subsection) for subsection in section.subsections],
        [{"text": reference.text, "targets": list(reference.targets)} for reference in section.references],
        list(section.notes),
    )


def _subsection(subsection: Subsection) -> dict[str, object]:
    return {
        "label": subsection.label,
        "citation": subsection.citation,
        "status": subsection.status.value,
        "text": subsection.text,
        "start": subsection.start,
        "end": subsection.end,
        "sentences": [
            {"number": s.number, "citation": s.citation, "text": s.text, "start": s.start, "end": s.end}
            for s in subsection.sentences
        ],
    }
