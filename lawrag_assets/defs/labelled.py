"""What the report says of retrievers that use labels, put together from their tables. How it looks is `reporting`'s."""

import dagster as dg
import polars as pl

from lawrag_assets.defs.freshness import Freshness
from lawrag_assets.defs.plan import MEASURED_LEARNING
from lawrag_assets.evaluation.exposure import recall_by_exposure
from lawrag_assets.evaluation.measures import ALL, PRIMARY
from lawrag_assets.evaluation.waterfall import waterfall
from lawrag_assets.laws.citation_lists import cites_a_section
from lawrag_assets.learned import RANKER_CELLS
from lawrag_assets.ranking.ranker import SUPERVISED
from lawrag_assets.reporting.labelled import EXPOSURE_SCHEMA, STEPS_SCHEMA, SUPERVISED_SCHEMA, LabelledFigures
from lawrag_assets.retrieval.aggregation import DEFAULT_AGGREGATION
from lawrag_assets.tables import TableStore

SECTION, SUBSECTION = RANKER_CELLS
WITHOUT = ((SECTION, "dense"), (SECTION, "dense_centred"), (SUBSECTION, "dense_centred"), (SUBSECTION, "fused"))
"""The steps without labels, from the paper's retrieval on: cell and retriever."""
WITH = ("question_memory", "learned")
"""The steps on top of them with labels."""


def labelled_figures(tables: TableStore, freshness: Freshness, left_out: int) -> LabelledFigures | None:
    """The figures, where they are there and up to date; else None. `left_out`: near-duplicates that were not learned from."""
    if any(not freshness.is_built(asset, None) or freshness.is_stale(asset, None) for asset in MEASURED_LEARNING):
        return None
    questions, values = tables.read("questions"), tables.read("supervised_measures")
    metrics = tables.read("supervised_metrics")
    run = tables.read("supervised_run").filter(pl.col("retriever").is_in(SUPERVISED))
    exposure = recall_by_exposure(run, tables.read("supervised_seen"))
    return LabelledFigures(
        supervised=_supervised(questions, values, metrics),
        steps=_steps(tables, values),
        exposure=exposure.select(EXPOSURE_SCHEMA.names()),
        left_out=left_out,
    )


def _supervised(questions: pl.DataFrame, values: pl.DataFrame, metrics: pl.DataFrame) -> pl.DataFrame:
    """`SUPERVISED_SCHEMA`."""
    citing = questions.select(
        "question_set", query="id", cites=pl.col("question").map_elements(cites_a_section, return_dtype=pl.Boolean)
    )
    told = values.join(citing, on=["question_set", "query"], maintain_order="left")
    apart = told.group_by("question_set", "retriever", maintain_order=True).agg(
        cites=pl.col(PRIMARY).filter(pl.col("cites")).mean(),
        others=pl.col(PRIMARY).filter(~pl.col("cites")).mean(),
        citing=pl.col("cites").sum().cast(pl.Int64),
    )
    whole = metrics.filter(pl.col("measure") == PRIMARY, pl.col("subset") == ALL)
    joined = whole.join(apart, on=["question_set", "retriever"], maintain_order="left")
    return joined.select(SUPERVISED_SCHEMA.names())


def _steps(tables: TableStore, supervised: pl.DataFrame) -> pl.DataFrame:
    """`STEPS_SCHEMA`: each question set's way from plain dense retrieval to the learned one."""
    plain = {cell: tables.read("question_measures", [cell]) for cell in RANKER_CELLS if tables.exists("question_measures", cell)}
    parts = [STEPS_SCHEMA.to_frame()]
    for (name,), measured in supervised.group_by("question_set", maintain_order=True):
        values = []
        for cell, retriever in WITHOUT:
            if cell in plain:
                of_set = plain[cell].filter(
                    pl.col("question_set") == name,
                    pl.col("retriever") == retriever,
                    pl.col("aggregation") == DEFAULT_AGGREGATION,
                )
                values.append((f"{cell} {retriever}", False, of_set))
        values += [(retriever, True, measured.filter(pl.col("retriever") == retriever)) for retriever in WITH]
        there = [(step, labels, frame.select("query", value=PRIMARY)) for step, labels, frame in values if frame.height]
        asked = there[-1][2].select("query")  # of a set that is learned from in part, the measured questions
        together = pl.concat(
            [frame.join(asked, on="query", how="semi").with_columns(step=pl.lit(step)) for step, _, frame in there]
        )
        table = waterfall(together, [step for step, _, _ in there])
        labels = pl.Series([labels for _, labels, _ in there])
        parts.append(
            table.with_columns(
                question_set=pl.lit(name),
                without=pl.when(~labels).then(pl.col("mean")),
                **{"with": pl.when(labels).then(pl.col("mean"))},
            ).select(STEPS_SCHEMA.names())
        )
    return pl.concat(parts)


def left_out(instance: dg.DagsterInstance) -> int:
    """Training questions that were left out of the newest measurement as near-duplicates."""
    event = instance.get_latest_materialization_event(dg.AssetKey("supervised_run"))
    found = (
        event.asset_materialization.metadata.get("training questions left out as near-duplicates")
        if event and event.asset_materialization
        else None
    )
    return int(found.value) if isinstance(found, dg.IntMetadataValue) and found.value else 0
