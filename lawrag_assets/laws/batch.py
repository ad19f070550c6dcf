"""Many files parsed by several processes, results in the order of the files and no more of them in memory than processes
need."""

import multiprocessing
import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import TypeVar

from lawrag_assets.errors import InputError
from lawrag_assets.laws.gii_xml import parse_law
from lawrag_assets.laws.model import Law
from lawrag_assets.laws.safe_xml import MAX_XML_BYTES, MAX_ZIP_BYTES, xml_from_zip

Result = TypeVar("Result")

_HELD = 8_000_000
_WORTH_A_PROCESS = 2_000_000
"""Bytes of XML below which starting processes costs more time than it saves."""


def parse_file(path: Path, *, sentences: bool = True, references: bool = True) -> Law:
    """Parse one `.xml` file or `xml.zip`. InputError naming the path and the reason.

    The slug is the folder's name for `<slug>/xml.zip`, else the file's name without its ending.
    """
    slug = path.resolve().parent.name if path.name == "xml.zip" else path.stem
    limit = MAX_ZIP_BYTES if path.suffix == ".zip" else MAX_XML_BYTES
    try:
        if path.stat().st_size > limit:
            raise InputError(f"{path}: larger than {limit:,} bytes; no law is that large")
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror or error})") from error
    xml = xml_from_zip(data, str(path)) if path.suffix == ".zip" or data.startswith(b"PK\x03\x04") else data
    try:
        return parse_law(xml, slug=slug, sentences=sentences, references=references)
    except InputError as error:
        raise InputError(str(error).replace(f"{slug}:", f"{path}:", 1)) from error


def convert_files(paths: Sequence[Path], convert: Callable[[Law], Result], *, processes: int | None = None) -> Iterator[Result]:
    """Parse files and yield `convert(law)` of each, in the order given. `convert` runs in the worker: hand in a module's
    function.

    InputError of the first file that is none of a law is raised at its turn, after the results of those before it. `processes`
    None: one a core. Files under way or waiting for their turn hold at most `_HELD` bytes of XML, or are two a process.
    """
    work = partial(_convert, convert)
    count = min(processes or os.cpu_count() or 1, len(paths))
    if count <= 1 or _total_size(paths) < _WORTH_A_PROCESS:
        yield from map(work, paths)
        return
    with ProcessPoolExecutor(count, mp_context=multiprocessing.get_context("spawn")) as pool:
        waiting: deque[tuple[Future[Result], int]] = deque()
        held = 0
        try:
            for path in paths:
                waiting.append((pool.submit(work, path), size := _total_size([path])))
                held += size
                while len(waiting) >= 2 * count and held > _HELD:  # a long law must not keep the other processes waiting
                    future, size = waiting.popleft()
                    held -= size
                    yield future.result()
            while waiting:
                yield waiting.popleft()[0].result()
        finally:
            for future, _ in waiting:
                future.cancel()


def _convert(convert: Callable[[Law], Result], path: Path) -> Result:
    return convert(parse_file(path))


def _total_size(paths: Sequence[Path]) -> int:
    """Bytes of XML in all the files, a zip counted eightfold; 0 for what is not there (parsing it will say so)."""
    return sum(path.stat().st_size * (8 if path.suffix == ".zip" else 1) for path in paths if path.is_file())
