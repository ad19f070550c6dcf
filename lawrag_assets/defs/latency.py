"""The asset that times searches: `search_latency`, above all indexes.

Its timings are in no data version, so the same indexes are not timed again, and a report of the same timings stays as it is.
"""

import os
import platform
from functools import partial

import dagster as dg
import polars as pl

from lawrag_assets.chunking.cells import grid
from lawrag_assets.defs.embedding import EMBEDDING_POOL, as_matrix
from lawrag_assets.defs.freshness import Look
from lawrag_assets.defs.laws import OWNERS
from lawrag_assets.defs.partitions import cell_key
from lawrag_assets.defs.progress import Progress
from lawrag_assets.retrieval.index import SEARCH_PATH, open_index
from lawrag_assets.retrieval.latency import RUNS, latency_figures, measure_latency, spread
from lawrag_assets.storage import Storage


# In the pool of embedding, so that no run beside it takes the cores meanwhile.
@dg.asset(group_name="evaluation", kinds={"numpy"}, owners=OWNERS, code_version="1", pool=EMBEDDING_POOL, deps=["chunk_index"])
def search_latency(
    context: dg.AssetExecutionContext,
    question_embeddings: pl.DataFrame,
    paths: dg.ResourceParam[Storage],
    look: dg.ResourceParam[Look],
    progress: dg.ResourceParam[Progress],
) -> dg.MaterializeResult[pl.DataFrame]:
    """How long single searches take: every index that is up to date, in turns in one process, beside the bare scan of its vectors."""
    freshness = look(context.instance)
    cells = [
        cell
        for cell in grid()
        if freshness.is_built("chunk_index", cell_key(cell)) and not freshness.is_stale("chunk_index", cell_key(cell))
    ]
    asked = question_embeddings[spread(question_embeddings.height)]
    timed = measure_latency(
        {str(cell): partial(open_index, paths.lancedb, cell.table) for cell in cells},
        as_matrix(asked["vector"]),
        progress=lambda done, total: progress("searches of cells", done, total),
    )
    questions = asked.select("question_set", query="id").with_row_index("question").cast({"question": pl.Int32})
    table = timed.rename({"index": "cell"}).join(questions, on="question", maintain_order="left").drop("question")
    return dg.MaterializeResult(
        value=table,
        metadata={
            "cells": len(cells),
            "questions": asked.height,
            "runs": RUNS,
            "served by": SEARCH_PATH,
            "machine": machine(),
            "milliseconds": dg.MetadataValue.json(latency_figures(timed).to_dicts()),
        },
    )


def machine() -> str:
    """What this machine is: "2 cores, x86_64, 8 GB"."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9
    return f"{os.cpu_count()} cores, {platform.machine()}, {memory:.0f} GB"
