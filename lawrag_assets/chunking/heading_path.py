"""`heading_path`: a unit is embedded behind the law's name and the headings above it, as a reader of the statute comes to it.

What `contextual` asks a generator for, the statute says itself; here nothing else is put before the unit, and nothing is asked.
"""

from typing import Any

import polars as pl

from lawrag_assets.chunking.contextual import build_contextual
from lawrag_assets.chunking.material import Material
from lawrag_assets.chunking.registry import STRATEGIES, Strategy
from lawrag_assets.chunking.tables import ENRICHMENT_SCHEMA

STEP = " › "


def enrich_heading_path(material: Material) -> pl.DataFrame:
    """A path a unit: law › hierarchy › heading of its section; of the first, where it has several."""
    sections = material.corpus.select("section_id", "law", "hierarchy", "heading")
    paths = {row["section_id"]: heading_path(row) for row in sections.iter_rows(named=True)}
    rows = [
        {"node_id": unit_id, "level": 0, "members": [unit_id], "text": paths[parents[0]]}
        for unit_id, parents in material.units.select("unit_id", "parents").iter_rows()
    ]
    return pl.DataFrame(rows, schema=ENRICHMENT_SCHEMA)


def heading_path(section: dict[str, Any]) -> str:
    """Law › hierarchy › heading of a section (`law`, `hierarchy` and `heading` of `laws.tables.SECTIONS_SCHEMA`)."""
    titles = (heading["title"] or heading["label"] for heading in section["hierarchy"])
    return STEP.join(step for step in (section["law"], *titles, section["heading"]) if step)


def register() -> None:
    """Add `heading_path` to the registry."""
    STRATEGIES.register(Strategy("heading_path", "1", build_contextual, enrich_heading_path))
