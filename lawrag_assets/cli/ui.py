"""`lawrag ui`."""

import os
import sys
from typing import Annotated

import typer

from lawrag_assets.cli.options import ProfileOption, StorageOption
from lawrag_assets.cli.output import say
from lawrag_assets.cli.settings import settings_of


def ui(
    context: typer.Context,
    host: Annotated[str, typer.Option(help="Address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port to listen on.")] = 3000,
    log_format: Annotated[
        str | None,
        typer.Option(
            metavar="FORMAT",
            help="Of the daemon's and web server's logs: colored or json (LAWRAG_LOG_FORMAT).",
            show_default=False,
        ),
    ] = None,
    storage: StorageOption = None,
    profile: ProfileOption = None,
) -> None:
    """Show the profile's lineage graph in Dagster's web UI, and materialize from there.

    Example: lawrag --profile demo ui --port 3001
    """
    from lawrag_assets.defs.dead_runs import fail_dead_runs
    from lawrag_assets.defs.instance import Holder, follow_laws, held, is_held, open_instance

    settings = settings_of(context, storage=storage, profile=profile, log_format=log_format)
    paths = settings.paths
    paths.require_writable()
    with held(paths, Holder.UI) as lock:
        driver_at_work = is_held(paths, Holder.DRIVER)
        with open_instance(paths) as instance:
            fail_dead_runs(instance, alive=[Holder.DRIVER] if driver_at_work else [])
            if not driver_at_work:
                follow_laws(instance, settings.laws)
        say(f"Dagster's UI for profile {paths.profile}: http://{host}:{port} (Ctrl-C ends it)")
        os.environ |= {
            "DAGSTER_HOME": str(paths.dagster_home),
            "LAWRAG_STORAGE": str(paths.root),
            "LAWRAG_PROFILE": paths.profile,
            "LAWRAG_LOG_FORMAT": settings.log_format,
        }
        os.set_inheritable(lock, True)  # this process becomes Dagster, and holds the lock as long as Dagster lives
        os.execv(
            sys.executable,
            [
                *(sys.executable, "-m", "dagster", "dev", "-m", "lawrag_assets.definitions"),
                *("-h", host, "-p", str(port), "--log-format", settings.log_format),
            ],
        )
