"""The asset above all cells: `benchmark_report`. What cells cost is put together in `costs`; how a report looks is `reporting`'s."""

from dataclasses import asdict
from datetime import date

import dagster as dg
import polars as pl

from lawrag_assets.chunking.cells import Cell, grid
from lawrag_assets.defs.costs import History, cell_chunking, cell_costs
from lawrag_assets.defs.evaluation import gold_of
from lawrag_assets.defs.freshness import Look
from lawrag_assets.defs.laws import OWNERS
from lawrag_assets.defs.partitions import cell_key
from lawrag_assets.evaluation.measures import PRIMARY
from lawrag_assets.evaluation.questions import answerable
from lawrag_assets.evaluation.significance import REFERENCE, compare
from lawrag_assets.generation.extractive import NAME as EXTRACTIVE
from lawrag_assets.generation.factory import Generation
from lawrag_assets.reporting.benchmark import BenchmarkReport, Facts, LawFacts, QuestionSetFacts
from lawrag_assets.reporting.benchmark import benchmark_report as put_together
from lawrag_assets.reporting.files import write_report
from lawrag_assets.reporting.frames import (
    CHUNKING_SCHEMA,
    COMPARISONS_SCHEMA,
    COSTS_SCHEMA,
    FRIEDMAN_SCHEMA,
    SUMMARIES_SCHEMA,
)
from lawrag_assets.reporting.markdown import to_markdown
from lawrag_assets.retrieval.aggregation import DEFAULT_AGGREGATION
from lawrag_assets.storage import Storage
from lawrag_assets.tables import TableStore


@dg.asset(
    group_name="report",
    kinds={"markdown"},
    owners=OWNERS,
    code_version="3",
    deps=["cell_metrics", "question_measures", "chunk_index", "questions", "corpus", "embedding_model"],
)
def benchmark_report(
    context: dg.AssetExecutionContext,
    tables: dg.ResourceParam[TableStore],
    paths: dg.ResourceParam[Storage],
    look: dg.ResourceParam[Look],
    generation: dg.ResourceParam[Generation],
) -> dg.MaterializeResult[pl.DataFrame]:
    """All cells that are up to date, measured and compared: one page, with Markdown, CSV and Parquet beside it."""
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


def _report(history: History, tables: TableStore, cells: list[Cell], *, evaluated: bool, generator: str) -> BenchmarkReport:
    corpus = tables.read("corpus")
    names = [{"base_unit": pl.lit(cell.base_unit), "strategy": pl.lit(cell.strategy)} for cell in cells]
    measured = [
        tables.read("cell_metrics", [cell]).with_columns(**name) for cell, name in zip(cells, names, strict=True) if evaluated
    ]
    parse_seconds = sum(history.number("seconds", "law_sections", partition=slug) for slug in corpus["slug"].unique())
    comparisons, friedman = _compared(tables, cells) if evaluated and cells else (None, None)
    return put_together(
        _facts(history, corpus, tables.read("questions"), generator),
        pl.concat([SUMMARIES_SCHEMA.to_frame(), *(frame.select(SUMMARIES_SCHEMA.names()) for frame in measured)]),
        pl.DataFrame([cell_costs(history, cell, parse_seconds) for cell in cells], schema=COSTS_SCHEMA),
        chunking=pl.DataFrame([cell_chunking(history, cell) for cell in cells], schema=CHUNKING_SCHEMA),
        comparisons=comparisons,
        friedman=friedman,
    )


def _named(generator: str) -> str:
    """A generator's name as the report says it, so that nobody takes rules for a model."""
    return f"{generator} (rules, no language model)" if generator == EXTRACTIVE else generator


def _compared(tables: TableStore, cells: list[Cell]) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The cells of each question set compared on the primary measure: `COMPARISONS_SCHEMA` and `FRIEDMAN_SCHEMA`."""
    measured = [_values(tables, cell) for cell in cells]
    comparisons, tests = [COMPARISONS_SCHEMA.to_frame()], [FRIEDMAN_SCHEMA.to_frame()]
    for (question_set,), values in pl.concat(measured).group_by("question_set", maintain_order=True):
        there = values["cell"].unique(maintain_order=True)
        found = compare(values, reference=REFERENCE if REFERENCE in there else there[0])
        named = {"question_set": pl.lit(question_set), "measure": pl.lit(PRIMARY)}
        comparisons.append(found.table.with_columns(**named).select(COMPARISONS_SCHEMA.names()))
        if found.friedman:
            tests.append(pl.DataFrame([asdict(found.friedman)]).with_columns(**named).select(FRIEDMAN_SCHEMA.names()))
    return pl.concat(comparisons), pl.concat(tests)


def _values(tables: TableStore, cell: Cell) -> pl.DataFrame:
    """The cell's primary measure, question by question."""
    shown = tables.read("question_measures", [cell]).filter(
        pl.col("retriever") == "dense", pl.col("aggregation") == DEFAULT_AGGREGATION
    )
    return shown.select("question_set", "query", cell=pl.lit(str(cell)), value=PRIMARY)


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
