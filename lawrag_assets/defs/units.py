"""Assets of a base unit: `units[base_unit]` and their vectors, `unit_embeddings[base_unit]`."""

import time

import dagster as dg
import polars as pl

from lawrag_assets.chunking import BASE_UNITS, Tokenize
from lawrag_assets.defs.embedding import EMBEDDING_POOL, embed_column
from lawrag_assets.defs.laws import OWNERS
from lawrag_assets.defs.partitions import BASE_UNIT_PARTITIONS
from lawrag_assets.defs.progress import Progress
from lawrag_assets.defs.specs import proposition_only
from lawrag_assets.defs.versions import Metadata, number, table_result
from lawrag_assets.embedding.cached import CachedEmbedder
from lawrag_assets.tables import TableStore

GROUP = "units"


@dg.asset(
    partitions_def=BASE_UNIT_PARTITIONS,
    group_name=GROUP,
    kinds={"polars"},
    owners=OWNERS,
    code_version="1",
    deps=["unit_spec", dg.AssetDep("propositions", partition_mapping=proposition_only())],
)
def units(
    context: dg.AssetExecutionContext,
    corpus: pl.DataFrame,
    tokenize: dg.ResourceParam[Tokenize],
    tables: dg.ResourceParam[TableStore],
) -> dg.MaterializeResult[pl.DataFrame]:
    """The corpus cut into one kind of base unit: sections, Absätze, sentences, propositions or windows, each with its place."""
    started = time.perf_counter()
    base_unit = BASE_UNITS[context.partition_key]
    source = corpus if base_unit.source == "corpus" else tables.read(base_unit.source, [(base_unit.name,)])
    frame = base_unit.cut(source, tokenize)
    seconds = time.perf_counter() - started
    lengths = frame["text"].str.len_chars()
    metadata: Metadata = {
        "units": frame.height,
        "seconds": seconds,
        "median characters": number(lengths.median()),
        "longest, characters": number(lengths.max()),
        "parents a unit": number(frame["parents"].list.len().mean()),
        "examples": dg.MetadataValue.json(
            frame.select("unit_id", "citation", pl.col("text").str.slice(0, 200)).head(3).to_dicts()
        ),
    }
    return table_result(frame, metadata)


@dg.asset(
    partitions_def=BASE_UNIT_PARTITIONS,
    group_name=GROUP,
    kinds={"torch"},
    owners=OWNERS,
    code_version="1",
    pool=EMBEDDING_POOL,
    deps=["embedding_model"],
)
def unit_embeddings(
    context: dg.AssetExecutionContext,
    units: pl.DataFrame,
    embedder: dg.ResourceParam[CachedEmbedder],
    progress: dg.ResourceParam[Progress],
) -> dg.MaterializeResult[pl.DataFrame]:
    """The units' vectors, for strategies that look at them. Each text is embedded once for ever, whichever cells it is part of."""
    what = f"texts of units [{context.partition_key}]"
    vectors, metadata = embed_column(units["text"], "passage", embedder, progress, what)
    return dg.MaterializeResult(value=units.select("unit_id", vector=vectors), metadata=metadata)
