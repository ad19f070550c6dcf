"""`flat`: every unit is a chunk, its text embedded as it stands (the paper's structural baselines and fixed windows)."""

import polars as pl

from lawrag_assets.chunking.registry import STRATEGIES, Strategy
from lawrag_assets.chunking.tables import CHUNKS_SCHEMA


def build_flat(units: pl.DataFrame, _enrichment: pl.DataFrame) -> pl.DataFrame:
    """One chunk a unit, with the unit's id."""
    return unit_chunks(units, pl.col("text"))


def unit_chunks(units: pl.DataFrame, embedded: pl.Expr) -> pl.DataFrame:
    """One chunk a unit; `embedded` is the text that its vector is of."""
    chunks = units.with_columns(
        chunk_id=pl.col("unit_id"),
        embedded=embedded,
        units=pl.concat_list("unit_id"),
        children=pl.lit([], dtype=pl.List(pl.String)),
    )
    return chunks.select(CHUNKS_SCHEMA.names()).cast(CHUNKS_SCHEMA)


def register() -> None:
    """Add `flat` to the registry."""
    STRATEGIES.register(Strategy("flat", "1", build_flat))
