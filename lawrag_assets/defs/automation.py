"""Keeping what was built up to date: the automation condition of every asset, and the sensor that evaluates it.

**One notion of fresh.** Dagster's own conditions tell of events: `any_deps_match(data_version_changed())` is true at one tick, and an
amendment that arrives while the asset below is being made is forgotten with it, for both count as handled at the next tick. A failed or
killed run is not repeated either. The condition here asks instead what *is* stale by its data versions, the same question that
`lawrag run` asks (`freshness`, `plan`), so the daemon, the command line and `lawrag cells` agree, and whatever was missed is found.

**What it asks for.** The next steps towards the cells that were built once, no others: a law's sections, then the corpus, then base
units, then indexes, then evaluations, then the report. A step is asked for when all it is made from is up to date, and what has failed
only again after a while.
"""

import time
import warnings
from collections import defaultdict
from collections.abc import Mapping

import dagster as dg
from dagster._core.definitions.events import AssetKeyPartitionKey

from lawrag_assets.chunking.cells import grid
from lawrag_assets.defs.freshness import Freshness, Look, Node
from lawrag_assets.defs.instance import ACTIVE, Holder, is_held
from lawrag_assets.defs.partitions import cell_key
from lawrag_assets.defs.plan import Step, ready, steps
from lawrag_assets.settings import Settings

RETRY_AFTER = 900.0
"""Seconds after which what failed is tried again."""

_EVERY = 10
"""Seconds between two ticks. An update takes four of them to the index: sections, corpus, units, index."""

_LOOK_ANYWAY_AFTER = 60.0
"""Seconds after which a tick looks though nothing has been materialized: for a question file or a setting, and for what failed."""

_FAILED = (dg.DagsterRunStatus.FAILURE, dg.DagsterRunStatus.CANCELED)


class NextStep(dg.AutomationCondition[dg.AssetKey]):
    """True of the asset partitions that `lawrag run` would make next for the cells that were built."""

    def __init__(self, look: Look, settings: Settings) -> None:
        """`look` takes a look at the instance; it is taken once a tick, for all assets."""
        self._look = look
        self._settings = settings
        self._tick: object = None
        self._wanted: Mapping[str, set[str | None]] = {}
        self._looked = (0, 0.0)

    @property
    def name(self) -> str:
        """What the UI calls it."""
        return "next step towards the cells that were built"

    @property
    def description(self) -> str:
        """What the UI says of it."""
        return "Stale by its data versions, needed by a cell that was built once, and all it is made from is up to date"

    def evaluate(self, context: dg.AutomationContext[dg.AssetKey]) -> dg.AutomationResult[dg.AssetKey]:
        """The asset's partitions that are to be made now."""
        view = context.asset_graph_view
        if self._tick is not view:
            self._tick, self._wanted = view, self._next_or_nothing(view.instance)
        key = context.key
        partitions = {AssetKeyPartitionKey(key, partition) for partition in self._wanted.get(key.to_user_string(), set())}
        found = view.get_asset_subset_from_asset_partitions(key, partitions)
        return dg.AutomationResult(context, context.candidate_subset.compute_intersection(found))

    def _next_or_nothing(self, instance: dg.DagsterInstance) -> Mapping[str, set[str | None]]:
        """The partitions to make; looked at anew where anything was written down since there were none, or that is a while ago."""
        if is_held(self._settings.paths, Holder.DRIVER):
            return {}  # `lawrag run` does it all itself
        newest, looked_at = instance.event_log_storage.get_maximum_record_id() or 0, time.monotonic()
        if not self._wanted and newest == self._looked[0] and looked_at < self._looked[1] + _LOOK_ANYWAY_AFTER:
            return {}
        self._looked = (newest, looked_at)
        return self._next(instance)

    def _next(self, instance: dg.DagsterInstance) -> Mapping[str, set[str | None]]:
        """The partitions to make, by asset."""
        wanted: dict[str, set[str | None]] = defaultdict(set)
        runs = _Runs(instance)
        freshness = self._look(instance)
        for step in ready(self._plan(freshness), freshness, failed=runs.failed_lately, under_way=runs.under_way):
            for asset in step.assets:
                wanted[asset].add(step.partition)
        return wanted

    def _plan(self, freshness: Freshness) -> list[Step]:
        built = [cell for cell in grid() if freshness.was_built("chunk_index", cell_key(cell))]
        evaluate, train = bool(self._settings.questions), bool(self._settings.training_questions)
        return list(steps(self._settings.laws, built, evaluate=evaluate, train=train)) if built else []


class _Runs:
    """Which run was to make what. Made before a look: a run that ends while the look is taken has made what the look calls stale."""

    def __init__(self, instance: dg.DagsterInstance) -> None:
        self._instance = instance
        self._active_before = {run.run_id for run in instance.get_runs(filters=dg.RunsFilter(statuses=ACTIVE))}

    def under_way(self, node: Node) -> bool:
        """Whether a run is to make it now, or was a moment ago."""
        record = self._newest(node)
        return bool(record and (record.dagster_run.run_id in self._active_before or not record.dagster_run.is_finished))

    def failed_lately(self, node: Node) -> bool:
        """Whether the newest run that was to make it failed or was cancelled, and not long ago."""
        record = self._newest(node)
        return bool(
            record
            and record.dagster_run.status in _FAILED
            and (record.end_time or record.update_timestamp.timestamp()) > time.time() - RETRY_AFTER
        )

    def _newest(self, node: Node) -> dg.RunRecord | None:
        asset, partition = node
        planned = self._instance.event_log_storage.get_latest_planned_materialization_info(dg.AssetKey(asset), partition)
        return self._instance.get_run_record_by_id(planned.run_id) if planned else None


def kept_fresh(look: Look, settings: Settings) -> dg.AutomationCondition[dg.AssetKey]:
    """The condition of every asset."""
    in_progress = dg.AutomationCondition.in_progress()
    return NextStep(look, settings) & ~in_progress & ~dg.AutomationCondition.any_deps_match(in_progress)


def freshness_sensor(settings: Settings) -> dg.AutomationConditionSensorDefinition:
    """The sensor that evaluates it. It starts running where LAWRAG_WATCH is not `off`."""
    with warnings.catch_warnings():  # a condition of our own is evaluated in our own process, which is still beta in Dagster
        warnings.simplefilter("ignore", dg.BetaWarning)
        return dg.AutomationConditionSensorDefinition(
            name="keep_fresh",
            target=dg.AssetSelection.all(),
            use_user_code_server=True,
            emit_backfills=False,  # a run a cell: one that fails stops no other
            minimum_interval_seconds=_EVERY,
            default_status=dg.DefaultSensorStatus.STOPPED if settings.watch == "off" else dg.DefaultSensorStatus.RUNNING,
            description=(
                "Redoes what a change has made stale, for the cells that were built once: a law's sections, the corpus, base units, "
                "indexes, then evaluations, and the report last. Text that has not changed is neither embedded nor sent to a model again. "
                f"What failed is tried again after {RETRY_AFTER / 60:.0f} minutes. Starts running with LAWRAG_WATCH=on or daily."
            ),
        )
