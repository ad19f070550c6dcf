"""`reference_expanded`: a unit is embedded with the text that it refers to behind it, so that what it leaves to others is in its vector.

What is referred to is told by the corpus' reference table; a legal definition that the unit relies on counts as a reference. The nearest
places come first, up to a bound in tokens. A hit still speaks for the unit's own sections only.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import polars as pl

from lawrag_assets.chunking.definitions import Definitions, Place
from lawrag_assets.chunking.flat import unit_chunks
from lawrag_assets.chunking.material import Material, Tokenize
from lawrag_assets.chunking.registry import STRATEGIES, Strategy
from lawrag_assets.chunking.tables import ENRICHMENT_SCHEMA
from lawrag_assets.chunking.units import IN_FORCE, sections_in_force

BOUND = 192
"""The most tokens that are added to a unit, of the bundled model's tokenizer. That reads 512, and most Absätze have fewer than 128."""

Row = dict[str, Any]
_ABSATZ = re.compile(r" Abs\. (\S+)")


class _Statute:
    """The corpus as what can be referred to."""

    def __init__(self, corpus: pl.DataFrame, references: pl.DataFrame) -> None:
        self.texts: dict[Place, str] = {}
        self.absaetze: dict[str, list[Row]] = {}
        for section in sections_in_force(corpus).iter_rows(named=True):
            self.absaetze[section["section_id"]] = section["subsections"]
            headed = f"{section['heading']}: " if section["heading"] else ""
            self.texts[Place(section["section_id"], None)] = f"{section['citation']} {headed}{section['text']}"
            for absatz in section["subsections"]:
                if absatz["label"] and absatz["status"] == IN_FORCE and absatz["text"]:
                    place = Place(section["section_id"], absatz["label"])
                    self.texts.setdefault(place, f"{absatz['citation']} {headed}{absatz['text']}")
        self.position = {section_id: row for row, section_id in enumerate(corpus["section_id"])}
        self.slug = dict(corpus.select("section_id", "slug").iter_rows())
        self.definitions = Definitions(corpus)
        self._references: dict[str, list[Row]] = defaultdict(list)
        for row in references.filter(pl.col("target").is_not_null()).iter_rows(named=True):
            self._references[row["source"]].append(row)

    def referred_to(self, unit: Row) -> Iterator[Place]:
        """The places in force that a unit's references lead to: its Absatz where one is named, else the section."""
        for span in unit["spans"]:
            own = span["section_id"]
            overlapping = {a["citation"] for a in self.absaetze[own] if a["start"] < span["end"] and span["start"] < a["end"]}
            for row in self._references[own]:
                if row["source_citation"] in overlapping and re.search(rf"{re.escape(row['text'])}(?!\w)", unit["text"]):
                    named = _ABSATZ.search(row["target_citation"])
                    place = Place(row["target"], named[1] if named else None)
                    yield place if place in self.texts else Place(row["target"], None)

    def nearest(self, unit: Row) -> list[Place]:
        """All that a unit refers to or relies on outside its own sections: its own law's first, then by distance in the corpus."""
        here = self.position[unit["parents"][0]]
        found = dict.fromkeys([*self.referred_to(unit), *self.definitions.relied_on(unit["slug"], unit["text"])])
        there = [place for place in found if place in self.texts and place.section_id not in unit["parents"]]
        return sorted(there, key=lambda p: (self.slug[p.section_id] != unit["slug"], abs(self.position[p.section_id] - here)))


def enrich_reference_expanded(material: Material) -> pl.DataFrame:
    """What is added to each unit; no row for one that refers to nothing."""
    statute = _Statute(material.corpus, material.references())
    rows = []
    for unit in material.units.select("unit_id", "slug", "text", "parents", "spans").iter_rows(named=True):
        if places := statute.nearest(unit):
            text = _bounded("\n".join(statute.texts[place] for place in places), material.tokenize)
            rows.append({"node_id": unit["unit_id"], "level": 0, "members": [unit["unit_id"]], "text": text})
    return pl.DataFrame(rows, schema=ENRICHMENT_SCHEMA)


def _bounded(text: str, tokenize: Tokenize) -> str:
    """The text up to its `BOUND`th token."""
    (tokens,) = tokenize([text])
    return text if len(tokens) <= BOUND else text[: tokens[BOUND - 1][1]]


def build_reference_expanded(units: pl.DataFrame, enrichment: pl.DataFrame) -> pl.DataFrame:
    """One chunk a unit, embedded with what it refers to behind it."""
    added = enrichment.select(unit_id="node_id", added="text")
    joined = units.join(added, on="unit_id", how="left", maintain_order="left", validate="1:1")
    return unit_chunks(joined, pl.concat_str("text", "added", separator="\n\n", ignore_nulls=True))


def register() -> None:
    """Add `reference_expanded` to the registry."""
    STRATEGIES.register(Strategy("reference_expanded", "1", build_reference_expanded, enrich_reference_expanded))
