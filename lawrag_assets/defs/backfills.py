"""Backfills of many cells: asking Dagster's daemon for one, and what became of it.

One run is made a partition, so a cell that fails stops no other, and what a failed one needs and has is not made again.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import dagster as dg
from dagster._core.definitions.assets.graph.asset_graph_subset import AssetGraphSubset
from dagster._core.definitions.events import AssetKeyPartitionKey
from dagster._core.execution.backfill import BULK_ACTION_TERMINAL_STATUSES, PartitionBackfill
from dagster._core.utils import make_new_backfill_id

from lawrag_assets.chunking.cells import Cell
from lawrag_assets.defs.failures import reason_of_run
from lawrag_assets.defs.freshness import Freshness, Node
from lawrag_assets.defs.plan import GATHERED, steps
from lawrag_assets.errors import WorkFailedError

BACKFILL_TAG = "dagster/backfill"
_LOOK_EVERY = 2.0


@dataclass
class BackfillState:
    """What a backfill has come to. `failed` holds the reason of each failed run by what it was to make."""

    backfill_id: str
    title: str
    status: str
    over: bool
    done: int = 0
    failed: dict[str, str] = field(default_factory=dict)


def stale_nodes(freshness: Freshness, laws: Sequence[str], cells: Sequence[Cell], *, evaluate: bool) -> set[Node]:
    """All that the cells need and that is not up to date. Search times and the report are left out:
    one failed cell would keep them from being made."""
    needed = {
        (asset, step.partition)
        for step in steps(laws, cells, evaluate=evaluate)
        if step.assets not in GATHERED
        for asset in step.assets
    }
    return {node for node in needed if freshness.is_stale(*node)}


def request_backfill(instance: dg.DagsterInstance, freshness: Freshness, nodes: set[Node], title: str) -> str:
    """Ask for a backfill of these partitions, which begins as soon as the daemon of `lawrag ui` is at work; return its id."""
    wanted = {AssetKeyPartitionKey(dg.AssetKey(asset), partition) for asset, partition in nodes}
    backfill_id = make_new_backfill_id()
    backfill = PartitionBackfill.from_asset_graph_subset(
        backfill_id=backfill_id,
        backfill_timestamp=time.time(),
        tags={},
        dynamic_partitions_store=instance,
        asset_graph_subset=AssetGraphSubset.from_asset_partition_set(wanted, freshness.graph),
        title=title,
        description=None,
        run_config=None,
    )
    instance.add_backfill(backfill)
    return backfill_id


def backfill_state(instance: dg.DagsterInstance, backfill_id: str) -> BackfillState:
    """What the backfill has come to by now. KeyError for one that there is not."""
    backfill = instance.get_backfill(backfill_id)
    if backfill is None:
        raise KeyError(backfill_id)
    state = BackfillState(
        backfill_id, backfill.title or "", backfill.status.value.lower(), over=backfill.status in BULK_ACTION_TERMINAL_STATUSES
    )
    for run in instance.get_runs(filters=dg.RunsFilter(tags={BACKFILL_TAG: backfill_id})):
        if run.status is dg.DagsterRunStatus.SUCCESS:
            state.done += 1
        elif run.status in {dg.DagsterRunStatus.FAILURE, dg.DagsterRunStatus.CANCELED}:
            partition = run.tags.get("dagster/partition")
            assets = ", ".join(sorted(key.to_user_string() for key in run.asset_selection or ()))
            state.failed[f"{assets}{f' [{partition}]' if partition else ''}"] = reason_of_run(instance, run.run_id)
    return state


def newest_backfill(instance: dg.DagsterInstance) -> BackfillState | None:
    """The backfill that was asked for last."""
    backfills = instance.get_backfills(limit=1)
    return backfill_state(instance, backfills[0].backfill_id) if backfills else None


def wait_for(
    instance: dg.DagsterInstance, backfill_id: str, say: Callable[[str], None], daemon_at_work: Callable[[], bool]
) -> BackfillState:
    """Wait until the backfill is over, saying how far it is. Raises WorkFailedError where the daemon ends before it."""
    told = -1
    at_work = False
    while True:
        was_at_work, at_work = at_work, daemon_at_work()
        state = backfill_state(instance, backfill_id)
        if state.over:
            return state
        if was_at_work and not at_work:
            raise WorkFailedError(
                f"the daemon ended before backfill {backfill_id}: start `lawrag ui` on this profile, and it goes on"
            )
        if told != (ended := state.done + len(state.failed)):
            told = ended
            say(f"backfill {backfill_id}: {state.done} runs done, {len(state.failed)} failed")
        time.sleep(_LOOK_EVERY)
