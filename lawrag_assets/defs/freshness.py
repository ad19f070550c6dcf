"""Whether an asset's partition is up to date, and if not, why.

Dagster's own staleness, as its UI shows it, says that code or an input has changed; it is the base. It does not look outside the graph
(has the law's XML changed? was a file deleted?), calls an asset fresh whose blocking check failed, is not transitive, and skips inputs of a
hundred partitions or more; that is added here.
"""

from collections.abc import Callable, Mapping
from typing import Any

import dagster as dg
from dagster._core.definitions.assets.graph.base_asset_graph import BaseAssetGraph
from dagster._core.definitions.data_version import CachingStaleStatusResolver, StaleStatus
from dagster._core.definitions.events import AssetKeyPartitionKey
from dagster._core.definitions.partitions.context import partition_loading_context
from dagster._core.event_api import EventLogRecord, PartitionKeyFilter
from dagster._core.loader import LoadingContext
from dagster._core.storage.asset_check_execution_record import AssetCheckExecutionRecord
from dagster._utils.caching_instance_queryer import CachingInstanceQueryer

from lawrag_assets.defs.partitions import cell_of, parts_of
from lawrag_assets.laws.archive import is_kept
from lawrag_assets.storage import Storage
from lawrag_assets.tables import TableStore

Node = tuple[str, str | None]
"""An asset and its partition key."""


class _Loading(LoadingContext):
    """The scope of one look at the instance. Dagster has the resolver, which its UI asks, but no public way to call it."""

    def __init__(self, instance: dg.DagsterInstance) -> None:
        self._instance = instance
        self._loaders: dict[type, Any] = {}

    @property
    def instance(self) -> dg.DagsterInstance:
        return self._instance

    @property
    def loaders(self) -> dict[type, Any]:
        return self._loaders


class Freshness:
    """One look at the instance: what is up to date right now. Take a new look after each run."""

    def __init__(
        self,
        graph: BaseAssetGraph[Any],
        instance: dg.DagsterInstance,
        paths: Storage,
        outside: Mapping[Node, str],
        laws: list[str],
    ) -> None:
        """`outside` holds the version that each root of the graph would have if it were materialized now."""
        self._graph = graph
        self._instance = instance
        loading = _Loading(instance)
        self._queryer = CachingInstanceQueryer(instance, graph, loading)
        self._queryer.prefetch_asset_records(graph.get_all_asset_keys())
        self._resolver = CachingStaleStatusResolver(instance, graph, loading, self._queryer)
        self._paths = paths
        self._tables = TableStore(paths.tables)
        self._outside = outside
        self._laws = laws
        self._known: dict[Node, bool] = {}

    @property
    def graph(self) -> BaseAssetGraph[Any]:
        """The assets that were looked at."""
        return self._graph

    def version(self, asset: str, partition: str | None) -> str:
        """The data version that was materialized last."""
        return self._resolver.get_current_data_version(dg.AssetKey(asset), partition).value

    def is_built(self, asset: str, partition: str | None) -> bool:
        """Whether the partition was ever materialized, and what it wrote is still there."""
        return self.was_built(asset, partition) and self._is_stored(asset, partition)

    def was_built(self, asset: str, partition: str | None) -> bool:
        """Whether the partition was ever materialized, be it still there or not."""
        return self._resolver.get_status(dg.AssetKey(asset), partition) is not StaleStatus.MISSING

    def why_stale(self, asset: str, partition: str | None) -> str | None:
        """Why the partition itself has to be redone, whatever lies above it; None if it need not."""
        if not self.is_built(asset, partition):
            return "not there yet"
        if unpassed := self._unpassed_checks(asset, partition):
            return f"not checked: {', '.join(unpassed)}"
        if self._resolver.get_status(dg.AssetKey(asset), partition) is StaleStatus.STALE:
            causes = self._resolver.get_stale_causes(dg.AssetKey(asset), partition)
            return "; ".join(
                f"{cause.dependency.asset_key.to_user_string()} {cause.reason}" if cause.dependency else cause.reason
                for cause in causes
            )
        current = self._outside.get((asset, partition))
        if current is not None and current != self.version(asset, partition):
            return "changed"
        if asset == "corpus" and self._corpus_inputs() != {law: self.version("law_sections", law) for law in self._laws}:
            return "other laws"
        return None

    def is_stale(self, asset: str, partition: str | None) -> bool:
        """Whether the partition or anything above it has to be redone."""
        node = (asset, partition)
        if node not in self._known:
            self._known[node] = self.why_stale(asset, partition) is not None or self.is_stale_above(asset, partition)
        return self._known[node]

    def is_stale_above(self, asset: str, partition: str | None) -> bool:
        """Whether anything that the partition is made from has to be redone."""
        return any(self.is_stale(*above) for above in self.above(asset, partition))

    def above(self, asset: str, partition: str | None) -> list[Node]:
        """The asset partitions that this one is made from."""
        with partition_loading_context(dynamic_partitions_store=self._instance):
            parents = self._graph.get_parents_partitions(dg.AssetKey(asset), partition).parent_partitions
        return [(parent.asset_key.to_user_string(), parent.partition_key) for parent in parents]

    def _unpassed_checks(self, asset: str, partition: str | None) -> list[str]:
        """Blocking checks that have not passed on what was materialized last: it must not be built upon."""
        materialization = self._record(asset, partition)
        blocking = [key for key in self._graph.get(dg.AssetKey(asset)).check_keys if self._graph.get(key).blocking]
        partition_filter = PartitionKeyFilter(key=partition) if partition else None
        found = self._instance.event_log_storage.get_latest_asset_check_execution_by_key(blocking, partition_filter)
        return [
            key.name for key in blocking if not (key in found and materialization and _passed_on(found[key], materialization))
        ]

    def _record(self, asset: str, partition: str | None) -> EventLogRecord | None:
        """The newest materialization."""
        return self._queryer.get_latest_materialization_or_observation_record(AssetKeyPartitionKey(dg.AssetKey(asset), partition))

    def _is_stored(self, asset: str, partition: str | None) -> bool:
        """Whether what Dagster recorded last is what lies there: a process may have died in between, a user may delete folders."""
        record = self._record(asset, partition)
        if record is None or self._tables.run_id(asset, parts_of(partition)) != record.run_id:
            return False
        if asset == "law_xml" and partition is not None:
            return is_kept(self._paths.laws, partition, self.version(asset, partition))
        if asset == "chunk_index" and partition is not None:
            return (self._paths.lancedb / f"{cell_of(partition).table}.lance").is_dir()
        if asset == "ranker":
            return self._paths.ranker.is_file()
        if asset == "benchmark_report":
            return (self._paths.reports / "report.html").is_file()
        return True

    def _corpus_inputs(self) -> dict[str, str] | None:
        event = self._instance.get_latest_materialization_event(dg.AssetKey("corpus"))
        materialization = event.asset_materialization if event else None
        inputs = materialization.metadata.get("inputs") if materialization else None
        return inputs.value if isinstance(inputs, dg.JsonMetadataValue) and isinstance(inputs.value, dict) else None


Look = Callable[[dg.DagsterInstance], Freshness]
"""Takes a look at an instance."""


def _passed_on(execution: AssetCheckExecutionRecord, materialization: EventLogRecord) -> bool:
    """Whether the check passed, and on this very materialization. A run that was killed leaves a check that was only planned."""
    evaluation: object = execution.evaluation
    if not isinstance(evaluation, dg.AssetCheckEvaluation):
        return False
    target = evaluation.target_materialization_data
    return bool(evaluation.passed and target and target.storage_id == materialization.storage_id)
