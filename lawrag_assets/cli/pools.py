"""`lawrag pools`."""

from typing import Annotated

import typer
from rich.table import Table

from lawrag_assets.cli.options import JsonOption, ProfileOption, StorageOption
from lawrag_assets.cli.output import print_json, results
from lawrag_assets.cli.settings import settings_of


def pools(
    context: typer.Context,
    embedding: Annotated[
        int | None, typer.Option(min=1, max=64, metavar="N", help="So many assets may embed at once.", show_default=False)
    ] = None,
    model: Annotated[
        int | None, typer.Option(min=1, max=64, metavar="N", help="So many may ask the language model.", show_default=False)
    ] = None,
    storage: StorageOption = None,
    profile: ProfileOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show and set how many assets may embed, or ask a language model, at once, over all of the profile's runs.

    Example: lawrag pools --embedding 1 --model 4
    """
    from lawrag_assets.defs.instance import open_instance
    from lawrag_assets.defs.pools import pool_states, set_pools

    paths = settings_of(context, storage=storage, profile=profile).paths
    paths.require_writable()
    with open_instance(paths) as instance:
        set_pools(instance, {name: limit for name, limit in (("embedding", embedding), ("model", model)) if limit is not None})
        states = pool_states(instance)
    if as_json:
        print_json(states)
        return
    table = Table(box=None, pad_edge=False)
    for column in ("pool", "limit", "at work", "waiting"):
        table.add_column(column)
    for state in states:
        table.add_row(state["pool"], str(state["limit"]), ", ".join(state["held"]), ", ".join(state["waiting"]))
    results.print(table)
