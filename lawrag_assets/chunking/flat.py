"""`flat`: every unit is a chunk, its text embedded as it stands (the paper's structural baselines and fixed windows)."""

import polars as pl

from lawrag_assets.chunking.registry import STRATEGIES, Strategy
from lawrag_assets.chunking.tables import CHUNKS_SCHEMA


def build_flat(units: pl.DataFrame) -> pl.DataFrame:
    """One chunk a unit, with the unit's id."""
    chunks = units.with_columns(chunk_id=pl.col("unit_id"), units=pl.concat_list("unit_id"))
    return chunks.select(CHUNKS_SCHEMA.names())


def register() -> None:
    """Add `flat` to the registry."""
    STRATEGIES.register(Strategy("flat", "1", build_flat))
