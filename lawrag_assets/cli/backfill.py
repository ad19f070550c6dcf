"""`lawrag backfill`."""

from dataclasses import asdict
from functools import partial
from typing import Annotated

import typer

from lawrag_assets.cli.options import JsonOption, ProfileOption, StorageOption
from lawrag_assets.cli.output import print_json, say
from lawrag_assets.cli.settings import settings_of
from lawrag_assets.errors import WorkFailedError


def backfill(
    context: typer.Context,
    spec: Annotated[
        list[str], typer.Argument(metavar="SPEC…", help="paper, all, or BASE_UNIT/STRATEGY with *.", show_default=False)
    ],
    wait: Annotated[bool, typer.Option("--wait", help="Wait for its end, and say what failed and why.")] = False,
    storage: StorageOption = None,
    profile: ProfileOption = None,
    as_json: JsonOption = False,
) -> None:
    """Let the daemon of `lawrag ui` make what is stale of the named cells, with all they need: one run a partition, several at once.

    `lawrag run` does the same in this process, one after the other, and makes the report.

    Example: lawrag backfill '*/flat' --wait
    """
    from lawrag_assets.chunking.cells import parse_cells
    from lawrag_assets.definitions import build_definitions
    from lawrag_assets.defs.backfills import BackfillState, backfill_state, request_backfill, stale_nodes, wait_for
    from lawrag_assets.defs.instance import Holder, follow_laws, is_held, open_instance
    from lawrag_assets.defs.outside import take_look

    settings = settings_of(context, storage=storage, profile=profile)
    cells = parse_cells(spec)
    settings.paths.require_writable()
    with open_instance(settings.paths) as instance:
        follow_laws(instance, settings.laws)
        freshness = take_look(build_definitions(settings), settings, {}, instance)
        nodes = stale_nodes(freshness, settings.laws, cells, evaluate=bool(settings.questions))
        if not nodes:
            say("everything is up to date")
            state = BackfillState("", " ".join(spec), "nothing to do", over=True)
        else:
            backfill_id = request_backfill(instance, freshness, nodes, " ".join(spec))
            say(f"backfill {backfill_id} of {len(nodes)} asset partitions is asked for")
            daemon_at_work = partial(is_held, settings.paths, Holder.UI)
            if not daemon_at_work():
                say("it begins when the daemon runs: start `lawrag ui` on this profile")
            state = wait_for(instance, backfill_id, say, daemon_at_work) if wait else backfill_state(instance, backfill_id)
    if as_json:
        print_json(asdict(state))
    if state.failed:
        reasons = "; ".join(f"{what}: {why}" for what, why in state.failed.items())
        raise WorkFailedError(f"{len(state.failed)} failed, {state.done} done: {reasons}")
    if state.over and state.done:
        say(f"{state.done} runs done")
