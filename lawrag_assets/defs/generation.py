"""Assets that a generator writes: `propositions` and `enrichment[cell]`, and telling Dagster what the writing took.

What is asked stands with each strategy; generators and the store of their answers are the generation room's.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass

import dagster as dg
import numpy as np
import polars as pl

from lawrag_assets.chunking import BASE_UNITS, STRATEGIES, Material, Tokenize
from lawrag_assets.chunking.cells import Cell
from lawrag_assets.chunking.propositions import PROPOSITION, write_propositions
from lawrag_assets.chunking.tables import ENRICHMENT_SCHEMA
from lawrag_assets.defs.embedding import as_matrix
from lawrag_assets.defs.laws import OWNERS
from lawrag_assets.defs.partitions import GRID, PROPOSITION_PARTITION, cell_of
from lawrag_assets.defs.progress import Progress
from lawrag_assets.defs.specs import proposition_only, strategy_spec_version
from lawrag_assets.defs.versions import Metadata, table_result
from lawrag_assets.embedding.cached import CachedEmbedder
from lawrag_assets.embedding.protocol import Vectors
from lawrag_assets.generation.cached import CachedGenerator
from lawrag_assets.generation.factory import Generation
from lawrag_assets.generation.protocol import Generator, Task
from lawrag_assets.tables import TableStore

MODEL_POOL = "model"
"""One asset at a time asks the generator, which has many requests under way itself."""

MADE_BY = "made_by"
"""The column that says which version of a strategy and which model made an enrichment."""


@dg.asset(
    partitions_def=PROPOSITION_PARTITION,
    group_name="units",
    kinds={"ai"},
    owners=OWNERS,
    code_version="1",
    pool=MODEL_POOL,
    deps=[dg.AssetDep("unit_spec", partition_mapping=proposition_only())],
)
def propositions(
    corpus: pl.DataFrame, generation: dg.ResourceParam[Generation], progress: dg.ResourceParam[Progress]
) -> dg.MaterializeResult[pl.DataFrame]:
    """The self-contained statements of every Absatz, as the generator writes them; the Absatz itself where nothing is to split."""
    started = time.perf_counter()
    generator = generation.cached(lambda done, total: progress("propositions of subsections", done, total))
    frame = write_propositions(corpus, generator)
    metadata: Metadata = {
        "propositions": frame.height,
        "subsections": frame["source"].n_unique(),
        "seconds": time.perf_counter() - started - generator.waited + generator.tally.usage.seconds,
        **written_metadata(generator, BASE_UNITS[PROPOSITION].tasks),
        "examples": dg.MetadataValue.json(frame.select("source", "number", pl.col("text").str.slice(0, 300)).head(6).to_dicts()),
    }
    return table_result(frame, metadata)


@dg.asset(
    partitions_def=GRID,
    group_name="cells",
    kinds={"ai"},
    owners=OWNERS,
    code_version="1",
    pool=MODEL_POOL,
    deps=["strategy_spec", "unit_embeddings", "corpus_references"],
)
def enrichment(
    context: dg.AssetExecutionContext,
    units: pl.DataFrame,
    corpus: pl.DataFrame,
    generation: dg.ResourceParam[Generation],
    embedder: dg.ResourceParam[CachedEmbedder],
    tokenize: dg.ResourceParam[Tokenize],
    progress: dg.ResourceParam[Progress],
    tables: dg.ResourceParam[TableStore],
) -> dg.MaterializeResult[pl.DataFrame]:
    """What is written or put together for the cell: contexts, boundaries, clusters, the tree of summaries, what units refer to.

    Empty for a flat cell.
    """
    cell = cell_of(context.partition_key)
    strategy = STRATEGIES[cell.strategy]
    made_by = pl.lit(strategy_spec_version(strategy.name, generation.generator)).alias(MADE_BY)
    if strategy.enrich is None:
        return table_result(ENRICHMENT_SCHEMA.to_frame().with_columns(made_by), {"nodes": 0, "seconds": 0.0})
    started = time.perf_counter()
    generator = generation.cached(lambda done, total: progress(f"answers for {cell}", done, total))
    embedding = Embedding(embedder, progress, f"summaries of {cell}")
    former = former_enrichment(tables, cell, generation.generator)
    material = Material(
        units=units,
        corpus=corpus,
        vectors=lambda: as_matrix(tables.read("unit_embeddings", [(cell.base_unit,)])["vector"]),
        embed=embedding,
        generator=generator,
        tokenize=tokenize,
        references=lambda: tables.read("corpus_references"),
        former=former,
    )
    frame = strategy.enrich(material).with_columns(made_by)
    own_seconds = time.perf_counter() - started - generator.waited - embedding.waited
    kept = 0 if former is None else frame.join(former, on="node_id", how="semi").height
    metadata: Metadata = {
        "nodes": frame.height,
        **{f"nodes of level {level}": count for level, count in frame.group_by("level").len().sort("level").iter_rows()},
        "nodes as before": kept,
        "seconds": own_seconds + generator.tally.usage.seconds + embedding.cold_seconds,
        "own seconds": own_seconds,
        "embedding seconds": embedding.cold_seconds,
        "texts embedded now": embedding.embedded,
        **written_metadata(generator, strategy.tasks),
        "examples": dg.MetadataValue.json(frame.select("node_id", "level", pl.col("text").str.slice(0, 300)).tail(5).to_dicts()),
    }
    return table_result(frame, metadata)


def former_enrichment(tables: TableStore, cell: Cell, generator: Generator) -> pl.DataFrame | None:
    """What the cell's enrichment was before; None where there was none, or another version or another model made it."""
    if not tables.exists("enrichment", cell):
        return None
    made_by = strategy_spec_version(cell.strategy, generator)
    former = tables.read("enrichment", [cell]).filter(pl.col(MADE_BY) == made_by)
    return former if former.height else None


