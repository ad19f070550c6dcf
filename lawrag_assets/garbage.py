"""What lies in the storage folder and no profile uses: finding it, saying how much it is, removing it. `lawrag gc`.

Every build of a law is kept for ever, and so is every answer of a language model unless its removal is asked for: both cannot be had
again for nothing. Vectors of a model that no profile names are only time, unless a service was paid for them: those count as answers do.
"""

import re
import shutil
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from lawrag_assets.chunking.cells import grid
from lawrag_assets.files import Place
from lawrag_assets.storage import Storage
from lawrag_assets.tables import Partition, TableStore

SCRATCH_AGE = 3600.0
"""Seconds after which a temporary name is nobody's any more."""
_SCRATCH = re.compile(r"\..+\.[a-z0-9_]{8}|\.writable\.\d+")


@dataclass(frozen=True)
class Litter:
    """A file or folder that nothing uses."""

    path: Path
    why: str
    bytes: int


def profile_litter(paths: Storage, partitions: Mapping[str, Collection[Partition]]) -> Iterator[Litter]:
    """What one profile has and does not use. `partitions` are those that each partitioned table can have now; a table that is not
    named there is left alone."""
    tables, lancedb, reports = local_folder(paths.tables), local_folder(paths.lancedb), local_folder(paths.reports)
    store = TableStore(tables)
    cells = {cell.table: cell for cell in grid()}
    for folder in sorted(lancedb.glob("*.lance")):
        cell = cells.get(folder.name.removesuffix(".lance"))
        if cell is None:
            yield _litter(folder, "index of a cell that there is no more")
        elif not store.exists("chunk_index", cell):
            yield _litter(folder, "index that was not finished")
    for table, known in partitions.items():
        folder = tables / table
        for file in sorted(folder.rglob("*.parquet")):
            partition = file.relative_to(folder).with_suffix("").parts
            if not any(part.startswith(".") for part in partition) and partition not in known:
                yield _litter(file, f"table {table} of something that there is no more")
    for folder in (tables, lancedb, reports, paths.dagster_home, paths.profile_folder):
        yield from _scratch(folder, deep=folder == tables)


def shared_litter(
    paths: Storage, identities: Collection[str], is_unpaid: Callable[[str], bool], *, answers: bool
) -> Iterator[Litter]:
    """What all profiles share and none uses. `identities` are the models that profiles name or indexes were made with."""
    used = {_without_precision(identity) for identity in identities}
    for file in sorted((paths.cache / "embeddings").glob("*.sqlite")):
        if _without_precision(file.stem) not in used and (answers or is_unpaid(file.stem)):
            for part in (file, *(file.with_name(file.name + ending) for ending in ("-wal", "-shm", ".lock"))):
                if part.exists():
                    yield _litter(part, "vectors of a model that no profile names")
    for folder in (local_folder(paths.laws), paths.models, paths.cache):
        yield from _scratch(folder, deep=True)


def remove(litter: Sequence[Litter]) -> None:
    """Take it all away."""
    for piece in litter:
        if piece.path.is_dir():
            shutil.rmtree(piece.path, ignore_errors=True)
        else:
            piece.path.unlink(missing_ok=True)


def local_folder(place: Place) -> Path:
    """A folder of this machine: whoever else uses an object store cannot be seen from here."""
    if not isinstance(place, Path):
        raise ValueError(f"{place} is no folder")
    return place


def _scratch(folder: Path, *, deep: bool) -> Iterator[Litter]:
    """Temporary names that a killed process left behind."""
    for path in sorted(folder.rglob(".*") if deep else folder.glob(".*")):
        if _SCRATCH.fullmatch(path.name) and time.time() - path.stat().st_mtime > SCRATCH_AGE:
            yield _litter(path, "temporary file of a process that died")


def _without_precision(identity: str) -> str:
    """A model computes at the precision that a machine does well: the same profile may have both."""
    return re.sub(r"-(float32|bfloat16)$", "", identity)


def _litter(path: Path, why: str) -> Litter:
    files = path.rglob("*") if path.is_dir() else [path]
    return Litter(path, why, sum(file.stat().st_size for file in files if file.is_file()))
