"""Keeps what assets return as tables, and hands tables to the assets below. Layout and atomic writing are the table store's."""

import dagster as dg
import polars as pl

from lawrag_assets.defs.partitions import parts_of
from lawrag_assets.defs.tags import run_tags
from lawrag_assets.tables import TableStore


class TableIOManager(dg.IOManager):
    """Polars frames in, Polars frames out; several partitions come one below the other, in the order of their keys.

    One partition and many give the same kind of thing, so an asset below a fan-in need not tell them apart. Each table carries the id of
    the run that wrote it: where that is not the run Dagster recorded last, the process died in between. As every run comes by here, it gets
    its tags here.
    """

    def __init__(self, store: TableStore) -> None:
        self._store = store

    def handle_output(self, context: dg.OutputContext, obj: pl.DataFrame) -> None:
        """Write the frame as the asset's table, or its partition's."""
        partition = context.partition_key if context.has_asset_partitions else None
        path = self._store.write(obj, context.asset_key.to_user_string(), parts_of(partition), run_id=context.run_id)
        context.add_output_metadata({"table": dg.MetadataValue.path(str(path)), "dagster/row_count": obj.height})
        step = context.step_context
        step.instance.add_run_tags(step.run_id, run_tags(context.asset_key.to_user_string(), partition, self._store, step.run_id))

    def load_input(self, context: dg.InputContext) -> pl.DataFrame:
        """Read the partitions that the asset below depends on."""
        keys = sorted(context.asset_partition_keys) if context.has_asset_partitions else [None]
        return self._store.read(context.asset_key.to_user_string(), [parts_of(key) for key in keys])
