"""The edge list of the corpus: which Absatz refers to which section. Finding the references is `references`' concern."""

import re
from bisect import bisect_right
from collections.abc import Iterable

import polars as pl

from lawrag_assets.laws.citations import designation_key, law_key
from lawrag_assets.laws.model import Law, Reference, Section
from lawrag_assets.laws.references import SectionNames

EDGES_SCHEMA: dict[str, pl.DataType] = {
    "source": pl.String(),
    "source_citation": pl.String(),
    "text": pl.String(),
    "target_citation": pl.String(),
    "target": pl.String(),
    "kind": pl.String(),
}
"""One row a target. `source`: section_id; `source_citation`: the Absatz it stands in; `text`: as written; `target_citation`:
normalised; `target`: the section_id it leads to, null if none; `kind`: "inside" (the same law), "other" (another law),
"unresolved" (no such section here)."""


def references_table(laws: Iterable[Law]) -> pl.DataFrame:
    """The edge list of the corpus (`EDGES_SCHEMA`), one row a target, in document order."""
    laws = list(laws)
    names = {law.slug: SectionNames(law.sections) for law in laws}
    slugs = {law_key(name): law.slug for law in laws for name in (law.abbreviation, law.slug, *law.names)}
    rows = [
        (section.section_id, _source_citation(section, reference), reference.text, target, *_lead(target, law, names, slugs))
        for law in laws
        for section in law.sections
        for reference in section.references
        for target in reference.targets
    ]
    return pl.DataFrame(rows, schema=EDGES_SCHEMA, orient="row")


def _source_citation(section: Section, reference: Reference) -> str:
    at = bisect_right([a.start for a in section.subsections], reference.start) - 1
    return section.subsections[at].citation if at >= 0 else section.citation


def _lead(target: str, law: Law, names: dict[str, SectionNames], slugs: dict[str, str]) -> tuple[str | None, str]:
    """(section_id or None, kind) of a normalised target citation."""
    match = _TARGET.fullmatch(target)
    if not match:
        return None, "unresolved"
    slug = slugs.get(law_key(match["law"] or ""))
    identifier = names[slug].ids.get(designation_key(match["designation"])) if slug else None
    if slug == law.slug:
        return identifier, "inside" if identifier else "unresolved"
    return identifier, "other" if match["law"] else "unresolved"


_TARGET = re.compile(
    r"(?P<designation>(?:Anlage|Anhang)(?:\s(?:\d+[a-z]*|[IVXL]+))?|Text|(?:Art\s\S+)(?:\s§\s\S+)?|§\s\S+|[^\s§]+(?:\s[^\s§]+)*?)"
    r"(?:\s(?:Abs\.|UAbs\.|Satz|Nr\.|Buchst\.|Doppelbuchst\.)\s\S+)*(?:\s(?P<law>.+))?"
)
