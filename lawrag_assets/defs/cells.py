"""Assets of a cell up to its index: `chunks[cell]` and `chunk_index[cell]`."""

import time

import dagster as dg
import polars as pl

from lawrag_assets.chunking import STRATEGIES
from lawrag_assets.defs.embedding import EMBEDDING_POOL, as_matrix, embed_column
from lawrag_assets.defs.laws import OWNERS
from lawrag_assets.defs.partitions import GRID, cell_of
from lawrag_assets.defs.progress import Progress
from lawrag_assets.defs.versions import Metadata, table_result
from lawrag_assets.embedding.cached import CachedEmbedder
from lawrag_assets.retrieval.index import write_index
from lawrag_assets.storage import Storage
from lawrag_assets.tables import TableStore

GROUP = "cells"


@dg.asset(partitions_def=GRID, group_name=GROUP, kinds={"polars"}, owners=OWNERS, code_version="1", deps=["strategy_spec"])
def chunks(context: dg.AssetExecutionContext, units: pl.DataFrame) -> dg.MaterializeResult[pl.DataFrame]:
    """What the cell indexes: its strategy's chunks of its base unit, each with the sections it speaks for."""
    started = time.perf_counter()
    frame = STRATEGIES[cell_of(context.partition_key).strategy].build(units)
    seconds = time.perf_counter() - started
    metadata: Metadata = {
        "chunks": frame.height,
        "seconds": seconds,
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
    code_version="1",
    pool=EMBEDDING_POOL,
    deps=["embedding_model", "unit_embeddings"],  # below `unit_embeddings`, so that texts they share are in the cache already
)
def chunk_index(
    context: dg.AssetExecutionContext,
    chunks: pl.DataFrame,
    embedder: dg.ResourceParam[CachedEmbedder],
    progress: dg.ResourceParam[Progress],
    paths: dg.ResourceParam[Storage],
    tables: dg.ResourceParam[TableStore],
) -> dg.MaterializeResult[pl.DataFrame]:
    """The cell's LanceDB table: a vector a chunk, with text, parents and citation. What is returned is its index card."""
    cell = cell_of(context.partition_key)
    vectors, metadata = embed_column(chunks["text"], "passage", embedder, progress, f"texts of chunks [{cell}]")
    tables.remove("chunk_index", cell)  # a process that dies from here on leaves an index without a card, which counts as none
    stats = write_index(paths.lancedb, cell.table, chunks, as_matrix(vectors))
    return dg.MaterializeResult(
        value=pl.DataFrame({"chunks": [stats.chunks], "model": [embedder.embedder.identity]}),
        metadata={
            **metadata,
            "write seconds": stats.write_seconds,
            "chunks": stats.chunks,
            "index bytes": stats.bytes_without_text,
            "bytes with text": stats.bytes_total,
            "index": dg.MetadataValue.path(paths.lancedb / f"{cell.table}.lance"),
        },
    )
