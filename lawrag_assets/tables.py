"""The profile's tables as Parquet files, `<asset>.parquet` or `<asset>/<partition>.parquet`, written so that a reader sees old or new.

They lie in a folder or in an object store. What the columns mean stands with the room that makes them.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import polars as pl

from lawrag_assets.files import Place, atomic_path

Partition = tuple[str, ...]
"""The parts of a partition: () of an unpartitioned table, (slug,) of a law, (base_unit, strategy) of a cell."""


_RUN_ID = "lawrag_run_id"


def content_hash(frame: pl.DataFrame) -> str:
    """A hash of what a table says: schema and rows."""
    digest = hashlib.sha256(repr(frame.schema).encode())
    digest.update(frame.write_ndjson().encode())
    return digest.hexdigest()[:16]


@dataclass(frozen=True)
class TableStore:
    """Tables under one folder."""

    root: Place

    def path(self, table: str, partition: Partition = ()) -> Place:
        """Where the table lies or would lie."""
        *folders, name = (table, *partition)
        return self.root.joinpath(*folders, f"{name}.parquet")

    def name(self, table: str, partition: Partition = ()) -> str:
        """The table's path from the profile's folder: the same wherever that is."""
        return "/".join((self.root.name, table, *partition)) + ".parquet"

    def exists(self, table: str, partition: Partition = ()) -> bool:
        """Whether the table was written."""
        return self.path(table, partition).is_file()

    def write(self, frame: pl.DataFrame, table: str, partition: Partition = (), *, run_id: str) -> Place:
        """Write the table in one step, stamped with the run that made it, and return its path."""
        path = self.path(table, partition)
        with atomic_path(path) as temporary:
            frame.write_parquet(temporary, metadata={_RUN_ID: run_id})
        return path

    def read(self, table: str, partitions: Sequence[Partition] = ((),), columns: list[str] | None = None) -> pl.DataFrame:
        """The named partitions one below the other. A partition that was never written is an error, not an empty table."""
        return pl.concat([pl.read_parquet(str(self.path(table, partition)), columns=columns) for partition in partitions])

    def run_id(self, table: str, partition: Partition = ()) -> str | None:
        """The run that wrote the table; None where there is no table."""
        path = self.path(table, partition)
        return pl.read_parquet_metadata(str(path)).get(_RUN_ID) if path.is_file() else None

    def remove(self, table: str, partition: Partition = ()) -> None:
        """Take the table away, if it is there: what it speaks of is about to be made anew."""
        self.path(table, partition).unlink(missing_ok=True)
