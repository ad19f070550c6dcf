"""Cells that a language model writes for, through `lawrag run` and a real chat service: what is asked, what is kept, what goes stale."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest
from cli.test_commands import law_folder, table
from generation.chat_service import ChatService
from laws.made import document, norm, unit

from lawrag_assets.chunking.cells import Cell
from lawrag_assets.cli import run_command_line
from lawrag_assets.defs.costs import History
from lawrag_assets.defs.instance import open_instance
from lawrag_assets.defs.states import cell_states
from lawrag_assets.settings import load_settings

SECTIONS = 12
WRITTEN = ["proposition/flat", "subsection/contextual", "subsection/lumber", "sentence/raptor"]


def law(*, amended: int | None = None) -> bytes:
    """Twelve sections of two Absätze under two headings; one perhaps with other words."""
    norms = []
    for number in range(1, SECTIONS + 1):
        if number in {1, 7}:
            norms.append(norm("", enbez=None, unit=unit(f"0{number}", f"Abschnitt {number}", f"Fristen ab {number}")))
        word = "Jahre" if number == amended else "Monate"
        absaetze = [
            f"Die Frist Nummer {number} beträgt {number + 20} {word}. Sie beginnt mit dem Vertrag.",
            f"Satz {number} gilt nicht.",
        ]
        norms.append(norm("".join(f"<P>({label}) {text}</P>" for label, text in enumerate(absaetze, 1)), enbez=f"§ {number}"))
    return document(*norms)


@pytest.fixture
def run(
    service: ChatService, tiny_model: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., list[str]]:
    """A function that gives the arguments of a run on the made law with the service's model."""
    monkeypatch.setenv("LAWRAG_STORAGE", str(tmp_path / "storage"))
    source = law_folder(tmp_path / "source", "testg", law())
    model = tiny_model("tiny")

    def arguments(*cells: str, profile: str = "default") -> list[str]:
        named = [part for cell in cells for part in ("--cells", cell)]
        models = ["--embedding-model", str(model), "--llm", "openai/local", "--llm-api-base", service.address]
        return ["--profile", profile, "run", "--law", "testg", "--law-source", str(source), *models, *named]

    return arguments


def stale() -> set[str]:
    return {f"{state['base_unit']}/{state['strategy']}" for state in cell_states(load_settings()) if state["stale"]}


