"""Runs whose process has died: finding them, marking them as failed, freeing the places they keep in pools.

A run that is killed stays STARTED and keeps its places, and the next one would wait for them for ever. Dagster's own monitoring sees the
death of a run that the UI's code server launched; it sees neither one of `lawrag run` nor any when the server itself has died.
"""

import contextlib
import os
import time
from collections.abc import Collection
from pathlib import Path

import dagster as dg
from dagster._core.storage.runs.sqlite import SqliteRunStorage

from lawrag_assets.defs.instance import ACTIVE, DRIVER_TAG, Holder

_CLOCKS = 2.0
"""Seconds that a process may seem to have begun after the event that names it: the two are read off different clocks."""


def dead_runs(instance: dg.DagsterInstance, *, alive: Collection[Holder]) -> list[dg.DagsterRun]:
    """Active runs that nobody works on any more.

    A run names its process in its event log, and is dead when that is gone. One that names none yet is dead unless whoever started it,
    `lawrag run` or Dagster's UI, is among `alive`. On a database that several machines share, process numbers say nothing and the
    launchers look after their runs: there only runs of a `lawrag run` that is not alive are dead.
    """
    runs = instance.get_runs(filters=dg.RunsFilter(statuses=ACTIVE))
    if not isinstance(instance.run_storage, SqliteRunStorage):
        return [run for run in runs if _started_by(run) is Holder.DRIVER and Holder.DRIVER not in alive]
    return [run for run in runs if _is_dead(instance, run, alive)]


def fail_dead_runs(instance: dg.DagsterInstance, *, alive: Collection[Holder]) -> int:
    """Mark dead runs as failed and free their places, and those that ended runs left taken; return how many runs were dead."""
    dead = dead_runs(instance, alive=alive)
    for run in dead:
        instance.report_run_failed(run, "The process of this run has died.")
    for run_id in [*(run.run_id for run in dead), *forgotten_places(instance)]:
        instance.event_log_storage.free_concurrency_slots_for_run(run_id)
    return len(dead)


def forgotten_places(instance: dg.DagsterInstance) -> list[str]:
    """The runs that have ended, or are gone, and still keep a place in a pool."""
    keeping = instance.event_log_storage.get_concurrency_run_ids()
    known = {run_id: instance.get_run_by_id(run_id) for run_id in sorted(keeping)}
    return [run_id for run_id, run in known.items() if run is None or run.is_finished]


def _is_dead(instance: dg.DagsterInstance, run: dg.DagsterRun, alive: Collection[Holder]) -> bool:
    process = _process(instance, run.run_id)
    return _started_by(run) not in alive if process is None else not _lives(*process)


def _started_by(run: dg.DagsterRun) -> Holder:
    """Who started a run. One that the UI starts again inherits the tags of the run it repeats, so the tag alone does not tell."""
    return Holder.DRIVER if DRIVER_TAG in run.tags and run.parent_run_id is None else Holder.UI


def _process(instance: dg.DagsterInstance, run_id: str) -> tuple[int, float] | None:
    """The number of the run's process, and when the run said so."""
    found = None
    for record in instance.get_records_for_run(run_id, of_type=dg.DagsterEventType.ENGINE_EVENT).records:
        event = record.event_log_entry.dagster_event
        pid = event.engine_event_data.metadata.get("pid") if event and event.step_key is None else None
        if pid is not None:
            found = int(str(pid.value)), record.event_log_entry.timestamp
    return found


def _lives(pid: int, said: float) -> bool:
    """Whether the process is still there, and not another one that got its number."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # somebody else's: the number was given anew
        return False
    with contextlib.suppress(OSError, ValueError, IndexError):  # no /proc: the number alone has to do
        state, *fields = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()
        began = time.time() - _uptime() + int(fields[18]) / os.sysconf("SC_CLK_TCK")
        return state != "Z" and began <= said + _CLOCKS
    return True


def _uptime() -> float:
    return float(Path("/proc/uptime").read_text("utf-8").split()[0])
