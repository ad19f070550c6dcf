"""`lawrag run --dry-run` and `--preset paper`: what is said before anything is spent, and what a service is then really asked."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from cli.test_commands import law_folder
from laws.made import document, norm

from lawrag_assets.cli import run_command_line
from lawrag_assets.evaluation.questions import read_questions
from lawrag_assets.sample import questions_path
from lawrag_assets.services import price_of

SECTIONS = 6
TWO_ABSAETZE = "<P>(1) Die Frist Nummer {0} beträgt {0} Monate. Sie beginnt mit dem Vertrag.</P><P>(2) Satz {0} gilt nicht.</P>"
CHAT, EMBEDDING = "minimax/MiniMax-M2.5", "gemini/gemini-embedding-001"


def files(folder: Path) -> dict[str, bytes]:
    found = {path.relative_to(folder): path for path in folder.rglob("*") if path.is_file()}
    return {str(name): path.read_bytes() for name, path in found.items() if name.parts[0] != "models"}


def law() -> bytes:
    return document(*(norm(TWO_ABSAETZE.format(number), enbez=f"§ {number}") for number in range(1, SECTIONS + 1)))


def published_questions(folder: Path) -> Path:
    """A file of the shape of the paper's data set: labels are the names of a JSON object that holds the sections' texts."""
    sample = read_questions(questions_path())
    rows = [
        {
            "question": row["question"],
            "answer": "Kurzantwort: …",
            "paragraphs": json.dumps(
                {citation: f"{citation}: Die Vorschrift gilt nicht in den Fällen des § 99 BGB." for citation in row["gold"]},
                ensure_ascii=False,
            ),
        }
        for row in sample.head(40).iter_rows(named=True)
    ]
    rows.append({"question": "Was gilt?", "answer": "", "paragraphs": "{}"})
    pl.DataFrame(rows).write_parquet(folder / "validation.parquet")
    return folder / "validation.parquet"


@pytest.fixture
def storage(tmp_path: Path, models_dir: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "storage"
    folder.mkdir()
    (folder / "models").symlink_to(models_dir)
    monkeypatch.setenv("LAWRAG_STORAGE", str(folder))
    return folder


@pytest.fixture
def foresee(storage: Path, capsys: pytest.CaptureFixture[str]) -> Callable[..., dict[str, Any]]:
    """A function that runs dry and returns the JSON, having seen that nothing was written."""

    def run(*arguments: str) -> dict[str, Any]:
        before = files(storage)
        assert run_command_line(["run", *arguments, "--dry-run", "--json"]) == 0, capsys.readouterr().err
        assert files(storage) == before
        return dict(json.loads(capsys.readouterr().out))

    return run


@pytest.fixture
def small_law(tmp_path: Path) -> list[str]:
    """The flags that name a law of six sections of two Absätze, and no question."""
    return ["--law", "testg", "--law-source", str(law_folder(tmp_path / "source", "testg", law()))]


def line(forecast: dict[str, Any], asset: str, partition: str, task: str) -> dict[str, Any]:
    (found,) = [
        found for found in forecast["lines"] if (found["asset"], found["partition"], found["task"]) == (asset, partition, task)
    ]
    return dict(found)


def test_a_dry_run_of_the_paper_counts_what_its_strategies_would_ask_and_what_that_costs(
    foresee: Callable[..., dict[str, Any]], small_law: list[str], tmp_path: Path
) -> None:
    questions = ["--questions", str(published_questions(tmp_path))]
    forecast = foresee(
        "--preset", "paper", *small_law, *questions, "--cells", "subsection/contextual", "--cells", "proposition/flat"
    )
    contexts = line(forecast, "enrichment", "subsection/contextual", "context")
    assert (contexts["model"], contexts["needed"], contexts["kept"], contexts["calls"]) == (CHAT, 12, 0, 12)
    assert not contexts["guessed"]
    price = price_of(CHAT)
    assert price is not None
    assert contexts["input_tokens"] > 12 * 400, "each call carries the instruction"
    assert contexts["cost"] == pytest.approx(contexts["input_tokens"] * 0.3e-6 + contexts["output_tokens"] * 1.2e-6)
    assert line(forecast, "propositions", "proposition", "propositions")["calls"] == 12
    units = line(forecast, "unit_embeddings", "subsection", "vectors")
    assert (units["model"], units["needed"], units["calls"], units["guessed"]) == (f"litellm/{EMBEDDING}", 12, 1, False)
    assert units["cost"] == pytest.approx(units["input_tokens"] * 0.15e-6)
    assert line(forecast, "unit_embeddings", "proposition", "vectors")["guessed"], "how many there are, an answer decides"
    assert line(forecast, "chunk_index", "proposition/flat", "vectors")["kept"] > 0, "what is embedded once is there"
    assert line(forecast, "question_embeddings", "", "vectors")["needed"] == 41
    total = forecast["total"]
    assert total["calls"] == sum(found["calls"] for found in forecast["lines"])
    assert total["cost"] == pytest.approx(sum(found["cost"] for found in forecast["lines"]))
    assert (total["unpriced"], total["untimed"]) == (0, 0)
    assert total["seconds"] > 24 * 0.46


def test_flags_win_over_a_preset_and_an_unknown_price_is_said_to_be_unknown(
    foresee: Callable[..., dict[str, Any]], small_law: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    flags = ["--llm", "openai/local", "--embedding-model", "bundled-e5-small", "--questions", "sample", "--columns", ""]
    arguments = ["--preset", "paper", *small_law, *flags, "--cells", "subsection/contextual"]
    forecast = foresee(*arguments)
    contexts = line(forecast, "enrichment", "subsection/contextual", "context")
    assert (contexts["model"], contexts["calls"], contexts["cost"]) == ("openai/local", 12, None)
    units = line(forecast, "unit_embeddings", "subsection", "vectors")
    assert (units["calls"], units["cost"], units["seconds"]) == (0, 0.0, None)
    assert run_command_line(["run", *arguments, "--dry-run", "--llm-cache", "only-cache"]) == 0
    captured = capsys.readouterr()
    assert "unknown price" in captured.out
    assert "price of openai/local: unknown" in captured.out
    assert "only-cache: 12 answers are not in the cache, so that this run would fail" in captured.err


def test_rules_and_a_model_on_this_machine_cost_nothing(foresee: Callable[..., dict[str, Any]], small_law: list[str]) -> None:
    total = foresee(*small_law, "--cells", "subsection/*")["total"]
    assert (total["calls"], total["cost"], total["unpriced"], total["guessed"]) == (0, 0.0, 0, True)


def test_an_unknown_preset_is_refused_with_those_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command_line(["run", "--preset", "papers", "--dry-run"]) == 2
    assert "no preset 'papers'; there are: paper" in capsys.readouterr().err
