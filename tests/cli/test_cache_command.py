"""`lawrag cache`: what it shows, what export and import carry over, and that looking makes nothing."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from generation.requests_made import EVERY, boundary, context, summary, unit

from lawrag_assets.cli import run_command_line
from lawrag_assets.generation.answers import AnswerStore, answer_key
from lawrag_assets.generation.cached import CachedGenerator, CacheMode
from lawrag_assets.generation.extractive import ExtractiveGenerator
from lawrag_assets.generation.fallback import fallback
from lawrag_assets.generation.protocol import Answer, Fallback, Origin, Request, Trouble, Usage

BAD = Fallback(Trouble.BAD_ANSWER, "a negation is lost")


def put(storage: Path, request: Request[Any], cost: float | None, trouble: Fallback | None = None) -> None:
    origin = Origin("litellm", "openai/some-model", request.task, "v1-12345678", '{"temperature": 0.0}')
    answer = Answer(fallback(request), Usage(1, 1000, 50, cost, 2.0), trouble)
    AnswerStore(storage / "cache").put_many(origin, {answer_key(origin, request): answer})


@pytest.fixture
def storage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A storage folder, named in the environment, with the answers of two generators."""
    folder = tmp_path / "storage"
    monkeypatch.setenv("LAWRAG_STORAGE", str(folder))
    put(folder, unit("a"), 0.25)
    put(folder, unit("b"), None, BAD)
    put(folder, summary(), None)
    put(folder, context(), 0.5)
    CachedGenerator(ExtractiveGenerator(), AnswerStore(folder / "cache")).generate([boundary()])
    return folder


def test_json_lists_every_model_task_and_prompt(storage: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command_line(["cache", "--json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert [(row["generator"], row["model"], row["task"], row["entries"], row["fallbacks"]) for row in shown] == [
        ("extractive", "extractive", "boundary", 1, 0),
        ("litellm", "openai/some-model", "context", 1, 0),
        ("litellm", "openai/some-model", "propositions", 2, 1),
        ("litellm", "openai/some-model", "summary", 1, 0),
    ]
    propositions = shown[2]
    assert (propositions["prompt"], propositions["cost"], propositions["unpriced"]) == ("v1-12345678", 0.25, 1)
    assert (propositions["calls"], propositions["input_tokens"], propositions["output_tokens"]) == (2, 2000, 100)
    assert propositions["bytes"] > 0


def test_the_table_never_shows_an_unknown_price_as_nothing(
    storage: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", "120")
    assert run_command_line(["cache"]) == 0
    heads, *rows = capsys.readouterr().out.splitlines()
    assert heads.split() == ["model", "task", "prompt", "answers", "fallbacks", "size", "cost"]
    costs = {row.split()[1]: row.split()[-1] for row in rows}
    assert costs == {"boundary": "$0.0000", "context": "$0.5000", "propositions": "$0.2500+", "summary": "unknown"}


def test_what_is_exported_is_answered_elsewhere_without_asking(
    storage: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for request in EVERY:
        CachedGenerator(ExtractiveGenerator(), AnswerStore(storage / "cache")).generate([request])
    count = len(AnswerStore(storage / "cache"))
    file, other = tmp_path / "answers.jsonl", tmp_path / "other"
    assert run_command_line(["cache", "export", str(file)]) == 0
    assert capsys.readouterr().out == f"{count} answers written to {file}\n"
    assert len(file.read_text("utf-8").splitlines()) == count
    for new in (count, 0):
        assert run_command_line(["cache", "--storage", str(other), "import", str(file), "--json"]) == 0
        assert json.loads(capsys.readouterr().out) == {"file": str(file), "new": new}
    for request in EVERY:
        CachedGenerator(ExtractiveGenerator(), AnswerStore(other / "cache"), mode=CacheMode.ONLY_CACHE).generate([request])
    assert run_command_line(["cache", "--json"]) == 0
    mine = json.loads(capsys.readouterr().out)
    assert run_command_line(["--storage", str(other), "cache", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == mine


@pytest.mark.parametrize("arguments", [["cache", "--json", "export", "x.jsonl"], ["cache", "export", "x.jsonl", "--json"]])
def test_json_may_stand_before_or_after_the_subcommand(
    storage: Path, arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command_line(arguments) == 0
    assert json.loads(capsys.readouterr().out) == {"file": "x.jsonl", "answers": 5}


def test_a_cache_that_is_not_there_is_empty_and_stays_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    storage = tmp_path / "nothing"
    (tmp_path / "empty.jsonl").write_text("", "utf-8")
    assert run_command_line(["--storage", str(storage), "cache"]) == 0
    capsys.readouterr()
    for arguments, said in (
        (["cache", "--json"], []),
        (["cache", "export", "out.jsonl", "--json"], {"file": "out.jsonl", "answers": 0}),
        (["cache", "import", "empty.jsonl", "--json"], {"file": "empty.jsonl", "new": 0}),
    ):
        assert run_command_line(["--storage", str(storage), *arguments]) == 0
        assert json.loads(capsys.readouterr().out) == said
    assert (tmp_path / "out.jsonl").read_text("utf-8") == ""
    assert not storage.exists()


def test_an_export_goes_where_a_link_leads_and_leaves_the_link(storage: Path, tmp_path: Path) -> None:
    (tmp_path / "link.jsonl").symlink_to(tmp_path / "target.jsonl")
    assert run_command_line(["cache", "export", "link.jsonl"]) == 0
    assert (tmp_path / "link.jsonl").is_symlink()
    assert len((tmp_path / "target.jsonl").read_text("utf-8").splitlines()) == 5


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["import", "none.jsonl"], "none.jsonl: cannot be read"),
        (["import", "folder"], "folder: cannot be read"),
        (["import", "binary.jsonl"], "binary.jsonl: cannot be read (not UTF-8)"),
        (["import", "bad.jsonl"], "bad.jsonl:2: no exported answer"),
        (["export", "folder"], "folder: no file that can be written"),
        (["export", "pipe"], "pipe: no file that can be written"),
        (["export", "bad.jsonl/out.jsonl"], "bad.jsonl/out.jsonl: cannot be written"),
        (["export"], "FILE"),
        (["import"], "FILE"),
        (["empty"], "empty"),
        (["--bogus"], "--bogus"),
    ],
    ids=" ".join,
)
def test_bad_input_is_one_clear_line_and_makes_no_cache(
    arguments: list[str], reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "other"
    put(other, unit("a"), None)
    AnswerStore(other / "cache").export_lines(tmp_path / "bad.jsonl")
    with (tmp_path / "bad.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"key": "short"}\n')
    (tmp_path / "binary.jsonl").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    storage = tmp_path / "storage"
    assert run_command_line(["--storage", str(storage), "cache", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    (line,) = captured.err.splitlines()
    assert line.startswith("lawrag: ")
    assert reason in line
    assert not storage.exists()


def test_a_damaged_cache_is_named(storage: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path(AnswerStore(storage / "cache").place).write_bytes(b"This is a letter, not a database. " * 200)
    assert run_command_line(["cache"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "answers.sqlite" in line
