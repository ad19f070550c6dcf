"""The partitions: laws (dynamic), base units, strategies, and the grid of cells. Nobody else takes a partition key apart."""

import dagster as dg

from lawrag_assets.chunking import BASE_UNITS, STRATEGIES
from lawrag_assets.chunking.cells import Cell
from lawrag_assets.chunking.propositions import PROPOSITION
from lawrag_assets.tables import Partition

LAWS = dg.DynamicPartitionsDefinition(name="laws")
BASE_UNIT_PARTITIONS = dg.StaticPartitionsDefinition(list(BASE_UNITS))
PROPOSITION_PARTITION = dg.StaticPartitionsDefinition([PROPOSITION])
STRATEGY_PARTITIONS = dg.StaticPartitionsDefinition(list(STRATEGIES))
GRID = dg.MultiPartitionsDefinition({"base_unit": BASE_UNIT_PARTITIONS, "strategy": STRATEGY_PARTITIONS})


def cell_key(cell: Cell) -> dg.MultiPartitionKey:
    """A cell's partition key."""
    return dg.MultiPartitionKey({"base_unit": cell.base_unit, "strategy": cell.strategy})


def cell_of(partition_key: str) -> Cell:
    """The cell that a partition key of the grid names."""
    dimensions = GRID.get_partition_key_from_str(partition_key).keys_by_dimension
    return Cell(dimensions["base_unit"], dimensions["strategy"])


def parts_of(partition_key: str | None) -> Partition:
    """A partition key's parts, as the table store files them."""
    if partition_key is None:
        return ()
    return tuple(cell_of(partition_key)) if "|" in partition_key else (partition_key,)
