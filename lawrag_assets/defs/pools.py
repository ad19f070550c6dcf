"""Pools: how many assets may embed, or ask a language model, at the same time, over all runs of a profile.

The limits are kept by Dagster's instance; `dagster.yaml` says what holds where none was set. Which asset belongs to which pool stands
with the asset.
"""

import threading
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from typing import TypedDict

import dagster as dg

from lawrag_assets.defs.dead_runs import fail_dead_runs
from lawrag_assets.defs.embedding import EMBEDDING_POOL
from lawrag_assets.defs.generation import MODEL_POOL
from lawrag_assets.defs.instance import Holder

POOLS = (EMBEDDING_POOL, MODEL_POOL)
_LOOK_EVERY = 5.0


class PoolState(TypedDict):
    """One pool. `held` and `waiting` name runs and their assets."""

    pool: str
    limit: int
    held: list[str]
    waiting: list[str]


def set_pools(instance: dg.DagsterInstance, limits: dict[str, int]) -> None:
    """Set how many assets of each pool may be at work at once."""
    for pool, limit in limits.items():
        instance.event_log_storage.set_concurrency_slots(pool, limit)


def pool_states(instance: dg.DagsterInstance) -> list[PoolState]:
    """Each pool's limit, who is in it and who waits."""
    states = []
    for pool in POOLS:
        info = instance.event_log_storage.get_concurrency_info(pool)
        waiting = [step for step in info.pending_steps if step.assigned_timestamp is None]
        states.append(
            PoolState(
                pool=pool,
                limit=info.slot_count or info.limit or 0,
                held=[_named(instance, slot.run_id, slot.step_key) for slot in info.claimed_slots],
                waiting=[_named(instance, step.run_id, step.step_key) for step in waiting],
            )
        )
    return states


def _named(instance: dg.DagsterInstance, run_id: str, step: str) -> str:
    run = instance.get_run_by_id(run_id)
    partition = run.tags.get("dagster/partition") if run else None
    return f"{step}{f' [{partition}]' if partition else ''} of run {run_id[:8]}"


@contextmanager
def telling_of_waits(
    instance: dg.DagsterInstance,
    run_id: str,
    say: Callable[[str], None],
    alive: Callable[[], Collection[Holder]],
    look_every: float = _LOOK_EVERY,
) -> Iterator[None]:
    """While the block works on the run: say which other run it waits for, and let none wait for a run that has died.

    `alive` tells who is at work on the profile. Dagster waits for a place in silence, and for ever.
    """
    over = threading.Event()

    def watch() -> None:
        told: set[str] = set()
        while not over.wait(look_every):
            for pool in POOLS:
                info = instance.event_log_storage.get_concurrency_info(pool)
                if run_id not in info.pending_run_ids:
                    continue
                fail_dead_runs(instance, alive=alive())
                held = ", ".join(_named(instance, slot.run_id, slot.step_key) for slot in info.claimed_slots)
                if held and held not in told:
                    told.add(held)
                    say(f"waiting for a place in the pool {pool}: {held} is in it; `lawrag pools` shows and changes the limits")

    watcher = threading.Thread(target=watch, name="pool-watch", daemon=True)
    watcher.start()
    try:
        yield
    finally:
        over.set()
        watcher.join()
