"""Data versions that tell the truth: a hash of what a table says, never of vector bytes or timings.

Assets whose content is vectors, scores or timings state no version; Dagster then derives one from the asset's code version and the
versions of its inputs, which is just what it depends on.
"""

import dagster as dg
import polars as pl
from dagster._core.definitions.metadata import RawMetadataValue

from lawrag_assets.tables import content_hash

Metadata = dict[str, RawMetadataValue]
"""What the UI shows of a materialization, by name."""


def table_version(frame: pl.DataFrame) -> dg.DataVersion:
    """The version of a table: schema and rows."""
    return dg.DataVersion(content_hash(frame))


def table_result(frame: pl.DataFrame, metadata: Metadata) -> dg.MaterializeResult[pl.DataFrame]:
    """A table with the version of its content and what the UI shows of it."""
    return dg.MaterializeResult(value=frame, data_version=table_version(frame), metadata=metadata)


def number(value: object) -> float:
    """A statistic of an integer column as a number that plots; 0 of an empty column."""
    return float(value) if isinstance(value, int | float) else 0.0
