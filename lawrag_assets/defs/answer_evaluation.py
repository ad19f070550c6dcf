"""The asset that says how well questions are answered: `answer_evaluation`. What it measures is `qa`'s, how it looks `reporting`'s."""

import json
from dataclasses import dataclass
from typing import Any

import dagster as dg
import polars as pl

from lawrag_assets import sample
from lawrag_assets.asking import DEFAULT_CELL, open_pipeline
from lawrag_assets.defs.answering import GROUP, material_questions
from lawrag_assets.defs.failures import reason_of
from lawrag_assets.defs.instance import DRIVER_TAG, Holder, held, open_instance
from lawrag_assets.defs.laws import OWNERS
from lawrag_assets.defs.progress import Progress
from lawrag_assets.embedding.factory import model_identity
from lawrag_assets.errors import WorkFailedError
from lawrag_assets.qa.additive import packaged
from lawrag_assets.qa.assessment import routed
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
    code_version="1",
    deps=["chunk_index", "lexical_index", "calibration", "corpus", "questions"],
)
def answer_evaluation(
    config: EvaluationConfig, settings: dg.ResourceParam[Settings], progress: dg.ResourceParam[Progress]
) -> dg.MaterializeResult[pl.DataFrame]:
    """Retrieval, reranking, refusal, routing and attribution, cross-validated on labelled questions: a page, Markdown and CSV."""
    asked = material_questions(settings, config.questions or settings.questions)
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
            ("Questions", ", ".join(f"{name}: {count}" for name, count in asked["question_set"].value_counts(sort=True).iter_rows())),
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
    )  # fmt: skip
    page = write_answer_report(report, settings.paths.reports)
    best = figures.measures.filter(
        pl.col("configuration") == "reranked top-20", pl.col("level") == "section", pl.col("lang") == "all"
    )
    return dg.MaterializeResult(
        value=pl.DataFrame({"figures": json.dumps(_plain(report)), "page": str(page)}),
        metadata={
            **{str(measure): mean for measure, mean in best.select("measure", "mean").iter_rows()},
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
    from lawrag_assets.definitions import build_definitions

    material_questions(settings, questions or settings.questions)
    one_cell(cell)
    paths = settings.paths
    paths.require_writable()
    with held(paths, Holder.DRIVER), open_instance(paths) as instance:
        job = build_definitions(settings, progress=progress).resolve_implicit_global_asset_job_def()
        result = job.execute_in_process(
            instance=instance,
            asset_selection=[dg.AssetKey(EVALUATION)],
            tags={DRIVER_TAG: "lawrag evaluate-answers"},
            run_config={
                "ops": {EVALUATION: {"config": {"questions": questions, "cell": cell}}},
                "loggers": {"console": {"config": {"log_level": "CRITICAL"}}},
            },
            raise_on_error=False,
        )
    if not result.success:
        raise WorkFailedError(f"the evaluation failed: {reason_of(result.all_events)}")
    row = TableStore(paths.tables).read(EVALUATION)
    figures = json.loads(row["figures"].item())
    return Evaluated(figures, _answer(figures), row["page"].item())


def _answer(figures: dict[str, Any]) -> str:
    frames = {name: pl.DataFrame(rows) for name, rows in figures.items() if name != "errors"}
    return AnswerReport(facts=(), errors=figures["errors"], **frames).answer
