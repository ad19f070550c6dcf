"""Two machines, each with a storage folder of its own, on one PostgreSQL and one object store.

A small grid is built by both, and read by both.
"""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import dagster as dg
import pytest
from servers import PASSWORD

from lawrag_assets.cache import open_cache
from lawrag_assets.cli import run_command_line
from lawrag_assets.definitions import build_definitions
from lawrag_assets.defs.instance import Holder, held, is_held, open_instance
from lawrag_assets.errors import InputError
from lawrag_assets.files import object_place
from lawrag_assets.settings import Settings, load_settings

pytestmark = pytest.mark.slow

FLAT = {("section", "flat"), ("subsection", "flat")}
CONTEXTUAL = {("section", "contextual"), ("subsection", "contextual")}
QUESTION = "Wie lange darf ich ein Gerät ausleihen?"
ONE_RUN = """
import sys
import dagster as dg
from lawrag_assets.definitions import build_definitions
from lawrag_assets.defs.instance import open_instance
from lawrag_assets.defs.partitions import cell_key
from lawrag_assets.chunking.cells import parse_cells
from lawrag_assets.settings import load_settings

settings = load_settings()
job = build_definitions(settings).resolve_implicit_global_asset_job_def()
[cell] = parse_cells([sys.argv[1]])
assets = ["enrichment", "chunks", "chunk_index", "lexical_index", "retrieval_run", "question_measures", "cell_metrics"]
with open_instance(settings.paths) as instance:
    print("ready", flush=True)
    sys.stdin.readline()
    selection = [dg.AssetKey(asset) for asset in assets]
    sys.exit(not job.execute_in_process(instance=instance, partition_key=cell_key(cell), asset_selection=selection).success)
"""


@pytest.fixture
def machine(
    postgres_url: str,
    artefacts: str,
    tiny_model: Callable[..., Path],
    models_dir: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Callable[[str], Settings]:
    """A function that makes this process work on the machine of that name, and returns its settings."""
    shared = {
        "LAWRAG_ARTEFACTS": artefacts,
        "LAWRAG_POSTGRES_URL": postgres_url,
        "LAWRAG_EMBEDDING_MODEL": str(tiny_model("tiny")),
        "LAWRAG_PROFILE": "team",
    }
    for name, value in shared.items():
        monkeypatch.setenv(name, value)

    def work_on(name: str) -> Settings:
        storage = tmp_path / name
        if not storage.is_dir():
            storage.mkdir()
            (storage / "models").symlink_to(models_dir)
        monkeypatch.setenv("LAWRAG_STORAGE", str(storage))
        return load_settings()

    return work_on


def result(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, object]]:
    capsys.readouterr()
    assert run_command_line([*arguments, "--json"]) == 0
    read = json.loads(capsys.readouterr().out)
    return read if isinstance(read, list) else [read]


def fresh(capsys: pytest.CaptureFixture[str]) -> set[tuple[object, object]]:
    states = result(capsys, "cells")
    return {(state["base_unit"], state["strategy"]) for state in states if state["materialized"] and not state["stale"]}


@contextmanager
def started(cell: str) -> Iterator[subprocess.Popen[str]]:
    """A process of this machine that waits for a word to begin with the cell."""
    command = [sys.executable, "-c", ONE_RUN, cell]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        yield process


def test_a_grid_is_built_by_two_machines_and_read_on_both(
    machine: Callable[[str], Settings], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one = machine("one")
    assert run_command_line(["run"]) == 0
    assert fresh(capsys) == FLAT

    machine("two")  # an empty folder: all that it knows, it knows from the database and the object store
    assert fresh(capsys) == FLAT

    job = build_definitions(one).resolve_implicit_global_asset_job_def()
    with open_instance(one.paths) as instance:
        spec = [dg.AssetKey("strategy_spec")]
        assert job.execute_in_process(instance=instance, partition_key="contextual", asset_selection=spec).success
        instance.event_log_storage.set_concurrency_slots("embedding", 2)
        instance.event_log_storage.set_concurrency_slots("model", 2)
        before = {run.run_id for run in instance.get_runs()}
    machine("one")
    with started("section/contextual") as first:
        machine("two")
        with started("subsection/contextual") as second:
            for process in (first, second):
                assert process.stdout is not None
                assert process.stdin is not None
                assert process.stdout.readline() == "ready\n"
            for process in (first, second):
                process.stdin.write("begin\n")  # type: ignore[union-attr]
                process.stdin.flush()  # type: ignore[union-attr]
            assert (first.wait(), second.wait()) == (0, 0)
    with open_instance(one.paths) as instance:
        records = [record for record in instance.get_run_records() if record.dagster_run.run_id not in before]
    assert [record.dagster_run.status for record in records] == [dg.DagsterRunStatus.SUCCESS] * 2
    assert max(record.start_time or 0.0 for record in records) < min(record.end_time or 0.0 for record in records)

    assert run_command_line(["run", "--cells", "section/contextual", "--cells", "subsection/contextual"]) == 0
    assert "making chunks" not in capsys.readouterr().err
    assert fresh(capsys) == FLAT | CONTEXTUAL

    on_two = result(capsys, "search", QUESTION, "--cell", "subsection/contextual")
    report = result(capsys, "report")[0]
    machine("one")
    assert result(capsys, "search", QUESTION, "--cell", "subsection/contextual") == on_two
    assert len(on_two) == 10
    assert report["html"] == f"{one.artefacts}/profiles/team/reports/report.html"
    assert "subsection/contextual" in object_place(str(report["html"])).read_text("utf-8")

    kept_here = {
        path.relative_to(tmp_path).parts[1] for path in tmp_path.rglob("*") if path.is_file() and path.parent.name != "models"
    }
    assert kept_here <= {"profiles", "models", "FORMAT"}
    assert not (tmp_path / "two" / "cache").exists()
    assert len(open_cache(one.paths.cache_room, "generation/answers"))
    assert run_command_line(["gc", "--dry-run"]) == 2
    files = [path for path in tmp_path.rglob("*") if path.is_file() and "models" not in path.parts]
    assert not [path for path in files if PASSWORD.encode() in path.read_bytes()]


def test_a_second_lawrag_run_is_refused_on_another_machine_too(machine: Callable[[str], Settings]) -> None:
    one, two = machine("one"), machine("two")
    with held(one.paths, Holder.DRIVER):
        assert is_held(two.paths, Holder.DRIVER)
        with pytest.raises(InputError, match="at work on profile 'team', on another machine"), held(two.paths, Holder.DRIVER):
            pass
    assert not is_held(two.paths, Holder.DRIVER)


def test_a_database_belongs_to_one_profile(machine: Callable[[str], Settings]) -> None:
    one = machine("one")
    with open_instance(one.paths):
        pass
    other = one.model_copy(update={"profile": "other"})
    with pytest.raises(InputError, match="is the database of profile 'team'") as caught, open_instance(other.paths):
        pass
    assert PASSWORD not in str(caught.value)
