"""`lawrag cells`."""

import typer
from rich.table import Table

from lawrag_assets.cli.options import JsonOption, ProfileOption, StorageOption
from lawrag_assets.cli.output import print_json, results
from lawrag_assets.cli.settings import settings_of


def cells(
    context: typer.Context, storage: StorageOption = None, profile: ProfileOption = None, as_json: JsonOption = False
) -> None:
    """List the cells: which are built, and which are stale. Whether a law has changed at its source, `lawrag run` asks.

    Example: lawrag cells --json
    """
    from lawrag_assets.defs.states import cell_states

    states = cell_states(settings_of(context, storage=storage, profile=profile))
    if as_json:
        print_json(states)
        return
    table = Table(box=None, pad_edge=False)
    for column in ("base unit", "strategy", "built", "stale"):
        table.add_column(column)
    for state in states:
        built = state["materialized"]
        table.add_row(state["base_unit"], state["strategy"], "yes" if built else "", "stale" if state["stale"] else "")
    results.print(table)
