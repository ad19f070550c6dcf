"""The asset that says how well questions are answered: `answer_evaluation`. What it measures is `qa`'s, how it looks `reporting`'s."""

import json
from dataclasses import dataclass
from typing import Any

import dagster as dg
import polars as pl

from lawrag_assets import sample
from lawrag_assets.asking import DEFAULT_CELL, open_pipeline
from lawrag_assets.defs.answering import GROUP, materialize_alone, questions_of
from lawrag_assets.defs.laws import OWNERS
from lawrag_assets.defs.progress import Progress
from lawrag_assets.embedding.factory import model_identity
from lawrag_assets.qa.additive import packaged
from lawrag_assets.qa.assessment import headline, routed
from lawrag_assets.qa.claim_assessment import attributed, claim_figures, read_claims
from lawrag_assets.qa.training import train
from lawrag_assets.reporting.answers import AnswerReport, answers_markdown, write_answer_report
from lawrag_assets.search import one_cell
from lawrag_assets.settings import Settings
from lawrag_assets.tables import TableStore

EVALUATION = "answer_evaluation"


class EvaluationConfig(dg.Config):
    """What to measure on."""

    questions: list[str] = []  # noqa: RUF012  (Dagster's Config copies it)
    """Question sets, named as in the settings; the profile's where none is named."""
    cell: str = DEFAULT_CELL


@dg.asset(
    group_name=GROUP,
    kinds={"scikitlearn", "markdown"},
    owners=OWNERS,
    code_version="2",
    deps=["chunk_index", "lexical_index", "calibration", "corpus", "questions"],
)
def answer_evaluation(
    config: EvaluationConfig, settings: dg.ResourceParam[Settings], progress: dg.ResourceParam[Progress]
) -> dg.MaterializeResult[pl.DataFrame]:
    """Retrieval, reranking, refusal, routing and attribution, cross-validated on labelled questions: a page, Markdown and CSV."""
    asked = questions_of(settings, config.questions or settings.questions)
    pipeline = open_pipeline(settings, cell=config.cell, fitted=packaged())
    identity = model_identity(settings.embedding_model, device=settings.device)
    figures = train(
        pipeline, asked, embedding_model=identity, progress=lambda done, of: progress("questions looked up", done, of)
    ).figures
    slugs = {law.slug for law in pipeline.laws}
    claims = (
        claim_figures(attributed(pipeline, read_claims(sample.claims_path()), sample.SLUG))
        if sample.SLUG in slugs
        else pl.DataFrame()
    )
    report = AnswerReport(
        facts=(
            ("Laws", ", ".join(f"{law.law} ({law.build})" for law in pipeline.laws)),
            (
                "Questions",
                ", ".join(f"{name}: {count}" for name, count in asked["question_set"].value_counts(sort=True).iter_rows()),
            ),
            ("Cell", config.cell),
            ("Embedding model", identity),
            ("Reranker", "offline, cross-validated in folds that part no question from its translation"),
        ),
        measures=figures.measures,
        pairs=figures.pairs,
        separation=figures.separation.filter(pl.col("auroc").is_not_null()),
        reliability=figures.reliability,
        errors=figures.errors,
        routing=routed(pipeline, asked) if len(slugs) > 1 else pl.DataFrame(),
        claims=claims,
    )
    page = write_answer_report(report, settings.paths.reports)
    return dg.MaterializeResult(
        value=pl.DataFrame({"figures": json.dumps(_plain(report)), "answer": report.answer, "page": str(page)}),
        metadata={
            **headline(figures.measures),
            **figures.errors,
            "questions": asked.height,
            "page": dg.MetadataValue.path(str(page)),
            "report": dg.MetadataValue.md(answers_markdown(report)),
        },
    )


def _plain(report: AnswerReport) -> dict[str, Any]:
    frames = {
        name: getattr(report, name).to_dicts() for name in ("measures", "pairs", "separation", "reliability", "routing", "claims")
    }
    return {**frames, "errors": report.errors}


@dataclass(frozen=True)
class Evaluated:
    """What `lawrag evaluate-answers` prints."""

    figures: dict[str, Any]
    """The frames of `AnswerReport` as JSON values."""
    answer: str
    page: str


def evaluate_answers(settings: Settings, questions: list[str], cell: str, progress: Progress) -> Evaluated:
    """Materialize `answer_evaluation` on these question sets. Errors as `answering.fit`."""
    questions_of(settings, questions or settings.questions)
    one_cell(cell)
    materialize_alone(settings, EVALUATION, {"questions": questions, "cell": cell}, "lawrag evaluate-answers", progress)
    row = TableStore(settings.paths.tables).read(EVALUATION).row(0, named=True)
    return Evaluated(json.loads(row["figures"]), row["answer"], row["page"])
