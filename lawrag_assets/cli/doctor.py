"""`lawrag doctor`."""

from typing import Annotated

import typer
from rich.table import Table

from lawrag_assets.cli.options import JsonOption, ProfileOption, StorageOption
from lawrag_assets.cli.output import print_json, results, say
from lawrag_assets.cli.settings import settings_of
from lawrag_assets.errors import WorkFailedError


def doctor(
    context: typer.Context,
    mend: Annotated[bool, typer.Option("--mend", help="First mark runs that died as failed, and free their places.")] = False,
    storage: StorageOption = None,
    profile: ProfileOption = None,
    as_json: JsonOption = False,
) -> None:
    """Say whether the profile can do its work: versions, storage, law source, models, cells, runs, daemon. Exit code 1 if not.

    Asks the law source for one law and, where one is set, the language model for one word.

    Example: lawrag doctor --json
    """
    from lawrag_assets.defs.doctor import examine
    from lawrag_assets.defs.doctor import mend as mend_runs

    settings = settings_of(context, storage=storage, profile=profile)
    if mend:
        say(f"{mend_runs(settings)} dead run(s) marked as failed")
    checks = list(examine(settings))
    if as_json:
        print_json(checks)
    else:
        table = Table(box=None, pad_edge=False)
        for column in ("", "check", "found"):
            table.add_column(column, no_wrap=column != "found")
        for check in checks:
            way_out = f" → {check['way_out']}" if check["way_out"] else ""
            table.add_row(check["state"], check["check"], f"{check['found']}{way_out}")
        results.print(table, markup=False)
    failed = [check["check"] for check in checks if check["state"] == "fail"]
    if failed:
        raise WorkFailedError(f"{len(failed)} of {len(checks)} checks failed: {', '.join(failed)}")
