"""The asset above all cells: `benchmark_report`. What it is made of is `report_material`'s; how it looks is `reporting`'s."""

from dataclasses import replace

import dagster as dg
import polars as pl

from lawrag_assets.chunking.cells import grid
from lawrag_assets.defs.costs import History
from lawrag_assets.defs.freshness import Look
from lawrag_assets.defs.labelled import labelled_figures, left_out
from lawrag_assets.defs.laws import OWNERS
from lawrag_assets.defs.partitions import cell_key
from lawrag_assets.defs.report_material import Material, report_of
from lawrag_assets.generation.extractive import NAME as EXTRACTIVE
from lawrag_assets.generation.factory import Generation
from lawrag_assets.reporting.files import write_report
from lawrag_assets.reporting.markdown import to_markdown
from lawrag_assets.storage import Storage
from lawrag_assets.tables import TableStore


@dg.asset(
    group_name="report",
    kinds={"markdown"},
    owners=OWNERS,
    code_version="6",
    deps=[
        *("cell_metrics", "question_measures", "failures", "search_latency"),
        *("supervised_metrics", "supervised_seen"),
        *("chunk_index", "questions", "corpus", "corpus_references", "embedding_model"),
    ],
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
    material = Material(history, tables, freshness, current, evaluated=last == "cell_metrics")
    report = report_of(material, _named(generation.generator.name))
    report = replace(report, labelled=labelled_figures(tables, freshness, left_out(context.instance)))
    tables.remove(
        "benchmark_report"
    )  # so that a process that dies between the pages and the record leaves no report, not a wrong one
    files = write_report(report, paths.reports, "report")
    return dg.MaterializeResult(
        value=report.table,
        metadata={
            "cells": len(current),
            "stale cells left out": len(built) - len(current),
            "page": dg.MetadataValue.path(str(files.html)),
            "report": dg.MetadataValue.md(to_markdown(report)),
        },
    )


def _named(generator: str) -> str:
    """A generator's name as the report says it, so that nobody takes rules for a model."""
    return f"{generator} (rules, no language model)" if generator == EXTRACTIVE else generator