@pytest.mark.slow
def test_what_a_model_writes_is_asked_once_and_told_in_the_metadata(
    run: Callable[..., list[str]], service: ChatService, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command_line(run(*WRITTEN)) == 0, capsys.readouterr().err
    asked = len(service.asked)
    subsections, propositions = (
        table(tmp_path / "storage", "units", "subsection"),
        table(tmp_path / "storage", "units", "proposition"),
    )
    assert subsections.height == 2 * SECTIONS
    assert propositions.height >= subsections.height
    contexts = table(tmp_path / "storage", "enrichment", "subsection", "contextual")
    assert contexts["text"].null_count() == 0
    with open_instance(load_settings().paths) as instance:
        history, cell = History(instance), Cell("subsection", "contextual")
        figures = {
            name: history.number(name, "enrichment", cell) for name in ("answers", "answers asked for now", "input tokens")
        }
        assert figures == {"answers": 24, "answers asked for now": 24, "input tokens": 2400}
        assert history.number("seconds", "enrichment", cell) > 0
        assert history.number("propositions", "propositions", partition="proposition") == propositions.height
    report = (tmp_path / "storage" / "profiles" / "default" / "reports" / "report.md").read_text("utf-8")
    assert "openai/local" in report

    assert run_command_line(run(*WRITTEN)) == 0
    assert "everything is up to date" in capsys.readouterr().err
    assert run_command_line([*run(*WRITTEN, profile="other"), "--llm-cache", "only-cache"]) == 0
    assert len(service.asked) == asked

    assert run_command_line([*run("subsection/contextual"), "--llm-cache", "refresh"]) == 0
    assert len(service.asked) == asked + 2 * SECTIONS


@pytest.mark.slow
def test_only_cache_says_how_many_answers_are_missing_and_asks_for_none(
    run: Callable[..., list[str]], service: ChatService, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command_line([*run("subsection/contextual", "section/flat"), "--llm-cache", "only-cache"]) == 1
    assert "24 of 24 answers of openai/local to the task context are not in the cache" in capsys.readouterr().err
    assert service.asked == []
    assert stale() == set()


@pytest.mark.slow
def test_another_model_makes_exactly_what_it_would_write_stale(run: Callable[..., list[str]]) -> None:
    cells = ["subsection/flat", "subsection/contextual", "subsection/semantic_cluster", "proposition/flat"]
    assert run_command_line(run(*cells)) == 0
    assert stale() == set()
    other = load_settings(llm="openai/other")
    states = [f"{state['base_unit']}/{state['strategy']}" for state in cell_states(other) if state["stale"]]
    assert set(states) == {"subsection/contextual", "proposition/flat"}


@pytest.mark.slow
def test_an_amended_section_is_asked_about_and_no_other(
    run: Callable[..., list[str]], service: ChatService, tmp_path: Path
) -> None:
    assert run_command_line(run("subsection/contextual", "subsection/lumber", "proposition/flat")) == 0
    service.asked.clear()
    law_folder(tmp_path / "source", "testg", law(amended=3))
    assert run_command_line(run("subsection/contextual", "subsection/lumber", "proposition/flat")) == 0
    asked = [json.dumps(request, ensure_ascii=False) for request in service.asked]
    assert len([request for request in asked if '"propositions"' in request]) == 1  # only Absatz 1 has other words
    assert len([request for request in asked if '"context"' in request]) == 2  # both Absätze are shown the whole section
    boundaries = [request for request in asked if '"first"' in request]
    assert 1 <= len(boundaries) <= SECTIONS
    assert all("23 Jahre" in request or "Nummer 3" not in request for request in boundaries)
    assert all("Nummer 9" not in request for request in boundaries)  # another heading


@pytest.mark.slow
def test_a_run_killed_while_a_model_writes_asks_again_at_most_what_was_under_way(
    run: Callable[..., list[str]], service: ChatService, capsys: pytest.CaptureFixture[str]
) -> None:
    service.seconds = 0.3
    concurrency = 4
    command = [sys.executable, "-c", "from lawrag_assets.cli import main; main()", *run("sentence/contextual")]
    environment = os.environ | {"LAWRAG_LLM_CONCURRENCY": str(concurrency)}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        end = time.monotonic() + 120
        while len(service.asked) < SECTIONS and process.poll() is None and time.monotonic() < end:
            time.sleep(0.01)
        os.kill(process.pid, signal.SIGKILL)
    time.sleep(1)
    before = len(service.asked)
    service.seconds = 0.0
    assert run_command_line(run("sentence/contextual")) == 0
    asked = len(service.asked)
    assert SECTIONS <= before < asked <= 3 * SECTIONS + concurrency
    assert run_command_line(run("sentence/contextual")) == 0
    assert len(service.asked) == asked


@pytest.mark.slow
def test_a_service_that_answers_badly_leaves_every_unit_valid_or_counted(
    run: Callable[..., list[str]], service: ChatService
) -> None:
    service.always = {"Nummer 5": "not JSON", "Nummer 7": "error text"}
    service.acts = [429, 500, "cut off", "wrong schema", "empty choices", "null content"]
    assert run_command_line(run("subsection/contextual")) == 0
    with open_instance(load_settings().paths) as instance:
        fallbacks = History(instance).number("fallbacks", "enrichment", Cell("subsection", "contextual"))
    contexts = table(load_settings().paths.root, "enrichment", "subsection", "contextual")
    assert contexts.filter(pl.col("text").str.len_chars() < 5).height == 0
    assert fallbacks >= 4
