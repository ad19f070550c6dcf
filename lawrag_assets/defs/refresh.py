"""Bringing named cells up to date: walk the graph from the laws to the report and materialize, with Dagster, what is stale.

This is how `lawrag run` drives the same assets that the UI shows. Each step is one Dagster run of one partition; a step that fails does
not stop the steps that do not need it.
"""

import uuid
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field

import dagster as dg

from lawrag_assets.chunking.cells import Cell
from lawrag_assets.defs.failures import reason_of
from lawrag_assets.defs.freshness import Freshness
from lawrag_assets.defs.instance import DRIVER_TAG, Holder
from lawrag_assets.defs.plan import GATHERED, Step, steps
from lawrag_assets.defs.pools import telling_of_waits


@dataclass
class Outcome:
    """What a refresh did."""

    done: list[Step] = field(default_factory=list)
    failed: dict[Step, str] = field(default_factory=dict)


class Refresher:
    """Refreshes one profile's graph on its instance."""

    def __init__(
        self,
        definitions: dg.Definitions,
        instance: dg.DagsterInstance,
        look: Callable[[], Freshness],
        say: Callable[[str], None],
        again: Callable[[str, str | None], bool],
        alive: Callable[[], Collection[Holder]],
    ) -> None:
        """`look` takes a new look at what is up to date; `say` is told what is being done; `again` says what is redone in any case;
        `alive` who is at work on the profile."""
        self._job = definitions.resolve_implicit_global_asset_job_def()
        self._instance = instance
        self._look = look
        self._freshness = look()
        self._say = say
        self._again = again
        self._alive = alive

    def refresh(self, laws: Sequence[str], cells: Sequence[Cell], *, evaluate: bool, train: bool = False) -> Outcome:
        """Bring the cells, everything they need and the report up to date. `evaluate`: there are questions to evaluate with; `train`: there
        are questions to learn from."""
        outcome = Outcome()
        for step in steps(laws, cells, evaluate=evaluate, train=train):
            self._bring_up_to_date(step, outcome)
        return outcome

    def _bring_up_to_date(self, step: Step, outcome: Outcome) -> None:
        reasons = [self._why(asset, step.partition) for asset in step.assets]
        first = next((number for number, reason in enumerate(reasons) if reason), None)
        if first is None:
            return
        stale = Step(step.assets[first:], step.partition)
        if outcome.failed and step.assets not in GATHERED and self._stands_on_a_failure(stale):
            outcome.failed[stale] = "what it is made from failed"
            return
        self._say(f"making {stale} ({reasons[first]})")
        run_id = str(uuid.uuid4())
        with telling_of_waits(self._instance, run_id, self._say, self._alive):
            result = self._job.execute_in_process(
                instance=self._instance,
                run_id=run_id,
                partition_key=step.partition,
                asset_selection=[dg.AssetKey(asset) for asset in stale.assets],
                tags={DRIVER_TAG: "lawrag run"},
                run_config={"loggers": {"console": {"config": {"log_level": "CRITICAL"}}}},
                raise_on_error=False,
            )
        self._freshness = self._look()
        if result.success:
            outcome.done.append(stale)
        else:
            outcome.failed[stale] = reason_of(result.all_events)
            self._say(f"{stale}: failed: {outcome.failed[stale]}")

    def _why(self, asset: str, partition: str | None) -> str | None:
        return self._freshness.why_stale(asset, partition) or ("asked for again" if self._again(asset, partition) else None)

    def _stands_on_a_failure(self, step: Step) -> bool:
        """Whether anything that the step is made from, and does not make itself, is not up to date."""
        return any(self._freshness.is_stale(*node) for node in step.above(self._freshness))
