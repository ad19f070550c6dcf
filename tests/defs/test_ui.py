"""Dagster's UI as `lawrag ui` starts it, in a real browser."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import needs_browser, open_page

from lawrag_assets.chunking.cells import grid
from lawrag_assets.defs.instance import Holder, is_held
from lawrag_assets.settings import load_settings


def free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return int(listener.getsockname()[1])


@pytest.fixture
def ui(built: Path) -> Iterator[str]:
    """The UI's address, once it answers; ended as by Ctrl-C."""
    port = free_port()
    command = [sys.executable, "-c", "from lawrag_assets.cli import main; main()", "ui", "--port", str(port)]
    process = subprocess.Popen(
        command, env=os.environ, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )
    address = f"http://127.0.0.1:{port}"
    try:
        for _ in range(120):
            try:
                with urllib.request.urlopen(f"{address}/server_info", timeout=5):
                    break
            except OSError:
                time.sleep(1)
        else:
            pytest.fail("the UI did not answer within two minutes")
        yield address
    finally:
        os.killpg(process.pid, signal.SIGINT)
        try:
            process.wait(timeout=60)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def graphql(address: str, query: str) -> dict[str, object]:
    request = urllib.request.Request(
        f"{address}/graphql", json.dumps({"query": query}).encode(), {"Content-Type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=60) as answer:
        data: dict[str, object] = json.load(answer)["data"]
        return data


@pytest.mark.slow
@needs_browser
def test_the_ui_shows_the_graph_that_lawrag_run_has_materialized(ui: str) -> None:
    assert is_held(load_settings().paths, Holder.UI)
    nodes = graphql(ui, "{ assetNodes { assetKey { path } partitionStats { numPartitions numMaterialized } } }")["assetNodes"]
    assert isinstance(nodes, list)
    assert len(nodes) == 37
    stats = {node["assetKey"]["path"][0]: node["partitionStats"] for node in nodes}
    assert stats["cell_metrics"] == {"numPartitions": len(grid()), "numMaterialized": 2}
    assert stats["law_xml"] == {"numPartitions": 1, "numMaterialized": 1}
    with open_page() as page:
        page.goto(f"{ui}/assets", wait_until="domcontentloaded")
        page.get_by_text("benchmark_report").first.wait_for(timeout=60_000)
