"""The schemas of units, propositions, enrichments and chunks. Rows are in document order; `position` counts them from 0."""

import polars as pl

SPAN = pl.Struct({"section_id": pl.String(), "start": pl.Int32(), "end": pl.Int32()})

UNITS_SCHEMA = pl.Schema(
    {
        "unit_id": pl.String(),  # readable and stable: bgb/§433, bgb/§433/Abs1, bgb/§433/Abs1/S2, bgb/§433/Abs1/P3, bgb/§433@120
        "base_unit": pl.String(),
        "slug": pl.String(),  # the law's folder on the official site
        "build": pl.String(),  # build date of the law's XML, YYYY-MM-DD
        "citation": pl.String(),
        "text": pl.String(),
        "parents": pl.List(pl.String),  # section ids, in document order
        "spans": pl.List(SPAN),  # where the text stands: characters of a section's text, end exclusive
        "position": pl.Int32(),
    }
)

PROPOSITIONS_SCHEMA = pl.Schema(
    {
        "source": pl.String(),  # the subsection's unit id
        "number": pl.Int32(),  # from 1 within the subsection
        "slug": pl.String(),
        "build": pl.String(),
        "citation": pl.String(),  # the subsection's
        "text": pl.String(),
        "section_id": pl.String(),
        "start": pl.Int32(),  # the subsection's place in its section: what was written anew has none of its own
        "end": pl.Int32(),
    }
)

ENRICHMENT_SCHEMA = pl.Schema(
    {
        "node_id": pl.String(),  # readable and stable; of a node about one unit, that unit's id
        "level": pl.Int32(),  # 0: about one unit; 1: units put together; above: nodes of the level below put together
        "members": pl.List(pl.String),  # ids of units, or of nodes of the level below, in document order
        "text": pl.String(),  # what was written about the members; null where they were only put together
    }
)

CHUNKS_SCHEMA = pl.Schema(
    {
        "chunk_id": pl.String(),  # readable and stable
        "slug": pl.String(),
        "build": pl.String(),
        "citation": pl.String(),
        "text": pl.String(),  # what is shown
        "embedded": pl.String(),  # what is embedded; null where the mean of the units' vectors, or of their tokens', stands for the chunk
        "parents": pl.List(pl.String),  # section ids that a hit on this chunk speaks for
        "units": pl.List(pl.String),  # the units it is made of
        "children": pl.List(pl.String),  # chunks below it in a tree of summaries; empty elsewhere
        "position": pl.Int32(),
    }
)
