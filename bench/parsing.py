"""Speed of the parser beside a bare lxml parse of the same files, and of two processes beside one.

A law's xml.zip, or a zip of many laws: `python -m bench.parsing --law PATH/bgb/xml.zip --many PATH/laws.zip`.
"""

import argparse
import tempfile
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

from lxml import etree
from rich.console import Console
from rich.table import Table

from lawrag_assets.laws.batch import convert_files, parse_file
from lawrag_assets.laws.jsonl import json_lines
from lawrag_assets.laws.sentences import sentences_of

ROUNDS = 3


def best(work: Callable[[], object]) -> float:
    """Seconds of the best of some rounds."""
    seconds = []
    for _ in range(ROUNDS):
        started = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - started)
    return min(seconds)


def bare(paths: list[Path]) -> None:
    """What no parser of these files can undercut."""
    parser = etree.XMLParser(load_dtd=False, no_network=True, resolve_entities=False)
    for path in paths:
        etree.fromstring(path.read_bytes(), parser)


def ways(paths: list[Path]) -> dict[str, Callable[[], object]]:
    return {
        "bare lxml": lambda: bare(paths),
        "whole": lambda: [parse_file(path) for path in paths],
        "without sentences and references": lambda: [parse_file(path, sentences=False, references=False) for path in paths],
    }


def in_processes(paths: list[Path], processes: int) -> float:
    return best(lambda: [len(lines) for lines in convert_files(paths, json_lines, processes=processes)])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--law", type=Path, required=True)
    parser.add_argument("--many", type=Path, help="a zip of `<slug>/….xml`")
    given = parser.parse_args()
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("files", "what", "seconds", "MB/s", "times bare"):
        table.add_column(heading, justify="left" if heading in ("files", "what") else "right")
    with tempfile.TemporaryDirectory() as scratch:
        sets = {"one law": unpacked(given.law, Path(scratch) / "one")}
        if given.many:
            sets["many laws"] = unpacked(given.many, Path(scratch) / "many")
        for name, paths in sets.items():
            megabytes = sum(path.stat().st_size for path in paths) / 1e6
            seconds = {way: best(work) for way, work in ways(paths).items()}
            for way, took in seconds.items():
                table.add_row(name, way, f"{took:.2f}", f"{megabytes / took:.1f}", f"{took / seconds['bare lxml']:.1f}")
        paths = sets["one law"]
        texts = [subsection.text for section in parse_file(paths[0]).sections for subsection in section.subsections]
        table.add_row("one law", "sentences alone", f"{best(lambda: [sentences_of(text) for text in texts]):.2f}", "", "")
        if given.many:
            one, two = (in_processes(sets["many laws"], count) for count in (1, 2))
            table.add_row("many laws", "to JSON Lines, one process", f"{one:.2f}", "", "")
            table.add_row("many laws", f"two processes: {one / two:.2f} times as fast", f"{two:.2f}", "", "")
        Console().print(table)


def unpacked(archive: Path, folder: Path) -> list[Path]:
    with zipfile.ZipFile(archive) as opened:
        opened.extractall(folder)
    return sorted(folder.rglob("*.xml"))


if __name__ == "__main__":
    main()
