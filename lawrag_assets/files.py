"""Writing files so that a reader sees the old content or the new one, never half of it.

What a file means belongs to the room that writes it, not here.
"""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def atomic_path(path: Path) -> Iterator[Path]:
    """Yield a temporary path beside `path`, of a file or a folder, renamed to it when the block ends well.

    A block that raises leaves nothing behind and `path` as it was. A killed process may leave the temporary name, which starts
    with a dot; it is never taken for the file. A folder already at `path` is kept, for a folder cannot be replaced in one step:
    whoever renamed first has won, which is right where both made the same.
    """
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


def atomic_write_bytes(path: Path, data: bytes) -> None:
    """Write `data` to `path` by way of a temporary name."""
    with atomic_path(path) as temporary:
        temporary.write_bytes(data)
