"""What the work is done with, as small assets of their own: base units, strategies and the embedding model.

Dagster's `code_version` is one an asset, not one a partition; these carry it partition by partition, so that raising the version of one
strategy makes exactly its cells stale, another language model what a generator writes, and another embedding model everything that is
embedded.
"""

from collections.abc import Sequence

import dagster as dg
import polars as pl

from lawrag_assets.chunking import BASE_UNITS, STRATEGIES
from lawrag_assets.chunking.propositions import PROPOSITION
from lawrag_assets.defs.laws import OWNERS
from lawrag_assets.defs.partitions import BASE_UNIT_PARTITIONS, STRATEGY_PARTITIONS
from lawrag_assets.embedding.cached import CachedEmbedder
from lawrag_assets.generation.factory import Generation
from lawrag_assets.generation.protocol import Generator, Task

GROUP = "specifications"


def proposition_only() -> dg.StaticPartitionMapping:
    """Of all base units only `proposition` stands below or above the asset `propositions`.

    A mapping of its own for each use: Dagster's remembers the partitions that it was asked about as if they were mapped.
    """
    return dg.StaticPartitionMapping({PROPOSITION: PROPOSITION})


def unit_spec_version(base_unit: str, generator: Generator) -> str:
    """The version of a base unit as the registry has it now, and whose words it is made of."""
    return f"{base_unit} {BASE_UNITS[base_unit].version}{_written_by(generator, BASE_UNITS[base_unit].tasks)}"


def strategy_spec_version(strategy: str, generator: Generator) -> str:
    """The version of a strategy as the registry has it now, and whose answers it is made of."""
    return f"{strategy} {STRATEGIES[strategy].version}{_written_by(generator, STRATEGIES[strategy].tasks)}"


def _written_by(generator: Generator, tasks: Sequence[Task]) -> str:
    origins = [generator.origin(task) for task in tasks]
    return "".join(f"; {o.task} by {o.model} ({o.generator}, {o.prompt}, {o.parameters})" for o in origins)


def _result(name: str, version: str) -> dg.MaterializeResult[pl.DataFrame]:
    return dg.MaterializeResult(
        value=pl.DataFrame({"name": [name], "version": [version]}),
        data_version=dg.DataVersion(version),
        metadata={"name": name, "version": version},
    )


@dg.asset(partitions_def=BASE_UNIT_PARTITIONS, group_name=GROUP, kinds={"python"}, owners=OWNERS)
def unit_spec(context: dg.AssetExecutionContext, generation: dg.ResourceParam[Generation]) -> dg.MaterializeResult[pl.DataFrame]:
    """A base unit's name and version, from the registry; for one that a generator writes, its model and prompt too."""
    return _result(context.partition_key, unit_spec_version(context.partition_key, generation.generator))


@dg.asset(partitions_def=STRATEGY_PARTITIONS, group_name=GROUP, kinds={"python"}, owners=OWNERS)
def strategy_spec(
    context: dg.AssetExecutionContext, generation: dg.ResourceParam[Generation]
) -> dg.MaterializeResult[pl.DataFrame]:
    """A strategy's name and version, from the registry; for one that asks a generator, its model and prompts too."""
    return _result(context.partition_key, strategy_spec_version(context.partition_key, generation.generator))


@dg.asset(group_name=GROUP, kinds={"huggingface"}, owners=OWNERS)
def embedding_model(embedder: dg.ResourceParam[CachedEmbedder]) -> dg.MaterializeResult[pl.DataFrame]:
    """The profile's embedding model: name, and the revision or checksum that says which weights, at which precision."""
    return _result(embedder.embedder.name, embedder.embedder.identity)
