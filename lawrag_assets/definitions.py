"""All that Dagster loads. Tests and the command line build their own with `build_definitions(settings, …)`."""

from collections.abc import Mapping

import dagster as dg

from lawrag_assets.defs import cells, checks, evaluation, generation, laws, questions, report, specs, units
from lawrag_assets.defs.freshness import Freshness
from lawrag_assets.defs.outside import take_look
from lawrag_assets.defs.resources import build_resources
from lawrag_assets.laws.source import LawFile
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

    definitions: dg.Definitions = dg.Definitions(
        assets=dg.load_assets_from_modules([laws, specs, generation, units, questions, cells, evaluation, report]),
        asset_checks=dg.load_asset_checks_from_modules([checks]),
        resources={**build_resources(settings), "look": look, **resource_overrides},
    )
    return definitions


@dg.definitions
def defs() -> dg.Definitions:
    """The graph of the profile that the environment names (LAWRAG_PROFILE, LAWRAG_STORAGE)."""
    return build_definitions(load_settings())
