"""All that Dagster loads. Tests and the command line build their own with `build_definitions(settings, …)`."""

import dagster as dg

from lawrag_assets.defs import cells, checks, evaluation, laws, questions, report, specs, units
from lawrag_assets.defs.resources import build_resources
from lawrag_assets.settings import Settings, load_settings


def build_definitions(settings: Settings, **resource_overrides: object) -> dg.Definitions:
    """The graph for these settings. `resource_overrides` take the place of resources by name (`law_source=…`)."""
    return dg.Definitions(
        assets=dg.load_assets_from_modules([laws, specs, units, questions, cells, evaluation, report]),
        asset_checks=dg.load_asset_checks_from_modules([checks]),
        resources={**build_resources(settings), **resource_overrides},
    )


@dg.definitions
def defs() -> dg.Definitions:
    """The graph of the profile that the environment names (LAWRAG_PROFILE, LAWRAG_STORAGE)."""
    return build_definitions(load_settings())
