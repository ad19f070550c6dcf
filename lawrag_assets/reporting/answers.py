"""The report on answering: what is found, at section and Absatz level, how well refusals are told, how laws are routed, claims attributed.

Figures come from `qa`, made by `defs.answer_evaluation`, all of them on questions that nothing was fitted on. Chunkings are compared
elsewhere (`benchmark`).
"""

from collections.abc import Iterator
from dataclasses import dataclass

import polars as pl

from lawrag_assets.files import Place, atomic_write_bytes
from lawrag_assets.reporting.layout import Column, Row, Section, lay_out, number, percent, words
from lawrag_assets.reporting.markdown import plain, section_lines
from lawrag_assets.reporting.page import template

SHOWN = "reranked top-20"
"""What `lawrag ask` does."""
PLAIN = "dense top-5"
LEVELS = {"section": "sections", "subsection": "Absätze"}


@dataclass(frozen=True)
class AnswerReport:
    """What was measured. An empty frame leaves its section out."""

    facts: tuple[tuple[str, str], ...]
    measures: pl.DataFrame
    """configuration, level, lang, measure, mean, questions."""
    pairs: pl.DataFrame
    """configuration, pairs, both, one, same_first."""
    separation: pl.DataFrame
    """signal, stratum, lang, auroc, answerable, unanswerable."""
    reliability: pl.DataFrame
    """low, high, questions, confidence, answerable."""
    errors: dict[str, float]
    """wrong answers, wrong refusals, cost."""
    routing: pl.DataFrame
    """id, lang, rank."""
    claims: pl.DataFrame
    """lang, measure, value, claims."""

    @property
    def answer(self) -> str:
        """The finding in two sentences."""
        figure = {
            (row["configuration"], row["measure"]): row["mean"]
            for row in self.measures.filter(pl.col("level") == "section", pl.col("lang") == "all").iter_rows(named=True)
        }
        if figure.get((SHOWN, "R@1")) is None:
            return "None of the questions is answerable: nothing could be found."
        found = (
            f"With reranking, recall of the right sections is {figure[SHOWN, 'R@1']:.3f} in the first place and {figure[SHOWN, 'R@5']:.3f} "
            f"in the first five; by vectors alone it is {figure[PLAIN, 'R@1']:.3f} and {figure[PLAIN, 'R@5']:.3f}."
        )
        if self.separation.height == 0:
            return found
        return found + (
            f" {self.errors['wrong answers']:.0%} of the questions that the law does not answer are answered all the same, "
            f"{self.errors['wrong refusals']:.0%} of those it answers are refused."
        )


def answer_sections(report: AnswerReport) -> list[Section]:
    """The sections in order."""
    return list(_sections(report))


def _sections(report: AnswerReport) -> Iterator[Section]:
    yield _found(report.measures)
    if report.pairs.height and report.pairs["pairs"].max():
        yield _pairs(report.pairs)
    if report.separation.height:
        yield _refusals(report)
    if report.routing.height:
        yield _routing(report.routing)
    if report.claims.height:
        yield _claims(report.claims)


def _found(measures: pl.DataFrame) -> Section:
    layouts = []
    for level, name in LEVELS.items():
        part = measures.filter(pl.col("level") == level)
        rows = [
            {"configuration": configuration, "lang": lang, "questions": of_one["questions"][0]}
            | dict(of_one.select("measure", "mean").iter_rows())
            for (configuration, lang), of_one in part.group_by(["configuration", "lang"], maintain_order=True)
        ]
        columns = [
            Column("ranking", "What ranks: see above.", "configuration", words("configuration"), text=True),
            Column("language", "Of the questions.", "lang", words("lang"), text=True),
            *(Column(measure, "", measure, number(measure, ".3f")) for measure in part["measure"].unique(maintain_order=True)),
            Column("questions", "Answerable ones.", "questions", number("questions", ",d")),
        ]
        layouts.append(lay_out(name, columns, rows))
    text = (
        "The rows part what reranking does from what a larger pool does: “dense” is plain cosine similarity, “retrieved” the "
        "retriever’s own order, “reranked top-5” its first five in the reranker’s order, “reranked top-20” what is done. The "
        "reranker was never fitted on a question that it is measured on, nor on its translation."
    )
    return Section("found", "What is found", text, tuple(layouts))


def _pairs(pairs: pl.DataFrame) -> Section:
    columns = [
        Column("ranking", "", "configuration", words("configuration"), text=True),
        Column("pairs", "Questions with their translations.", "pairs", number("pairs", ",d")),
        Column("both", "Gold among the first five in both languages.", "both", percent("both"), "max"),
        Column("one only", "Gold among the first five in one language only.", "one", percent("one"), "min"),
        Column("same first", "The same Absatz comes first in both.", "same_first", percent("same_first"), "max"),
    ]
    return Section("pairs", "Questions and their translations", "", (lay_out("", columns, pairs),))


