"""Assets of answering: `answer_reranker`, what `lawrag fit-reranker` makes."""

import hashlib
import json
from typing import Any

import dagster as dg
import polars as pl

from lawrag_assets.asking import DEFAULT_CELL, RERANKER, open_pipeline
from lawrag_assets.defs.failures import reason_of
from lawrag_assets.defs.instance import DRIVER_TAG, Holder, held, open_instance
from lawrag_assets.defs.laws import OWNERS
from lawrag_assets.defs.progress import Progress
from lawrag_assets.defs.versions import Metadata
from lawrag_assets.embedding.factory import model_identity
from lawrag_assets.errors import WorkFailedError
from lawrag_assets.qa.additive import packaged
from lawrag_assets.qa.assessment import headline
from lawrag_assets.qa.training import Figures, Trained, figures_on, train
from lawrag_assets.question_sets import read_question_sets
from lawrag_assets.search import one_cell
from lawrag_assets.settings import SAMPLE, Settings
from lawrag_assets.tables import TableStore

GROUP = "answering"


class FitConfig(dg.Config):
    """What to fit on."""

    questions: list[str] = [SAMPLE]  # noqa: RUF012  (Dagster's Config copies it)
    """Question sets, named as in the settings. There is a default so that jobs of other assets need no word on this one."""
    test: list[str] = []  # noqa: RUF012  (Dagster's Config copies it)
    """Others to test the fit on."""
    cell: str = DEFAULT_CELL


@dg.asset(
    group_name=GROUP,
    kinds={"scikitlearn"},
    owners=OWNERS,
    code_version="1",
    deps=["chunk_index", "lexical_index", "calibration", "corpus"],
)
def answer_reranker(
    config: FitConfig, settings: dg.ResourceParam[Settings], progress: dg.ResourceParam[Progress]
) -> dg.MaterializeResult[pl.DataFrame]:
    """The offline reranker and judge, fitted on labelled questions; the figures are cross-validated on them."""
    asked, others = (questions_of(settings, files) for files in (config.questions, config.test))
    pipeline = open_pipeline(settings, cell=config.cell, fitted=packaged())
    identity = model_identity(settings.embedding_model, device=settings.device)
    trained = train(
        pipeline, asked, embedding_model=identity, progress=lambda done, of: progress("questions looked up", done, of)
    )
    text = trained.reranker.to_json()
    figures = {"cross-validated": trained.figures}
    if others.height:
        figures["other questions"] = figures_on(
            pipeline, trained.reranker, others, lambda done, of: progress("test questions looked up", done, of)
        )
    value = pl.DataFrame({"reranker": text, "figures": json.dumps({name: _plain(found) for name, found in figures.items()})})
    version = hashlib.sha256(text.encode()).hexdigest()[:16]
    return dg.MaterializeResult(value=value, data_version=dg.DataVersion(version), metadata=_metadata(trained, asked))


def questions_of(settings: Settings, files: list[str]) -> pl.DataFrame:
    """The questions of these sets, named as in the settings."""
    return read_question_sets(settings.model_copy(update={"questions": files})).table


def _plain(figures: Figures) -> dict[str, object]:
    """Figures as JSON values."""
    frames = {
        "measures": figures.measures,
        "separation": figures.separation,
        "reliability": figures.reliability,
        "pairs": figures.pairs,
    }
    return {**{name: frame.to_dicts() for name, frame in frames.items()}, "errors": figures.errors}


def _metadata(trained: Trained, asked: pl.DataFrame) -> Metadata:
    figures: Metadata = {f"{measure}, cross-validated": mean for measure, mean in headline(trained.figures.measures).items()}
    return {
        **figures,
        **trained.figures.errors,
        "questions": asked.height,
        "weights": dg.MetadataValue.json(dict(trained.reranker.weights)),
        "judge": dg.MetadataValue.json({**trained.reranker.judge.weights, "threshold": trained.reranker.judge.threshold}),
    }


def fit(settings: Settings, questions: list[str], test: list[str], cell: str, progress: Progress) -> dict[str, Any]:
    """Materialize `answer_reranker` from these question sets, and return its figures as JSON values.

    Raises InputError for bad input, before anything is written; WorkFailedError where the fit fails.
    """
    questions_of(settings, questions)
    questions_of(settings, test)
    one_cell(cell)
    materialize_alone(settings, RERANKER, {"questions": questions, "test": test, "cell": cell}, "lawrag fit-reranker", progress)
    figures: dict[str, Any] = json.loads(TableStore(settings.paths.tables).read(RERANKER)["figures"].item())
    return figures


def materialize_alone(settings: Settings, asset: str, config: dict[str, Any], command: str, progress: Progress) -> None:
    """Materialize one asset with this configuration, as a command of its own. Raises WorkFailedError where that fails."""
    from lawrag_assets.definitions import build_definitions

    paths = settings.paths
    paths.require_writable()
    with held(paths, Holder.DRIVER), open_instance(paths) as instance:
        job = build_definitions(settings, progress=progress).resolve_implicit_global_asset_job_def()
        result = job.execute_in_process(
            instance=instance,
            asset_selection=[dg.AssetKey(asset)],
            tags={DRIVER_TAG: command},
            run_config={
                "ops": {asset: {"config": config}},
                "loggers": {"console": {"config": {"log_level": "CRITICAL"}}},
            },
            raise_on_error=False,
        )
    if not result.success:
        raise WorkFailedError(f"{command} failed: {reason_of(result.all_events)}")
