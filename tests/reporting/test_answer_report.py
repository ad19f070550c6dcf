"""The report on answering: what it says of given figures, as Markdown and as a page."""

from pathlib import Path

import polars as pl

from lawrag_assets.reporting.answers import AnswerReport, answers_html, answers_markdown, write_answer_report

MEASURES = pl.DataFrame(
    [
        (configuration, level, "all", measure, mean, 10)
        for configuration, mean in (("dense top-5", 0.25), ("reranked top-20", 0.5))
        for level in ("section", "subsection")
        for measure in ("R@1", "R@5", "RR@10")
    ],
    schema=["configuration", "level", "lang", "measure", "mean", "questions"],
    orient="row",
)
REPORT = AnswerReport(
    facts=(("Laws", "Tes<t>G"),),
    measures=MEASURES,
    pairs=pl.DataFrame({"configuration": ["reranked top-20"], "pairs": [4], "both": [0.75], "one": [0.25], "same_first": [0.5]}),
    separation=pl.DataFrame(
        {"signal": ["combined"], "stratum": ["all"], "lang": ["all"], "auroc": [0.875], "answerable": [10], "unanswerable": [4]}
    ),
    reliability=pl.DataFrame({"low": [0.1], "high": [0.9], "questions": [14], "confidence": [0.625], "answerable": [0.714]}),
    errors={"wrong answers": 0.25, "wrong refusals": 0.1, "cost": 0.2},
    routing=pl.DataFrame({"id": ["1", "2", "3", "4"], "lang": ["de"] * 4, "rank": [1, 2, 3, None]}),
    claims=pl.DataFrame(
        {"lang": ["all", "all"], "measure": ["right Absatz", "AUROC"], "value": [0.85, 0.787], "claims": [80, 120]}
    ),
)


def test_the_report_says_what_reranking_and_refusing_come_to() -> None:
    text = answers_markdown(REPORT)
    assert "recall of the right sections is 0.500 in the first place" in text
    assert "25% of the questions that the law does not answer are answered all the same" in text
    for heading in ("What is found", "translations", "When to refuse", "To the right law", "Claims and what bears them out"):
        assert heading in text
    assert "| all | 4 | 25.0 % | 50.0 % |" in text
    assert "120 labelled claims" in text


def test_the_page_needs_nothing_else_and_shows_text_as_text() -> None:
    page = answers_html(REPORT)
    assert "Tes&lt;t&gt;G" in page
    assert "http://" not in page
    assert page.count("<section") == 5


def test_what_was_not_measured_is_left_out(tmp_path: Path) -> None:
    nothing = pl.DataFrame()
    bare = AnswerReport((), MEASURES, nothing, nothing, nothing, {}, nothing, nothing)
    page = write_answer_report(bare, tmp_path)
    assert page.read_text("utf-8").count("<section") == 1
    assert (tmp_path / "answers-measures.csv").read_text().count("\n") == 1 + MEASURES.height
