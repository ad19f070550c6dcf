"""`contextual`: a short generated prefix says where a unit stands and what it is about (paper, section 3, "Contextual chunking").

Only the embedded text changes: the prefix stands before the unit's own text, which is shown as it is.
"""

from typing import Any

import polars as pl

from lawrag_assets.chunking.flat import unit_chunks
from lawrag_assets.chunking.material import Material
from lawrag_assets.chunking.registry import STRATEGIES, Strategy
from lawrag_assets.chunking.tables import ENRICHMENT_SCHEMA
from lawrag_assets.generation.protocol import ContextRequest, Task

Row = dict[str, Any]


def enrich_contextual(material: Material) -> pl.DataFrame:
    """A context a unit, from the headings above it, its sections' whole text and its own."""
    columns = ["section_id", "heading", "hierarchy", "text"]
    sections = {row["section_id"]: row for row in material.corpus.select(columns).iter_rows(named=True)}
    rows = list(material.units.select("unit_id", "citation", "text", "parents").iter_rows(named=True))
    answers = material.generator.generate([_request(row, [sections[parent] for parent in row["parents"]]) for row in rows])
    return pl.DataFrame(
        [
            {"node_id": row["unit_id"], "level": 0, "members": [row["unit_id"]], "text": answer.value}
            for row, answer in zip(rows, answers, strict=True)
        ],
        schema=ENRICHMENT_SCHEMA,
    )


def _request(unit: Row, sections: list[Row]) -> ContextRequest:
    """The headings are those of the first of the unit's sections: a window stays under one lowest heading."""
    titles = (heading["title"] or heading["label"] for heading in sections[0]["hierarchy"])
    return ContextRequest(
        citation=unit["citation"],
        hierarchy=tuple(title for title in titles if title),
        heading=sections[0]["heading"] or "",
        section=" ".join(section["text"] for section in sections),
        unit=unit["text"],
    )


def build_contextual(units: pl.DataFrame, enrichment: pl.DataFrame) -> pl.DataFrame:
    """One chunk a unit, embedded with its context before it."""
    contexts = enrichment.select(unit_id="node_id", context="text")
    joined = units.join(contexts, on="unit_id", how="left", maintain_order="left", validate="1:1")
    return unit_chunks(joined, pl.concat_str("context", "text", separator="\n\n"))


def register() -> None:
    """Add `contextual` to the registry."""
    STRATEGIES.register(Strategy("contextual", "1", build_contextual, enrich_contextual, (Task.CONTEXT,)))
