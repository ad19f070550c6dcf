"""`lawrag report`."""

import webbrowser
from typing import Annotated

import typer

from lawrag_assets.cli.options import JsonOption, ProfileOption, StorageOption
from lawrag_assets.cli.output import print_json
from lawrag_assets.cli.settings import settings_of
from lawrag_assets.errors import InputError


def report(
    context: typer.Context,
    open_it: Annotated[bool, typer.Option("--open", help="Open it in a browser.")] = False,
    storage: StorageOption = None,
    profile: ProfileOption = None,
    as_json: JsonOption = False,
) -> None:
    """Print the path of the newest benchmark report (HTML; the same figures as Markdown and CSV beside it).

    Example: lawrag report --open
    """
    paths = settings_of(context, storage=storage, profile=profile).paths
    page = paths.reports / "report.html"
    if not page.is_file():
        raise InputError(f"profile {paths.profile!r} has no report yet: `lawrag run` makes one")
    if as_json:
        print_json({"html": str(page), "markdown": str(page.with_suffix(".md")), "csv": str(page.with_suffix(".csv"))})
    else:
        print(page)
    if open_it:
        webbrowser.open(page.as_uri())
