"""`lawrag doctor`: what it finds, the way out it names, and its exit code."""

import json
from pathlib import Path

import dagster as dg
import pytest
from cli.test_commands import law_folder
from generation.chat_service import ChatService

from lawrag_assets import sample
from lawrag_assets.cli import run_command_line
from lawrag_assets.defs.dead_runs import forgotten_places
from lawrag_assets.defs.instance import open_instance
from lawrag_assets.settings import load_settings, write_profile


def examine(capsys: pytest.CaptureFixture[str], *flags: str) -> tuple[int, dict[str, dict[str, str]]]:
    code = run_command_line(["doctor", "--json", *flags])
    return code, {check["check"]: check for check in json.loads(capsys.readouterr().out)}


@pytest.fixture(autouse=True)
def storage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LAWRAG_STORAGE", str(tmp_path / "storage"))
    return tmp_path / "storage"


def test_a_new_profile_is_well_and_looking_writes_nothing(storage: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, checks = examine(capsys)
    assert code == 0
    assert {check["state"] for check in checks.values()} == {"ok"}
    assert "dagster 1.13" in checks["versions"]["found"]
    assert "nothing to reach" in checks["language model"]["found"]
    assert not storage.exists()


def test_a_language_model_is_asked_for_one_word(
    service: ChatService, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LAWRAG_LLM", "openai/local")
    monkeypatch.setenv("LAWRAG_LLM_API_BASE", service.address)
    code, checks = examine(capsys)
    assert (code, checks["language model"]["state"], len(service.asked)) == (0, "ok", 1)
    service.acts = [401]
    code, checks = examine(capsys)
    assert (code, checks["language model"]["state"]) == (1, "fail")
    assert "LAWRAG_LLM_API_BASE" in checks["language model"]["way_out"]


def test_a_law_source_that_has_not_the_law_fails_with_the_way_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = law_folder(tmp_path / "source", "law", sample.law_xml())
    write_profile(load_settings().paths, {"laws": ["law"], "law_source": str(source)})
    code, checks = examine(capsys)
    assert (code, checks["law source"]["state"]) == (0, "ok")
    (source / "law" / "xml.zip").unlink()
    assert run_command_line(["doctor"]) == 1
    captured = capsys.readouterr()
    assert "--law-source" in captured.out.replace("\n", " ")
    assert captured.err == "lawrag: 1 of 5 checks failed: law source\n"


def test_a_dead_run_and_the_place_it_keeps_are_found_and_mended(capsys: pytest.CaptureFixture[str]) -> None:
    @dg.op
    def nothing() -> None:
        pass

    @dg.job
    def some_job() -> None:
        nothing()

    with open_instance(load_settings().paths) as instance:
        instance.event_log_storage.set_concurrency_slots("embedding", 1)
        run = instance.create_run_for_job(some_job, status=dg.DagsterRunStatus.STARTED)
        instance.event_log_storage.claim_concurrency_slot("embedding", run.run_id, "nothing")
        code, checks = examine(capsys)
        assert (code, checks["runs"]["state"]) == (1, "fail")
        assert "1 run(s) whose process has died" in checks["runs"]["found"]
        code, checks = examine(capsys, "--mend")
        assert (code, checks["runs"]["state"]) == (0, "ok")
        assert forgotten_places(instance) == []
        assert checks["daemon"]["state"] == "warn"
        assert "`lawrag ui` starts it" in checks["daemon"]["way_out"]
