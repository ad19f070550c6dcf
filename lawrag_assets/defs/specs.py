"""What the work is done with, as small assets of their own: base units, strategies and the embedding model.

Dagster's `code_version` is one an asset, not one a partition; these carry it partition by partition, so that raising the version of one
strategy makes exactly its cells stale, and another model everything that is embedded.
"""

import dagster as dg
import polars as pl

from lawrag_assets.chunking import BASE_UNITS, STRATEGIES
from lawrag_assets.defs.laws import OWNERS
from lawrag_assets.defs.partitions import BASE_UNIT_PARTITIONS, STRATEGY_PARTITIONS
from lawrag_assets.embedding.cached import CachedEmbedder

GROUP = "specifications"


def unit_spec_version(base_unit: str) -> str:
    """The version of a base unit as the registry has it now."""
    return f"{base_unit} {BASE_UNITS[base_unit].version}"


def strategy_spec_version(strategy: str) -> str:
    """The version of a strategy as the registry has it now."""
    return f"{strategy} {STRATEGIES[strategy].version}"


def _result(name: str, version: str) -> dg.MaterializeResult[pl.DataFrame]:
    return dg.MaterializeResult(
        value=pl.DataFrame({"name": [name], "version": [version]}),
        data_version=dg.DataVersion(version),
        metadata={"name": name, "version": version},
    )


@dg.asset(partitions_def=BASE_UNIT_PARTITIONS, group_name=GROUP, kinds={"python"}, owners=OWNERS)
def unit_spec(context: dg.AssetExecutionContext) -> dg.MaterializeResult[pl.DataFrame]:
    """A base unit's name and version, from the registry."""
    return _result(context.partition_key, unit_spec_version(context.partition_key))


@dg.asset(partitions_def=STRATEGY_PARTITIONS, group_name=GROUP, kinds={"python"}, owners=OWNERS)
def strategy_spec(context: dg.AssetExecutionContext) -> dg.MaterializeResult[pl.DataFrame]:
    """A strategy's name and version, from the registry."""
    return _result(context.partition_key, strategy_spec_version(context.partition_key))


@dg.asset(group_name=GROUP, kinds={"huggingface"}, owners=OWNERS)
def embedding_model(embedder: dg.ResourceParam[CachedEmbedder]) -> dg.MaterializeResult[pl.DataFrame]:
    """The profile's embedding model: name, and the revision or checksum that says which weights, at which precision."""
    return _result(embedder.embedder.name, embedder.embedder.identity)