@dataclass
class Embedding:
    """Embeds texts that are no units, through the cache, and keeps what it took."""

    embedder: CachedEmbedder
    progress: Progress
    what: str
    embedded: int = 0
    waited: float = 0.0
    cold_seconds: float = 0.0

    def __call__(self, texts: Sequence[str]) -> Vectors:
        """The texts' vectors, (texts, d)."""
        if not texts:
            return np.zeros((0, 0), np.float32)
        started = time.perf_counter()
        result = self.embedder.embed(list(texts), "passage", lambda done, total: self.progress(self.what, done, total))
        self.waited += time.perf_counter() - started
        self.embedded += result.embedded
        self.cold_seconds += result.cold_seconds
        return result.vectors


def asks_again(asset: str, partition: str | None) -> bool:
    """Whether an asset's partition is what a generator writes, and so is redone where all answers are to be asked for again."""
    if asset == "enrichment" and partition is not None:
        return bool(STRATEGIES[cell_of(partition).strategy].tasks)
    return asset == "propositions"


def written_metadata(generator: CachedGenerator, tasks: Sequence[Task]) -> Metadata:
    """What the UI shows of a generator's answers; figures are of all distinct requests, whenever they were answered."""
    if not tasks:
        return {}
    tally = generator.tally
    usage = tally.usage
    return {
        "generator": generator.name,
        "prompts": dg.MetadataValue.json({str(task): generator.origin(task).prompt for task in tasks}),
        "answers": tally.answers,
        "answers from the cache": tally.cached,
        "answers asked for now": tally.answers - tally.cached,
        "fallbacks": sum(tally.fallbacks.values()),
        **{f"fallbacks: {trouble}": count for trouble, count in tally.fallbacks.items()},
        "calls": usage.calls,
        "input tokens": _or_unknown(usage.input_tokens),
        "output tokens": _or_unknown(usage.output_tokens),
        "cost in US dollars": _or_unknown(usage.cost),
        "generation seconds": usage.seconds,
    }


def _or_unknown(figure: float | None) -> float | str:
    return "unknown" if figure is None else figure
