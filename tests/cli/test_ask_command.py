"""`lawrag ask` and `lawrag fit-reranker` on the sample law, as a user runs them."""

import json
from pathlib import Path

import pytest
from qa.answer_service import answer_service

from lawrag_assets.cli import run_command_line

pytestmark = pytest.mark.slow
"""Each question opens the whole pipeline anew, as the command does."""

COVERED = "Wie lange gilt die Leihkarte, und darf meine Schwester sie benutzen?"
FOREIGN = "Wie entkalke ich eine Espressomaschine?"


def test_an_answer_names_its_citations_the_build_and_that_it_is_no_advice(
    built: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command_line(["ask", COVERED]) == 0
    out = capsys.readouterr().out
    assert "✓" in out
    assert "LeihLG" in out
    assert "Keine Rechtsberatung." in out
    assert json.loads(_json(capsys, [COVERED]))["laws"][0]["build"] in out


def test_a_question_on_another_matter_is_refused(built: Path, capsys: pytest.CaptureFixture[str]) -> None:
    reply = json.loads(_json(capsys, [FOREIGN]))
    assert reply["refused"] is True
    assert reply["claims"] == []
    assert reply["judgement"]["confidence"] < reply["judgement"]["threshold"]
    assert reply["disclaimer"] == "Keine Rechtsberatung."


def test_a_model_that_cites_what_it_was_not_shown_is_corrected_and_reported(
    built: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "any")
    with answer_service("Die Karte gilt vier Jahre (§ 999 BGB).") as service:
        assert run_command_line(["ask", COVERED, "--llm", "openai/local", "--llm-api-base", service.address]) == 0
    captured = capsys.readouterr()
    assert "Die Karte gilt vier Jahre." in captured.out
    assert "999" not in captured.out
    assert "removed from the answer: § 999 BGB" in captured.err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["ask", " "], "the question is empty"),
        (["ask", COVERED, "--law", "bgb"], "its laws: sample"),
        (["ask", COVERED, "--cell", "sentence/raptor"], "not built"),
        (["ask", COVERED, "--cell", "*/flat"], "name one"),
        (["fit-reranker", "nothing.jsonl"], "cannot read this question file"),
        (["fit-reranker", "sample", "--cell", "nonsense"], "no cell"),
    ],
)
def test_bad_input_is_said_in_one_line(built: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], says: str) -> None:
    assert run_command_line(arguments) == 2
    error = capsys.readouterr().err
    assert says in error
    assert "Traceback" not in error


def _json(capsys: pytest.CaptureFixture[str], question: list[str]) -> str:
    assert run_command_line(["ask", *question, "--json"]) == 0
    return capsys.readouterr().out
