"""Assets of a cell up to its index: `chunks[cell]` and `chunk_index[cell]`."""

import time
from collections.abc import Callable

import dagster as dg
import numpy as np
import polars as pl

from lawrag_assets.chunking import STRATEGIES, Tokenize
from lawrag_assets.chunking.cells import Cell
from lawrag_assets.chunking.late import parts_read
from lawrag_assets.chunking.pooling import pooled
from lawrag_assets.chunking.statistics import chunk_statistics
from lawrag_assets.defs.embedding import EMBEDDING_POOL, as_matrix, embed_column, embedding_metadata
from lawrag_assets.defs.laws import OWNERS
from lawrag_assets.defs.partitions import GRID, cell_of
from lawrag_assets.defs.progress import Progress
from lawrag_assets.defs.versions import Metadata, table_result
from lawrag_assets.embedding.cached import CachedEmbedder
from lawrag_assets.embedding.late import Part
from lawrag_assets.embedding.protocol import Vectors
from lawrag_assets.retrieval.index import write_index
from lawrag_assets.storage import Storage
from lawrag_assets.tables import TableStore

GROUP = "cells"


@dg.asset(partitions_def=GRID, group_name=GROUP, kinds={"polars"}, owners=OWNERS, code_version="2", deps=["strategy_spec"])
def chunks(
    context: dg.AssetExecutionContext,
    units: pl.DataFrame,
    enrichment: pl.DataFrame,
    corpus: pl.DataFrame,
    tokenize: dg.ResourceParam[Tokenize],
) -> dg.MaterializeResult[pl.DataFrame]:
    """What the cell indexes: its strategy's chunks of its base unit, each with the sections it speaks for."""
    started = time.perf_counter()
    frame = STRATEGIES[cell_of(context.partition_key).strategy].build(units, enrichment)
    seconds = time.perf_counter() - started
    figures = chunk_statistics(frame, units, corpus, tokenize)
    metadata: Metadata = {
        "chunks": frame.height,
        "seconds": seconds,
        "tokens, median": figures.tokens_median,
        "tokens, 95th percentile": figures.tokens_p95,
        "parents a chunk": figures.parents_mean,
        "share of text indexed twice": figures.twice,
        "share that begins or ends inside a sentence": figures.inside_sentence,
        "examples": dg.MetadataValue.json(
            frame.select("chunk_id", "citation", pl.col("text").str.slice(0, 200)).head(3).to_dicts()
        ),
    }
    return table_result(frame, metadata)


@dg.asset(
    partitions_def=GRID,
    group_name=GROUP,
    kinds={"lancedb"},
    owners=OWNERS,
    code_version="2",
    pool=EMBEDDING_POOL,
    deps=["embedding_model", "unit_embeddings", "enrichment"],
)
def chunk_index(
    context: dg.AssetExecutionContext,
    chunks: pl.DataFrame,
    embedder: dg.ResourceParam[CachedEmbedder],
    progress: dg.ResourceParam[Progress],
    paths: dg.ResourceParam[Storage],
    tables: dg.ResourceParam[TableStore],
) -> dg.MaterializeResult[pl.DataFrame]:
    """The cell's LanceDB table: a vector a chunk, with text, parents and citation. What is returned is its index card.

    A chunk's vector is that of its text; where nothing of it is to be embedded, the mean of its units' or of their tokens'.

    The old index and its card stay until the new ones take their place, so that the cell can be searched all the while. A process that
    dies between the two leaves a card of the old index; what made it stale then still does.
    """
    cell = cell_of(context.partition_key)
    if STRATEGIES[cell.strategy].pooling == "tokens":
        pooled_units, (vectors, metadata) = 0, _late_vectors(embedder, progress, cell, tables)
    else:
        pooled_units = chunks["embedded"].null_count()
        vectors, metadata = _vectors(
            chunks, embedder, progress, cell, lambda: tables.read("unit_embeddings", [(cell.base_unit,)])
        )
    stats = write_index(paths.lancedb, cell.table, chunks, vectors)
    return dg.MaterializeResult(
        value=pl.DataFrame({"chunks": [stats.chunks], "model": [embedder.embedder.identity]}),
        metadata={
            **metadata,
            "write seconds": stats.write_seconds,
            "chunks": stats.chunks,
            "pooled": pooled_units,
            "index bytes": stats.bytes_without_text,
            "bytes with text": stats.bytes_total,
            "index": dg.MetadataValue.path(str(paths.lancedb / f"{cell.table}.lance")),
        },
    )


def _late_vectors(embedder: CachedEmbedder, progress: Progress, cell: Cell, tables: TableStore) -> tuple[Vectors, Metadata]:
    """The vectors of the cell's units, (units, d), each read within its sections, and what reading them took."""
    units, enrichment = tables.read("units", [(cell.base_unit,)]), tables.read("enrichment", [cell])
    parts = [[Part(*part) for part in unit] for unit in parts_read(units, enrichment)]
    result = embedder.embed_parts(parts, lambda done, total: progress(f"parts of sections for {cell}", done, total))
    return result.vectors, embedding_metadata(result, embedder)


def _vectors(
    chunks: pl.DataFrame, embedder: CachedEmbedder, progress: Progress, cell: Cell, units: Callable[[], pl.DataFrame]
) -> tuple[Vectors, Metadata]:
    """The chunks' vectors, (chunks, d), and what embedding them took. `units` reads `unit_embeddings`."""
    pooled_rows = chunks.select(pl.arg_where(pl.col("embedded").is_null())).to_series()
    own_rows = chunks.select(pl.arg_where(pl.col("embedded").is_not_null())).to_series()
    parts: list[Vectors] = []
    metadata: Metadata = {"seconds": 0.0}
    if own_rows.len():
        texts = chunks["embedded"].gather(own_rows)
        column, metadata = embed_column(texts, "passage", embedder, progress, f"texts of chunks [{cell}]")
        parts.append(as_matrix(column))
    if pooled_rows.len():
        embedded = units()
        groups = chunks["units"].gather(pooled_rows).to_list()
        parts.append(pooled(as_matrix(embedded["vector"]), embedded["unit_id"].to_list(), groups))
    order = pl.concat([own_rows, pooled_rows]).arg_sort()
    return np.concatenate(parts)[order.to_numpy()], metadata
