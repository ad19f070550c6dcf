"""`late`: a unit is embedded within its whole section ("late chunking", Günther et al. 2024): the model reads the section, and the vectors
of the unit's tokens, which have seen all of it, are averaged.

So a unit that says "er" or "in diesem Fall" carries what that means. Nothing is put before the text, and nothing of it is read twice. A
window that reaches over several sections has the tokens of all of them; a proposition those of the Absatz that it was written from.
"""

from collections import defaultdict

import polars as pl

from lawrag_assets.chunking.flat import unit_chunks
from lawrag_assets.chunking.material import Material
from lawrag_assets.chunking.registry import STRATEGIES, Strategy
from lawrag_assets.chunking.tables import ENRICHMENT_SCHEMA


def enrich_late(material: Material) -> pl.DataFrame:
    """The sections, with the units that are read within them and the text that is read: a change anywhere in it changes their vectors."""
    within: dict[str, list[str]] = defaultdict(list)
    for unit_id, parents in material.units.select("unit_id", "parents").iter_rows():
        for parent in dict.fromkeys(parents):
            within[parent].append(unit_id)
    texts = dict(material.corpus.select("section_id", "text").iter_rows())
    rows = [
        {"node_id": section_id, "level": 1, "members": unit_ids, "text": texts[section_id]}
        for section_id, unit_ids in within.items()
    ]
    return pl.DataFrame(rows, schema=ENRICHMENT_SCHEMA)


def build_late(units: pl.DataFrame, _enrichment: pl.DataFrame) -> pl.DataFrame:
    """One chunk a unit, with nothing of its own to embed."""
    return unit_chunks(units, pl.lit(None, dtype=pl.String))


def parts_read(units: pl.DataFrame, enrichment: pl.DataFrame) -> list[list[tuple[str, int, int]]]:
    """Of each unit the sections' texts that it is read within, and from which character to which it is part of them."""
    texts = dict(enrichment.select("node_id", "text").iter_rows())
    return [[(texts[span["section_id"]], span["start"], span["end"]) for span in spans] for spans in units["spans"]]


def register() -> None:
    """Add `late` to the registry."""
    STRATEGIES.register(Strategy("late", "1", build_late, enrich_late, pooling="tokens"))
