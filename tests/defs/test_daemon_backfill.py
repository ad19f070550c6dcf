"""A backfill by the daemon of `lawrag ui`: a failed cell stops no other, a killed worker is found, the end says what failed and why."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import dagster as dg
import pytest
from cli.test_commands import law_folder
from defs.test_ui import free_port
from laws.made import document, norm

from lawrag_assets.cli import run_command_line
from lawrag_assets.defs.dead_runs import forgotten_places
from lawrag_assets.defs.instance import Holder, is_held, open_instance
from lawrag_assets.settings import load_settings, write_profile

CELLS = ["section/flat", "section/contextual", "subsection/flat"]


@pytest.fixture
def daemon(
    tiny_model: Callable[..., Path], models_dir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[subprocess.Popen[bytes]]:
    """`lawrag ui` on a new profile whose language model answers nothing, for it may only be looked up."""
    storage = tmp_path / "storage"
    storage.mkdir()
    (storage / "models").symlink_to(models_dir)
    monkeypatch.setenv("LAWRAG_STORAGE", str(storage))
    monkeypatch.setenv("LAWRAG_LLM_CACHE", "only-cache")
    law = document(*(norm(f"<P>(1) Die Frist {n} gilt.</P><P>(2) Satz {n} nicht.</P>", enbez=f"§ {n}") for n in range(1, 9)))
    source = law_folder(tmp_path / "source", "testg", law)
    values = {"laws": ["testg"], "questions": [], "law_source": str(source), "embedding_model": str(tiny_model("tiny"))}
    write_profile(load_settings().paths, values | {"llm": "openai/local"})
    command = [sys.executable, "-c", "from lawrag_assets.cli import main; main()", "ui", "--port", str(free_port())]
    with (tmp_path / "ui.log").open("w") as log:
        process = subprocess.Popen([*command, "--log-format", "json"], stdout=log, stderr=log, start_new_session=True)
    until(lambda: is_held(load_settings().paths, Holder.UI), 120)
    yield process
    os.killpg(process.pid, signal.SIGINT)
    try:
        process.wait(timeout=60)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def until(holds: Callable[[], object], seconds: float) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.1)


def worker(instance: dg.DagsterInstance) -> int:
    """The process of a run that is under way; 0 if there is none."""
    for run in instance.get_runs(filters=dg.RunsFilter(statuses=[dg.DagsterRunStatus.STARTED])):
        for entry in instance.all_logs(run.run_id, of_type=dg.DagsterEventType.ENGINE_EVENT):
            if found := re.search(r"pid: (\d+)", entry.message):
                return int(found[1])
    return 0


@pytest.mark.slow
def test_a_backfill_makes_what_it_can_and_says_what_failed_and_why(
    daemon: subprocess.Popen[bytes], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command_line(["backfill", "section/flat", "--wait"]) == 0, (tmp_path / "ui.log").read_text()[-4000:]
    capsys.readouterr()
    assert run_command_line(["backfill", *CELLS, "--wait"]) == 1
    last = capsys.readouterr().err.splitlines()[-1]
    assert "1 failed" in last
    assert "section|contextual" in last
    assert "answers of openai/local to the task context are not in the cache" in last
    lancedb = load_settings().paths.lancedb
    assert sorted(path.name for path in lancedb.glob("*.lance")) == ["section.flat.lance", "subsection.flat.lance"]

    assert run_command_line(["backfill", *CELLS]) == 0
    assert "of 4 asset partitions" in capsys.readouterr().err  # the failed cell's own, and nothing that is done
    with open_instance(load_settings().paths) as instance:
        found: list[int] = []
        until(lambda: found.append(worker(instance)) or found[-1], 120)  # type: ignore[func-returns-value]
        os.kill(found[-1], signal.SIGKILL)
        until(lambda: not instance.get_runs(filters=dg.RunsFilter(statuses=[dg.DagsterRunStatus.STARTED])), 60)
        until(lambda: not forgotten_places(instance), 90)
    lines = (tmp_path / "ui.log").read_text().splitlines()
    assert sum(line.startswith("{") for line in lines) > 5
