"""`lawrag parse`."""

import sys
from pathlib import Path
from typing import Annotated

import typer


def parse(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH…", help=".xml or xml.zip files", show_default=False)],
    processes: Annotated[
        int | None, typer.Option(min=1, help="How many processes parse; one a core if not said.", show_default=False)
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="JSON Lines is what this command always prints.")] = False,
) -> None:
    """Parse laws: JSON Lines on stdout, one section a line.

    Example: lawrag parse bgb/xml.zip > bgb.jsonl
    """
    from lawrag_assets.laws.batch import convert_files
    from lawrag_assets.laws.jsonl import json_lines

    for lines in convert_files(paths, json_lines, processes=processes):
        sys.stdout.write(lines)
