"""Opening a profile's Dagster storage, and waiting for a backfill: what goes wrong where several processes are at it."""

import multiprocessing
from multiprocessing.synchronize import Barrier
from pathlib import Path

import pytest
from dagster._core.execution.backfill import BulkActionStatus, PartitionBackfill

from lawrag_assets.defs.backfills import wait_for
from lawrag_assets.defs.instance import open_instance
from lawrag_assets.errors import WorkFailedError
from lawrag_assets.settings import load_settings


def open_at_once(root: Path, barrier: Barrier) -> None:
    barrier.wait(60)
    with open_instance(load_settings(storage=root).paths) as instance:
        assert instance.get_runs_count() == 0


def test_processes_that_open_a_new_storage_at_once_all_get_it(tmp_path: Path) -> None:
    spawn = multiprocessing.get_context("spawn")
    barrier = spawn.Barrier(3)
    processes = [spawn.Process(target=open_at_once, args=(tmp_path, barrier)) for _ in range(3)]
    for process in processes:
        process.start()
    for process in processes:
        process.join(120)
    assert [process.exitcode for process in processes] == [0, 0, 0]


def test_nobody_waits_for_a_daemon_that_has_ended(tmp_path: Path) -> None:
    with open_instance(load_settings(storage=tmp_path).paths) as instance:
        asked = PartitionBackfill("abcdefgh", BulkActionStatus.REQUESTED, from_failure=False, tags={}, backfill_timestamp=0.0)
        instance.add_backfill(asked)
        at_work = iter([True, False])
        said: list[str] = []
        with pytest.raises(WorkFailedError, match="daemon ended before backfill abcdefgh"):
            wait_for(instance, "abcdefgh", said.append, lambda: next(at_work))
        assert said == ["backfill abcdefgh: 0 runs done, 0 failed"]
