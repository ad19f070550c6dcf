"""`lawrag search`."""

from typing import Annotated

import typer
from rich.table import Table

from lawrag_assets.cli.options import CellOption, JsonOption, ProfileOption, StorageOption
from lawrag_assets.cli.output import print_json, results, say
from lawrag_assets.cli.settings import settings_of


def search(
    context: typer.Context,
    question: Annotated[str, typer.Argument(show_default=False)],
    cell: CellOption = "subsection/flat",
    k: Annotated[int, typer.Option("-k", min=1, max=100, help="How many sections.")] = 10,
    law: Annotated[list[str] | None, typer.Option(metavar="SLUG", help="Only sections of this law.")] = None,
    retriever: Annotated[
        str | None, typer.Option(metavar="NAME", help="What ranks: fused, dense, lexical, learned, … (LAWRAG_RETRIEVER).")
    ] = None,
    storage: StorageOption = None,
    profile: ProfileOption = None,
    as_json: JsonOption = False,
) -> None:
    """Find the sections that answer a question. `build` is the date of the law's text that was indexed.

    Example: lawrag search 'Wie lange darf ich ein Gerät ausleihen?' -k 5
    """
    from lawrag_assets.search import search_sections

    settings = settings_of(context, storage=storage, profile=profile, retriever=retriever)
    found = search_sections(settings, question, cell=cell, k=k, laws=law or [], say=say)
    if as_json:
        print_json(found)
        return
    table = Table(box=None, pad_edge=False)
    table.add_column("rank", justify="right")
    table.add_column("citation", no_wrap=True)
    table.add_column("score", justify="right")
    table.add_column("build", no_wrap=True)
    table.add_column("heading")
    for row in found:
        table.add_row(str(row["rank"]), str(row["citation"]), f"{row['score']:.3f}", str(row["build"]), str(row["heading"]))
    results.print(table)
