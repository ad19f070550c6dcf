"""A failed run is reported to an address, and the age of the last look at the laws to Dagster's freshness."""

import asyncio
import json
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import dagster as dg
import httpx
import pytest
from dagster._core.definitions.freshness import FreshnessState
from dagster._core.definitions.freshness_evaluator import FRESHNESS_EVALUATORS_BY_POLICY_TYPE

from lawrag_assets.definitions import build_definitions
from lawrag_assets.defs.alerts import failure_alert
from lawrag_assets.defs.freshness import _Loading
from lawrag_assets.defs.instance import open_instance
from lawrag_assets.defs.looks import FAIL_AFTER, last_look, law_source, record_look
from lawrag_assets.settings import load_settings


@dg.op
def saw() -> None:
    """Fails."""
    raise RuntimeError("the saw is blunt")


@dg.job(tags={"lawrag/law": "bgb", "lawrag/build": "2025-02-06", "lawrag/cell": "section/flat"})
def sawing() -> None:
    """A job whose only run fails."""
    saw()


class Receiver(HTTPServer):
    """Keeps what is posted to it; answers with `status`."""

    def __init__(self) -> None:
        self.received: list[dict[str, Any]] = []
        self.status = 200
        super().__init__(("127.0.0.1", 0), _Handler)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/alerts"


class _Handler(BaseHTTPRequestHandler):
    server: Receiver

    def do_POST(self) -> None:
        self.server.received.append(json.loads(self.rfile.read(int(self.headers["content-length"]))))
        self.send_response(self.server.status)
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with Receiver() as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        yield server
        server.shutdown()


def report_a_failure(alert_url: str, storage: Path) -> dg.DagsterRun:
    """Let a run fail, and evaluate the sensor on it as the daemon does."""
    settings = load_settings(storage=storage, alert_url=alert_url)
    with open_instance(settings.paths) as instance:
        result = sawing.execute_in_process(instance=instance, raise_on_error=False)
        context = dg.build_run_status_sensor_context(
            "alert_on_failure", result.get_run_failure_event(), instance, result.dagster_run
        ).for_run_failure()
        failure_alert(settings)(context)
    return result.dagster_run


def test_a_failed_run_is_posted_with_its_reason_law_build_and_cell(receiver: Receiver, tmp_path: Path) -> None:
    run = report_a_failure(receiver.address, tmp_path)
    (alert,) = receiver.received
    assert alert["run"] == run.run_id
    assert (alert["profile"], alert["job"], alert["reason"]) == ("default", "sawing", "saw: RuntimeError: the saw is blunt")
    assert (alert["law"], alert["build"], alert["cell"]) == ("bgb", "2025-02-06", "section/flat")


def test_an_address_that_takes_no_report_is_an_error_of_the_tick(receiver: Receiver, tmp_path: Path) -> None:
    receiver.status = 500
    with pytest.raises(httpx.HTTPStatusError):
        report_a_failure(receiver.address, tmp_path)


def test_without_an_address_the_sensor_is_off(tmp_path: Path) -> None:
    report_a_failure("", tmp_path)
    states = [
        next(
            s
            for s in build_definitions(load_settings(storage=tmp_path, alert_url=url)).sensors or ()
            if s.name == "alert_on_failure"
        )
        for url in ("", "http://127.0.0.1:9/alerts")
    ]
    assert [state.default_status for state in states] == [dg.DefaultSensorStatus.STOPPED, dg.DefaultSensorStatus.RUNNING]


def test_freshness_is_counted_from_the_last_look_at_the_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = load_settings(storage=tmp_path)
    node = build_definitions(settings).resolve_asset_graph().get(law_source.key)
    evaluator = FRESHNESS_EVALUATORS_BY_POLICY_TYPE[type(node.freshness_policy)]()
    with open_instance(settings.paths) as instance:
        assert last_look(instance) is None
        assert instance.freshness_enabled

        def state() -> FreshnessState:
            return asyncio.run(evaluator.evaluate_freshness(_Loading(instance), node))

        assert state() is FreshnessState.UNKNOWN
        record_look(instance, "a folder", {"bgb": "0" * 64})
        assert state() is FreshnessState.PASS
        looked = last_look(instance)
        assert looked is not None
        assert datetime.now(UTC) - looked < timedelta(minutes=1)
        late = (looked + FAIL_AFTER + timedelta(minutes=1)).timestamp()
        monkeypatch.setattr("dagster._core.definitions.freshness_evaluator.get_current_timestamp", lambda: late)
        assert state() is FreshnessState.FAIL
