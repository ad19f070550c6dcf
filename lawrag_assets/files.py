"""Writing files, and objects of an object store, so that a reader sees the old content or the new one, never half of it.

What a file means belongs to the room that writes it, not here.
"""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from lawrag_assets.errors import InputError

if TYPE_CHECKING:
    from upath import UPath

Place: TypeAlias = "Path | UPath"
"""A path of this machine, or one of an object store, which has the same methods."""


@cache
def object_place(address: str) -> "UPath":
    """A place in an object store, from its address `s3://BUCKET/PREFIX`.

    Where the store is and who may enter, the environment says (AWS_…), to LanceDB and Polars too, which stand on the same library.
    Raises InputError where that is not installed.
    """
    try:
        from obstore.fsspec import register
        from upath import UPath
    except ModuleNotFoundError as error:
        raise InputError(f"{address}: objects need the extra `server`: pip install 'lawrag-assets[server]'") from error
    register("s3")
    return UPath(address, retry_config={"max_retries": 3, "retry_timeout": timedelta(seconds=20)})


@contextmanager
def atomic_path(path: Place) -> Iterator[Path]:
    """Yield a temporary path of this machine, of a file or a folder, that takes the place of `path` when the block ends well.

    A block that raises leaves nothing behind and `path` as it was. A killed process may leave the temporary name, which starts
    with a dot; it is never taken for the file. A folder already at `path` is kept, for a folder cannot be replaced in one step:
    whoever renamed first has won, which is right where both made the same. An object, which only a file can become, is put in one step.
    """
    if not isinstance(path, Path):
        with tempfile.TemporaryDirectory() as folder:
            yield (made := Path(folder) / path.name)
            path.write_bytes(made.read_bytes())
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    scratch = Path(tempfile.mkdtemp(prefix=f".{path.name}.", dir=path.parent))
    temporary = scratch / path.name
    try:
        yield temporary
        if temporary.is_dir() and path.is_dir():
            return
        temporary.replace(path)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def atomic_write_bytes(path: Place, data: bytes) -> None:
    """Write `data` to `path` by way of a temporary name."""
    with atomic_path(path) as temporary:
        temporary.write_bytes(data)
