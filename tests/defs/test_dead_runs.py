"""Runs whose process was killed, and the places in pools that they leave taken."""

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import dagster as dg
import pytest
from dagster._core.events import EngineEventData

from lawrag_assets.cli import run_command_line
from lawrag_assets.defs.dead_runs import dead_runs, fail_dead_runs, forgotten_places
from lawrag_assets.defs.instance import Holder, open_instance
from lawrag_assets.defs.pools import pool_states, set_pools, telling_of_waits
from lawrag_assets.settings import load_settings


@dg.op
def nothing() -> None:
    """What is run does not matter here."""


@dg.job
def some_job() -> None:
    """A job to make runs of."""
    nothing()


@pytest.fixture
def instance(tmp_path: Path) -> Iterator[dg.DagsterInstance]:
    with open_instance(load_settings(storage=tmp_path).paths) as opened:
        opened.event_log_storage.set_concurrency_slots("embedding", 1)
        yield opened


@pytest.fixture
def process() -> Iterator[subprocess.Popen[bytes]]:
    """A process that a run can say it is."""
    with subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"]) as sleeping:
        yield sleeping
        sleeping.kill()


def started(instance: dg.DagsterInstance, pid: int | None = None) -> dg.DagsterRun:
    """A run that is under way in that process and holds, or waits for, the one place in the pool `embedding`."""
    run = instance.create_run_for_job(some_job, status=dg.DagsterRunStatus.STARTED)
    if pid is not None:
        instance.report_engine_event("at work", run, EngineEventData({"pid": dg.MetadataValue.text(str(pid))}))
    instance.event_log_storage.claim_concurrency_slot("embedding", run.run_id, "unit_embeddings")
    return run


def status(instance: dg.DagsterInstance, run: dg.DagsterRun) -> dg.DagsterRunStatus:
    found = instance.get_run_by_id(run.run_id)
    assert found is not None
    return found.status


def test_a_run_is_dead_when_its_process_is_whoever_started_it(
    instance: dg.DagsterInstance, process: subprocess.Popen[bytes]
) -> None:
    run = started(instance, process.pid)
    assert fail_dead_runs(instance, alive=[]) == 0  # whoever started it is gone, its process is not
    process.kill()
    process.wait()
    assert dead_runs(instance, alive=[Holder.UI]) == [instance.get_run_by_id(run.run_id)]  # the UI lives on, its worker does not
    assert fail_dead_runs(instance, alive=[Holder.UI]) == 1
    assert status(instance, run) is dg.DagsterRunStatus.FAILURE
    assert instance.event_log_storage.get_concurrency_info("embedding").active_slot_count == 0


def test_a_process_that_got_the_number_of_a_dead_one_is_not_taken_for_it(
    instance: dg.DagsterInstance, process: subprocess.Popen[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    run = started(instance, process.pid)
    later = time.time() + 3600
    monkeypatch.setattr("time.time", lambda: later)  # so that the process seems to have begun an hour after the run
    assert [found.run_id for found in dead_runs(instance, alive=[Holder.UI])] == [run.run_id]


def test_the_place_of_a_run_that_has_ended_is_freed(instance: dg.DagsterInstance) -> None:
    run = started(instance)
    instance.report_run_failed(run)
    assert forgotten_places(instance) == [run.run_id]
    assert fail_dead_runs(instance, alive=[Holder.UI]) == 0
    assert forgotten_places(instance) == []


def test_who_waits_for_a_place_is_told_for_whom_and_waits_for_no_dead_run(
    instance: dg.DagsterInstance, process: subprocess.Popen[bytes]
) -> None:
    holding = started(instance, process.pid)
    waiting = started(instance)
    said: list[str] = []
    with telling_of_waits(instance, waiting.run_id, said.append, lambda: [Holder.UI, Holder.DRIVER], look_every=0.05):
        until(lambda: bool(said))
        process.kill()
        process.wait()
        until(lambda: status(instance, holding) is dg.DagsterRunStatus.FAILURE)
    assert said == [
        f"waiting for a place in the pool embedding: unit_embeddings of run {holding.run_id[:8]} is in it; "
        "`lawrag pools` shows and changes the limits"
    ]
    claim = instance.event_log_storage.claim_concurrency_slot("embedding", waiting.run_id, "unit_embeddings")
    assert claim.is_claimed


def until(holds: object, seconds: float = 30) -> None:
    end = time.monotonic() + seconds
    while not holds():  # type: ignore[operator]
        assert time.monotonic() < end
        time.sleep(0.05)


def test_limits_of_pools_are_shown_and_set(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["--storage", str(tmp_path), "pools", "--json"]
    assert run_command_line(command) == 0
    limits = {state["pool"]: state["limit"] for state in json.loads(capsys.readouterr().out)}
    assert limits == {"embedding": 1, "model": 1}
    assert run_command_line([*command, "--model", "4"]) == 0
    limits = {state["pool"]: state["limit"] for state in json.loads(capsys.readouterr().out)}
    assert limits == {"embedding": 1, "model": 4}


def test_four_may_be_in_a_pool_of_four(instance: dg.DagsterInstance) -> None:
    set_pools(instance, {"embedding": 4})
    for _ in range(5):
        started(instance)
    embedding = pool_states(instance)[0]
    assert (embedding["limit"], len(embedding["held"]), len(embedding["waiting"])) == (4, 4, 1)
