"""All that Dagster loads. Tests and the command line build their own with `build_definitions(settings, …)`."""

from collections.abc import Mapping

import dagster as dg

from lawrag_assets.defs import (
    answer_evaluation,
    answering,
    cells,
    checks,
    evaluation,
    generation,
    latency,
    laws,
    questions,
    ranking,
    report,
    retrieval,
    specs,
    units,
)
from lawrag_assets.defs.alerts import failure_alert
from lawrag_assets.defs.automation import freshness_sensor, kept_fresh
from lawrag_assets.defs.freshness import Freshness
from lawrag_assets.defs.jobs import JOBS
from lawrag_assets.defs.looks import law_source
from lawrag_assets.defs.outside import take_look
from lawrag_assets.defs.resources import build_resources
from lawrag_assets.defs.watching import LAW_UPDATE, watchers
from lawrag_assets.laws.law_file import LawFile
from lawrag_assets.settings import Settings, load_settings


def build_definitions(
    settings: Settings, fetched: Mapping[str, LawFile] | None = None, **resource_overrides: object
) -> dg.Definitions:
    """The graph for these settings.

    `fetched` are laws that were fetched already, so that a look at what is up to date can compare them. `resource_overrides` take the
    place of resources by name (`law_source=…`).
    """

    def look(instance: dg.DagsterInstance) -> Freshness:
        return take_look(definitions, settings, fetched or {}, instance)

    law_watch, law_watch_daily = watchers(settings)
    definitions: dg.Definitions = dg.Definitions(
        assets=[
            *dg.load_assets_from_modules(
                [
                    laws,
                    specs,
                    generation,
                    units,
                    questions,
                    cells,
                    retrieval,
                    evaluation,
                    latency,
                    ranking,
                    answering,
                    answer_evaluation,
                    report,
                ],
                automation_condition=kept_fresh(look, settings),
            ),
            law_source,
        ],
        executor=dg.in_process_executor,  # a run is of one partition, its steps follow each other, and they share the models
        asset_checks=dg.load_asset_checks_from_modules([checks]),
        jobs=[*JOBS, LAW_UPDATE],
        sensors=[failure_alert(settings), law_watch, freshness_sensor(settings)],
        schedules=[law_watch_daily],
        resources={**build_resources(settings), "look": look, **resource_overrides},
    )
    return definitions


@dg.definitions
def defs() -> dg.Definitions:
    """The graph of the profile that the environment names (LAWRAG_PROFILE, LAWRAG_STORAGE)."""
    return build_definitions(load_settings())
