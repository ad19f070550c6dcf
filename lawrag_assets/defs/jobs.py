"""Named jobs for the grids that experiments are made of. Each is launched from the UI's launchpad or by `dagster job launch`.

`paper_grid`, `one_strategy` and `one_base_unit` ask for a backfill of what is stale, one run a partition; `cells` is the partitioned job
of a cell's assets, for `dagster job backfill` and for choosing partitions by hand in the UI.
"""

from collections.abc import Sequence

import dagster as dg
from dagster._core.definitions.unresolved_asset_job_definition import UnresolvedAssetJobDefinition

from lawrag_assets.chunking import BASE_UNITS, STRATEGIES
from lawrag_assets.chunking.cells import parse_cells
from lawrag_assets.defs.backfills import request_backfill, stale_nodes
from lawrag_assets.defs.freshness import Look
from lawrag_assets.defs.plan import CELL_ASSETS
from lawrag_assets.settings import Settings

cells = dg.define_asset_job(
    "cells",
    selection=dg.AssetSelection.assets(*CELL_ASSETS),
    description="A cell from its enrichment to its measures, once its base unit and strategy are there. One run a cell.",
)


def _request(context: dg.OpExecutionContext, settings: Settings, look: Look, specs: Sequence[str], title: str) -> None:
    nodes = stale_nodes(look(context.instance), settings.laws, parse_cells(specs), evaluate=bool(settings.questions))
    if not nodes:
        context.log.info("everything is up to date")
        return
    backfill_id = request_backfill(context.instance, look(context.instance), nodes, title)
    context.log.info(f"asked for backfill {backfill_id} of {len(nodes)} asset partitions; see Runs › Backfills")


@dg.op(description="Asks for a backfill of what is stale of the paper's 21 cells.")
def request_paper_grid(
    context: dg.OpExecutionContext, settings: dg.ResourceParam[Settings], look: dg.ResourceParam[Look]
) -> None:
    """The paper's grid."""
    _request(context, settings, look, ["paper"], "the paper's grid")


@dg.op(
    description="Asks for a backfill of what is stale of one strategy's cells.",
    config_schema={"strategy": dg.Field(dg.Enum("Strategy", [dg.EnumValue(name) for name in STRATEGIES]))},
)
def request_strategy(context: dg.OpExecutionContext, settings: dg.ResourceParam[Settings], look: dg.ResourceParam[Look]) -> None:
    """One strategy over all base units."""
    strategy = context.op_config["strategy"]
    _request(context, settings, look, [f"*/{strategy}"], f"{strategy} over all base units")


@dg.op(
    description="Asks for a backfill of what is stale of one base unit's cells.",
    config_schema={"base_unit": dg.Field(dg.Enum("BaseUnit", [dg.EnumValue(name) for name in BASE_UNITS]))},
)
def request_base_unit(context: dg.OpExecutionContext, settings: dg.ResourceParam[Settings], look: dg.ResourceParam[Look]) -> None:
    """One base unit under all strategies."""
    base_unit = context.op_config["base_unit"]
    _request(context, settings, look, [f"{base_unit}/*"], f"{base_unit} under all strategies")


@dg.job(description="Backfills what is stale of the paper's 21 cells, with all they need.")
def paper_grid() -> None:
    """The paper's grid."""
    request_paper_grid()


@dg.job(description="Backfills what is stale of one strategy over all base units.")
def one_strategy() -> None:
    """One strategy over all base units."""
    request_strategy()


@dg.job(description="Backfills what is stale of one base unit under all strategies.")
def one_base_unit() -> None:
    """One base unit under all strategies."""
    request_base_unit()


JOBS: list[dg.JobDefinition | UnresolvedAssetJobDefinition] = [cells, paper_grid, one_strategy, one_base_unit]
