"""The commands, put together. Each has its own file; heavy libraries are imported by the command that needs them."""

import importlib.metadata
from typing import Annotated

import typer

from lawrag_assets.cli import (
    ask,
    backfill,
    cache,
    cells,
    changes,
    compare,
    doctor,
    evaluate_answers,
    fit_reranker,
    gc,
    parse,
    pools,
    questions,
    report,
    run,
    search,
    serve,
    ui,
)
from lawrag_assets.cli.options import ProfileOption, StorageOption

app = typer.Typer(
    name="lawrag",
    help="German federal law as retrieval indexes: parse it, chunk it every serious way, compare, search.\n\n"
    "Example: lawrag run && lawrag search 'Wie lange darf ich ein Gerät ausleihen?'",
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    add_completion=False,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        print(importlib.metadata.version("lawrag-assets"))
        raise typer.Exit


@app.callback()
def global_options(
    context: typer.Context,
    storage: StorageOption = None,
    profile: ProfileOption = None,
    version: Annotated[
        bool, typer.Option("--version", help="Print the version and stop.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    """Keep the global options for the command."""
    context.obj = {"storage": storage, "profile": profile}


app.command()(parse.parse)
app.command()(run.run)
app.command()(cells.cells)
app.command()(search.search)
app.command()(ask.ask)
app.command("fit-reranker")(fit_reranker.fit_reranker)
app.command("evaluate-answers")(evaluate_answers.evaluate_answers)
app.command()(changes.changes)
app.add_typer(questions.questions)
app.add_typer(cache.cache, name="cache")
app.command()(report.report)
app.command()(compare.compare)
app.command()(serve.serve)
app.command()(ui.ui)
app.command()(backfill.backfill)
app.command()(pools.pools)
app.command()(doctor.doctor)
app.command()(gc.gc)
