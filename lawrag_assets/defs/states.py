"""The state of every cell, as `lawrag cells` lists it."""

from typing import TypedDict

from lawrag_assets.chunking.cells import grid
from lawrag_assets.definitions import build_definitions
from lawrag_assets.defs.instance import open_instance
from lawrag_assets.defs.outside import take_look
from lawrag_assets.defs.partitions import cell_key
from lawrag_assets.settings import Settings


class CellState(TypedDict):
    """One cell. `stale`: it is built, but it or anything that it is made from is not up to date."""

    base_unit: str
    strategy: str
    materialized: bool
    stale: bool


def cell_states(settings: Settings) -> list[CellState]:
    """Every cell of the grid with its state. Does not ask the law source, and writes nothing into an empty profile."""
    if not settings.paths.has_history:
        return [CellState(base_unit=cell.base_unit, strategy=cell.strategy, materialized=False, stale=False) for cell in grid()]
    last = "cell_metrics" if settings.questions else "chunk_index"
    states = []
    with open_instance(settings.paths) as instance:
        freshness = take_look(build_definitions(settings), settings, {}, instance)
        for cell in grid():
            built = freshness.is_built("chunk_index", cell_key(cell))
            stale = built and freshness.is_stale(last, cell_key(cell))
            states.append(CellState(base_unit=cell.base_unit, strategy=cell.strategy, materialized=built, stale=stale))
    return states
