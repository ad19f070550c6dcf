"""`lawrag parse`."""

import json
import sys
from pathlib import Path
from typing import Annotated

import typer


def parse(
    paths: Annotated[list[Path], typer.Argument(metavar="PATH…", help=".xml or xml.zip files", show_default=False)],
    as_json: Annotated[bool, typer.Option("--json", help="JSON Lines is what this command always prints.")] = False,
) -> None:
    """Parse laws: JSON Lines on stdout, one section a line.

    Example: lawrag parse bgb/xml.zip > bgb.jsonl
    """
    from lawrag_assets.laws.batch import parse_files
    from lawrag_assets.laws.jsonl import section_as_json

    for law in parse_files(paths):
        sys.stdout.writelines(json.dumps(section_as_json(section), ensure_ascii=False) + "\n" for section in law.sections)
