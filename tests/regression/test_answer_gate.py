"""The gate for answering: on the sample law, routing, reranking, refusing, attributing and citing come to what they came to before."""

import json
from pathlib import Path

import pytest
from cli.test_commands import law_folder
from laws.made import document, norm
from regression.gate import ANSWERS, changes, read_expected, three_decimals, write_expected

from lawrag_assets import sample
from lawrag_assets.asking import open_pipeline
from lawrag_assets.cli import run_command_line
from lawrag_assets.laws.citations import comparable
from lawrag_assets.settings import load_settings

OTHER_LAW = document(
    *(
        norm(f"<P>(1) {text}</P>", enbez=f"§ {number}")
        for number, text in enumerate(
            [
                "Der Hund ist an der Leine zu führen.",
                "Bäume sind im Winter zu schneiden.",
                "Wer ein Boot führt, braucht einen Bootsschein.",
                "Die Jagd auf Hasen ist im Mai verboten.",
            ],
            1,
        )
    )
)
ASKED = 12
"""Answerable questions that are answered whole; each takes some tenths of a second."""


@pytest.mark.slow
def test_questions_are_answered_as_they_were_before(
    built: Path, tmp_path: Path, request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [json.loads(line) for line in sample.questions_path().read_text("utf-8").splitlines()]
    questions = tmp_path / "questions.jsonl"
    with questions.open("w", encoding="utf-8") as file:
        for row in rows:
            named = {"laws": ["LeihLG"]} if row.get("kind", "answerable") == "answerable" else {}
            file.write(json.dumps(row | named) + "\n")
    source = law_folder(tmp_path / "source", "testg", OTHER_LAW)
    run = ["run", "--law", "sample", "--law", "testg", "--law-source", str(source), "--questions", str(questions)]
    assert run_command_line([*run, "--device", "cpu:float32"]) == 0
    capsys.readouterr()
    assert run_command_line(["evaluate-answers", "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert "Telling answerable questions apart" in Path(figures["page"]).read_text("utf-8")

    now = figures_of(figures) | answered([row["question"] for row in rows[:ASKED]])
    if request.config.getoption("--accept-benchmark"):
        write_expected(ANSWERS, now)
    difference = changes(read_expected(ANSWERS), now)
    assert not difference, difference


def figures_of(found: dict[str, list[dict[str, object]]]) -> dict[str, str]:
    """The figures of an evaluation that the gate looks at, to three decimals."""
    figures: dict[str, object] = {}
    for row in found["measures"]:
        if row["configuration"] in ("dense top-5", "reranked top-20") and row["lang"] == "all":
            figures[f"{row['configuration']}, {row['level']}, {row['measure']}"] = row["mean"]
    for row in found["separation"]:
        if row["signal"] == "combined" and row["lang"] == "all":
            figures[f"AUROC, {row['stratum']}"] = row["auroc"]
    figures |= dict(found["errors"])
    ranks = [row["rank"] for row in found["routing"]]
    figures["right law first"] = sum(rank == 1 for rank in ranks) / len(ranks)
    for row in found["claims"]:
        if row["lang"] == "all":
            figures[f"claims, {row['measure']}"] = row["value"]
    return {name: three_decimals(float(str(value))) for name, value in figures.items()}


def answered(questions: list[str]) -> dict[str, str]:
    """Of some answerable questions: the share answered; and of their claims, the share word for word in the Absatz they cite."""
    pipeline = open_pipeline(load_settings())
    replies = [pipeline.ask(question) for question in questions]
    claims = [(claim, reply) for reply in replies for claim in reply.claims]
    assert claims
    for claim, reply in claims:
        assert claim.citation in {passage.citation for passage in reply.evidence}
        assert {comparable(cited) for cited in claim.citations} <= {
            comparable(name) for passage in reply.evidence for name in (passage.citation, passage.section_citation)
        } | {comparable(sentence.citation) for passage in reply.evidence for sentence in passage.sentences}
    return {
        "answered": three_decimals(sum(not reply.refused for reply in replies) / len(replies)),
        "claims word for word": three_decimals(sum(claim.score == 1.0 for claim, _ in claims) / len(claims)),
    }
