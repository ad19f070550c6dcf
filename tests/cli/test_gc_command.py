"""`lawrag gc`: what no profile uses goes, what one uses stays."""

import json
import os
import time
from pathlib import Path

import polars as pl
import pytest

from lawrag_assets.cache import ContentCache
from lawrag_assets.cli import run_command_line
from lawrag_assets.defs.instance import Holder, held
from lawrag_assets.embedding.factory import model_identity
from lawrag_assets.generation.answers import AnswerStore, answer_key
from lawrag_assets.generation.extractive import ExtractiveGenerator
from lawrag_assets.generation.litellm_generator import LiteLLMGenerator
from lawrag_assets.generation.protocol import Answer, PropositionsRequest, Task, Usage
from lawrag_assets.settings import load_settings, write_profile
from lawrag_assets.tables import TableStore

ROW = pl.DataFrame({"model": ["none"]})


def age(path: Path) -> None:
    old = time.time() - 7200
    os.utime(path, (old, old))


@pytest.fixture
def used_and_unused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[list[Path], list[Path]]:
    """Files that a profile of the sample law uses, and others that it does not."""
    monkeypatch.setenv("LAWRAG_STORAGE", str(tmp_path))
    paths = load_settings().paths
    write_profile(paths, {"laws": ["sample"]})
    tables = TableStore(paths.tables)
    write = [
        ("law_sections", ("sample",), True),
        ("law_sections", ("gone",), False),
        ("units", ("section",), True),
        ("units", ("paragraph",), False),
        ("chunk_index", ("section", "flat"), True),
        ("chunks", ("section", "gone"), False),
        ("of_a_later_version", ("anything",), True),
        ("corpus", (), True),
    ]
    kept, unused = [], []
    for table, partition, used in write:
        (kept if used else unused).append(tables.write(ROW, table, partition, run_id="1"))
    for name, used in (("section.flat", True), ("section.gone", False), ("sentence.flat", False)):
        file = paths.lancedb / f"{name}.lance" / "data"
        file.parent.mkdir(parents=True)
        file.write_bytes(b"1234")
        (kept if used else unused).append(file)
    for identity, used in (
        (model_identity("bundled-e5-small"), True),
        ("other-123456789012-float32", False),
        ("litellm--openai--paid", True),
    ):
        ContentCache(paths.cache / "embeddings" / f"{identity}.sqlite").put_many([(b"k", b"v")])
        (kept if used else unused).append(paths.cache / "embeddings" / f"{identity}.sqlite")
    build = paths.laws / "gone" / f"{'0' * 64}.xml"
    build.parent.mkdir(parents=True)
    build.write_bytes(b"<old/>")
    kept.append(build)
    for name, old in ((".report.html.abcd_123", True), (".report.html.efgh_456", False)):
        folder = paths.reports / name
        folder.mkdir(parents=True)
        if old:
            age(folder)
        (unused if old else kept).append(folder)
    return kept, unused


def test_what_no_profile_uses_goes_and_what_one_uses_stays(
    used_and_unused: tuple[list[Path], list[Path]], capsys: pytest.CaptureFixture[str]
) -> None:
    kept, unused = used_and_unused
    assert run_command_line(["gc", "--dry-run", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert all(path.exists() for path in kept + unused)
    assert run_command_line(["gc"]) == 0
    assert f"{told['bytes']:,} bytes removed" in capsys.readouterr().out
    assert [path for path in kept if not path.exists()] == []
    assert [path for path in unused if path.exists()] == []
    assert run_command_line(["gc"]) == 0
    assert capsys.readouterr().out == "nothing to remove\n"


def test_a_profile_that_is_being_worked_on_is_left_alone(
    used_and_unused: tuple[list[Path], list[Path]], capsys: pytest.CaptureFixture[str]
) -> None:
    paths = load_settings().paths
    with held(paths, Holder.DRIVER):
        assert run_command_line(["gc"]) == 0
    assert "profile default is left out" in capsys.readouterr().err
    assert (paths.lancedb / "section.gone.lance").is_dir()


def test_answers_go_only_when_asked_and_those_of_a_profile_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LAWRAG_STORAGE", str(tmp_path))
    paths = load_settings().paths
    write_profile(paths, {"llm": "openai/mine"})
    store = AnswerStore(paths.cache)
    request = PropositionsRequest("Das Beet ist nicht zu betreten.")
    for generator in (LiteLLMGenerator("openai/mine"), LiteLLMGenerator("openai/other"), ExtractiveGenerator()):
        origin = generator.origin(Task.PROPOSITIONS)
        store.put_many(
            origin, {answer_key(origin, request): Answer(["Das Beet ist nicht zu betreten."], Usage(1, 1, 1, 1.0, 1.0))}
        )
    assert run_command_line(["gc"]) == 0
    assert len(store) == 3
    assert run_command_line(["gc", "--answers", "--dry-run"]) == 0
    assert "2 answers" in capsys.readouterr().out
    assert len(store) == 3
    assert run_command_line(["gc", "--answers"]) == 0
    assert [holding.model for holding in store.holdings()] == ["openai/mine"]
