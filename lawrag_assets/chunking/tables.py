"""The schemas of units and chunks. Rows are in document order; `position` counts them from 0."""

import polars as pl

SPAN = pl.Struct({"section_id": pl.String(), "start": pl.Int32(), "end": pl.Int32()})

UNITS_SCHEMA = pl.Schema(
    {
        "unit_id": pl.String(),  # readable and stable: bgb/§433, bgb/§433/Abs1, bgb/§433/Abs1/S2, bgb/§433@120
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

CHUNKS_SCHEMA = pl.Schema(
    {
        "chunk_id": pl.String(),  # readable and stable
        "slug": pl.String(),
        "build": pl.String(),
        "citation": pl.String(),
        "text": pl.String(),  # what is embedded and shown
        "parents": pl.List(pl.String),  # section ids that a hit on this chunk speaks for
        "units": pl.List(pl.String),  # the units it is made of
        "position": pl.Int32(),
    }
)
