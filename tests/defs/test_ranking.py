"""Learning from labelled questions as assets: fitted, measured, reported, and stale when what they are made from changes."""

import json
from pathlib import Path

import polars as pl
import pytest

from lawrag_assets import sample
from lawrag_assets.cli import run_command_line
from lawrag_assets.learned import why_not_learned
from lawrag_assets.ranking.measured import RESERVED, reserving
from lawrag_assets.ranking.ranker import SUPERVISED
from lawrag_assets.ranking.store import load_ranker
from lawrag_assets.settings import load_settings
from lawrag_assets.tables import TableStore

pytestmark = pytest.mark.slow


@pytest.fixture
def learned(built: Path) -> Path:
    assert run_command_line(["run", "--training-questions", "sample"]) == 0
    return built


def test_a_set_that_is_learned_from_is_cross_validated_and_reported_apart(
    learned: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = load_settings()
    tables = TableStore(settings.paths.tables)
    metrics = tables.read("supervised_metrics").filter(pl.col("measure") == "R@10", pl.col("subset") == "all")
    assert set(metrics["retriever"]) == {*SUPERVISED, *map(reserving, RESERVED)}
    assert metrics["mean"].is_between(0, 1).all()
    page = (settings.paths.reports / "report.md").read_text("utf-8")
    assert "With labelled questions" in page
    assert "R@10 without labels" in page
    assert "question_memory" in page
    assert why_not_learned(settings, tables.read("embedding_model")["version"].item()) is None
    assert load_ranker(settings.paths.ranker).forests
    capsys.readouterr()
    assert run_command_line(["run"]) == 0
    assert "everything is up to date" in capsys.readouterr().err


def test_other_training_questions_are_fitted_anew_and_what_was_fitted_before_is_known_to_be_stale(
    learned: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    lines = sample.questions_path().read_text("utf-8").splitlines()
    answerable = [line for line in lines if json.loads(line).get("kind", "answerable") == "answerable"]
    other, tested = tmp_path / "other.jsonl", tmp_path / "tested.jsonl"
    other.write_text("\n".join(answerable[:-20]) + "\n", encoding="utf-8")
    tested.write_text("\n".join(answerable[-20:]) + "\n", encoding="utf-8")
    settings = load_settings(training_questions=[str(other)])
    model = TableStore(settings.paths.tables).read("embedding_model")["version"].item()
    assert "other training questions" in str(why_not_learned(settings, model))
    assert run_command_line(["run", "--training-questions", str(other), "--questions", str(tested)]) == 0
    assert "ranker" in capsys.readouterr().err
    assert why_not_learned(load_settings(), model) is None

    whole = tmp_path / "whole.jsonl"
    whole.write_text("\n".join(answerable) + "\n", encoding="utf-8")
    assert run_command_line(["run", "--questions", str(whole)]) == 1
    assert "training questions are also tested" in capsys.readouterr().err