def _refusals(report: AnswerReport) -> Section:
    signals = report.separation.pivot("stratum", index=["signal", "lang"], values="auroc", maintain_order=True)
    strata = [name for name in signals.columns if name not in ("signal", "lang")]
    columns = [
        Column("signal", "“combined” is the one that decides.", "signal", words("signal"), text=True),
        Column("language", "", "lang", words("lang"), text=True),
        *(Column(name, f"AUROC against unanswerable questions: {name}.", name, number(name, ".3f")) for name in strata),
    ]
    calibrated = [
        Column("confidence from", "", "low", number("low", ".2f")),
        Column("to", "", "high", number("high", ".2f")),
        Column("questions", "", "questions", number("questions", ",d")),
        Column("mean confidence", "", "confidence", number("confidence", ".2f")),
        Column("answerable", "The share that the law answers; beside the mean confidence it says how far that can be believed.",
               "answerable", number("answerable", ".2f")),
    ]  # fmt: skip
    errors: list[Row] = [{"error": name, "value": value} for name, value in report.errors.items()]
    costs = [
        Column("error", "", "error", words("error"), text=True),
        Column(
            "share",
            "Of the unanswerable or the answerable questions; the cost is that of both, a question, a wrong answer counting twice.",
            "value",
            number("value", ".3f"),
        ),
    ]
    layouts = (
        lay_out("Telling answerable questions apart (AUROC)", columns, signals),
        lay_out("Reliability", calibrated, report.reliability),
        lay_out("Errors at the chosen threshold", costs, errors),
    )
    text = "Signals and threshold were chosen on other folds than those that they are measured on."
    return Section("refusals", "When to refuse", text, layouts)


def _routing(routing: pl.DataFrame) -> Section:
    rows: list[Row] = []
    for lang in ("all", *routing["lang"].unique().sort()):
        part = routing if lang == "all" else routing.filter(pl.col("lang") == lang)
        rank = part["rank"].fill_null(1_000_000)
        rows.append({"lang": lang, "questions": part.height, "first": (rank <= 1).mean(), "two": (rank <= 2).mean()})
    columns = [
        Column("language", "", "lang", words("lang"), text=True),
        Column("questions", "Those whose set says which law they are about.", "questions", number("questions", ",d")),
        Column("right law first", "", "first", percent("first")),
        Column("among the first two", "", "two", percent("two")),
    ]
    return Section("routing", "To the right law", "", (lay_out("", columns, rows),))


def _claims(claims: pl.DataFrame) -> Section:
    wide = claims.pivot("measure", index="lang", values="value", maintain_order=True)
    notes: dict[str, str] = {
        "right Absatz": "Of the supported claims, the share attributed to the Absatz that bears them out.",
        "AUROC": "Of the score: supported claims against all others.",
    }
    columns = [
        Column("language", "", "lang", words("lang"), text=True),
        *(
            Column(
                measure,
                notes.get(measure, "The share of these claims that counts as borne out."),
                measure,
                number(measure, ".3f"),
            )
            for measure in claims["measure"].unique(maintain_order=True)
        ),
    ]
    counted = claims.filter(pl.col("lang") == "all", pl.col("measure") == "AUROC")["claims"].sum()
    text = (
        f"{counted} labelled claims on the sample law, each held against five Absätze. A claim with another number than the rule’s is "
        "caught by its number; one that says the contrary of a rule is near it in meaning, and vectors cannot tell."
    )
    return Section("claims", "Claims and what bears them out", text, (lay_out("", columns, wide),))


def answers_markdown(report: AnswerReport) -> str:
    """The report as Markdown."""
    lines = ["# How well questions are answered", "", plain(report.answer), ""]
    lines += [*(f"- **{name}**: {plain(value)}" for name, value in report.facts), ""]
    for section in answer_sections(report):
        lines += section_lines(section)
    return "\n".join(lines)


def answers_html(report: AnswerReport) -> str:
    """The report as a page that needs nothing else."""
    parts = answer_sections(report)
    return template("answers.html").render(answer=report.answer, facts=report.facts, parts=parts)


def write_answer_report(report: AnswerReport, folder: Place) -> Place:
    """Write answers.html, .md and a CSV file of every frame (answers-FRAME.csv); return the page, which is written last."""
    for name in ("measures", "pairs", "separation", "reliability", "routing", "claims"):
        frame: pl.DataFrame = getattr(report, name)
        atomic_write_bytes(folder / f"answers-{name}.csv", frame.write_csv().encode())
    atomic_write_bytes(folder / "answers.md", answers_markdown(report).encode())
    page = folder / "answers.html"
    atomic_write_bytes(page, answers_html(report).encode())
    return page
