"""The asset above all cells: `benchmark_report`, and where it finds the figures that earlier runs left in Dagster's metadata."""

from datetime import date

import dagster as dg
import polars as pl

from lawrag_assets.chunking.cells import Cell, grid
from lawrag_assets.chunking.propositions import PROPOSITION
from lawrag_assets.defs.evaluation import gold_of
from lawrag_assets.defs.freshness import Look
from lawrag_assets.defs.laws import OWNERS
from lawrag_assets.defs.partitions import cell_key
from lawrag_assets.evaluation.measures import SUMMARY_SCHEMA
from lawrag_assets.evaluation.questions import answerable
from lawrag_assets.generation.extractive import NAME as EXTRACTIVE
from lawrag_assets.generation.factory import Generation
from lawrag_assets.reporting.benchmark import BenchmarkReport, Facts, LawFacts, QuestionSetFacts
from lawrag_assets.reporting.benchmark import benchmark_report as put_together
from lawrag_assets.reporting.files import write_report
from lawrag_assets.reporting.frames import COSTS_SCHEMA
from lawrag_assets.reporting.markdown import to_markdown
from lawrag_assets.storage import Storage
from lawrag_assets.tables import TableStore


@dg.asset(
    group_name="report",
    kinds={"markdown"},
    owners=OWNERS,
    code_version="2",
    deps=["cell_metrics", "chunk_index", "questions", "corpus", "embedding_model"],
)
def benchmark_report(
    context: dg.AssetExecutionContext,
    tables: dg.ResourceParam[TableStore],
    paths: dg.ResourceParam[Storage],
    look: dg.ResourceParam[Look],
    generation: dg.ResourceParam[Generation],
) -> dg.MaterializeResult[pl.DataFrame]:
    """One table over all cells that are up to date; HTML, Markdown and CSV."""
    history = History(context.instance)
    freshness = look(context.instance)
    last = "cell_metrics" if tables.read("questions").height else "chunk_index"
    built = [cell for cell in grid() if freshness.is_built("chunk_index", cell_key(cell))]
    current = [cell for cell in built if not freshness.is_stale(last, cell_key(cell))]
    report = _report(history, tables, current, evaluated=last == "cell_metrics", generator=_named(generation.generator.name))
    tables.remove(
        "benchmark_report"
    )  # so that a process that dies between the pages and the record leaves no report, not a wrong one
    files = write_report(report, paths.reports, "report")
    return dg.MaterializeResult(
        value=report.table,
        metadata={
            "cells": len(current),
            "stale cells left out": len(built) - len(current),
            "page": dg.MetadataValue.path(files.html),
            "report": dg.MetadataValue.md(to_markdown(report)),
        },
    )


class History:
    """The newest materialization of each asset partition."""

    def __init__(self, instance: dg.DagsterInstance) -> None:
        self._instance = instance

    def of(self, asset: str, cell: Cell | None = None, partition: str | None = None) -> dg.AssetMaterialization | None:
        """What Dagster recorded of it; None if it was never materialized."""
        key = cell_key(cell) if cell else partition
        records = self._instance.fetch_materializations(
            dg.AssetRecordsFilter(asset_key=dg.AssetKey(asset), asset_partitions=[key] if key else None), limit=1
        ).records
        return records[0].asset_materialization if records else None

    def number(self, name: str, asset: str, cell: Cell | None = None, partition: str | None = None) -> float:
        """A number in the metadata; 0 where there is none."""
        materialization = self.of(asset, cell, partition)
        value = materialization.metadata[name].value if materialization and name in materialization.metadata else None
        return float(value) if isinstance(value, int | float) else 0.0


def _report(history: History, tables: TableStore, cells: list[Cell], *, evaluated: bool, generator: str) -> BenchmarkReport:
    corpus = tables.read("corpus")
    names = [{"base_unit": pl.lit(cell.base_unit), "strategy": pl.lit(cell.strategy)} for cell in cells]
    measured = [
        tables.read("cell_metrics", [cell]).with_columns(**name) for cell, name in zip(cells, names, strict=True) if evaluated
    ]
    parse_seconds = sum(history.number("seconds", "law_sections", partition=slug) for slug in corpus["slug"].unique())
    costs = pl.DataFrame([_costs(history, cell, parse_seconds) for cell in cells], schema=COSTS_SCHEMA)
    return put_together(
        _facts(history, corpus, tables.read("questions"), generator),
        pl.concat([SUMMARY_SCHEMA.to_frame().with_columns(base_unit=pl.lit(""), strategy=pl.lit("")), *measured]),
        costs,
    )


def _named(generator: str) -> str:
    """A generator's name as the report says it, so that nobody takes rules for a model."""
    return f"{generator} (rules, no language model)" if generator == EXTRACTIVE else generator


def _costs(history: History, cell: Cell, parse_seconds: float) -> dict[str, object]:
    """What the cell costs to build and to search. Building is the sum of all it needs, as if nothing had been there before."""
    build = (
        parse_seconds
        + (history.number("seconds", "propositions", partition=PROPOSITION) if cell.base_unit == PROPOSITION else 0)
        + history.number("seconds", "units", partition=cell.base_unit)
        + history.number("seconds", "enrichment", cell)
        + history.number("seconds", "chunks", cell)
        + history.number("seconds", "chunk_index", cell)
        + history.number("write seconds", "chunk_index", cell)
    )
    if history.number("pooled", "chunk_index", cell):  # made of the units' own vectors instead of a text's
        build += history.number("seconds", "unit_embeddings", partition=cell.base_unit)
    return {
        "base_unit": cell.base_unit,
        "strategy": cell.strategy,
        "chunks": int(history.number("chunks", "chunk_index", cell)),
        "build_seconds": build,
        "search_ms": history.number("p50_ms", "retrieval_run", cell) or None,
        "index_bytes": int(history.number("index bytes", "chunk_index", cell)),
    }


def _facts(history: History, corpus: pl.DataFrame, questions: pl.DataFrame, generator: str) -> Facts:
    in_force = corpus.group_by("law", "build", maintain_order=True).agg((pl.col("status") == "in_force").sum())
    model = history.of("embedding_model")
    unknown = gold_of(questions, corpus).unknown
    sets = []
    for (name,), asked in questions.group_by("question_set", maintain_order=True):
        answered = answerable(asked).height
        missing = unknown.filter(pl.col("question_set") == name).height
        sets.append(QuestionSetFacts(str(name), answered, asked.height - answered, missing))
    return Facts(
        laws=tuple(LawFacts(law, build, sections) for law, build, sections in in_force.iter_rows()),
        question_sets=tuple(sets),
        model=str(model.metadata["version"].value) if model else "",
        generator=generator,
        date=date.today().isoformat(),
    )
