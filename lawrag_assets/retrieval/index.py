"""A cell's index: one LanceDB table on disk or in an object store, exact search over its vector column in memory.

Writing and opening a table and measuring its size belong here; sections do not (`aggregation`), nor does what a chunk is.

**Old or new, never half.** LanceDB commits an overwrite by adding one manifest. Old versions are removed at once, or the folder
would grow with every rebuild; so are the files of a writer that was killed before its commit. A reader that opened the old
version and has not read it yet then fails, and `open_index` begins again with the new one. A lock file keeps a second writer of
the same table out, for removing uncommitted files is safe only while nobody else writes. An object store has no such lock: there
LanceDB's own commit (a manifest that is put only if there is none yet) keeps two writers apart, and a killed writer's files stay
until LanceDB takes them for abandoned, after seven days.

**Exact search in memory.** A matrix product over the vector column beats LanceDB's flat scan several times over at the size of a
code of law (`bench/search.py`), so there is no approximate index and no second path.
"""

import tempfile
import time
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pyarrow as pa
from filelock import FileLock

from lawrag_assets.errors import InputError, WorkFailedError
from lawrag_assets.files import Place
from lawrag_assets.retrieval.hits import Floats, Hits, Parents
from lawrag_assets.retrieval.routing import Tree

SEARCH_PATH = "numpy"
"""What served a search: an exact scan of the LanceDB column by numpy, in memory."""

_CHUNK_SCHEMA = pa.schema(
    [(name, pa.string()) for name in ("chunk_id", "text", "citation", "slug", "build")]
    + [(name, pa.list_(pa.string())) for name in ("parents", "children")]
)
_OPEN_ATTEMPTS = 20
_ONE_CORE = 2**21
"""Numbers in a matrix (about 5,500 vectors of 384) that one core scans in 0.3 ms. BLAS would share so little out among its
threads, which saves 0.2 ms on an idle machine and costs 8 to 16 ms where another process holds a core that they wait for."""
_ROUNDING = 1e-5
"""More than two float32 dot products of normalised vectors, summed in different orders, differ."""


class IndexReplacedError(WorkFailedError):
    """The table was rewritten between two readings that belong together."""


@dataclass(frozen=True)
class IndexStats:
    """Size of a table on disk."""

    chunks: int
    bytes_without_text: int
    """Space as the paper (section 4) counts it: the retrieval-ready index and its metadata without the text payload."""
    bytes_total: int
    write_seconds: float
    """Writing the table; neither loading LanceDB nor measuring the size is part of it."""


@dataclass(frozen=True)
class Index:
    """A cell's chunks, ready to be searched. Holds all it needs in memory: a later rewrite of the table does not touch it."""

    chunk_ids: tuple[str, ...]
    vectors: Floats
    """(chunks, d): contiguous, normalised, in the order of `chunk_ids`."""
    parents: Parents
    tree: Tree | None = None
    """Which chunks lie below which, where the chunks are a tree."""
    version: int | None = None
    """Which of the table's versions was read."""

    @property
    def section_ids(self) -> tuple[str, ...]:
        """The sections that the chunks belong to, sorted."""
        return self.parents.ids

    def of_laws(self, slugs: Sequence[str]) -> "Index":
        """The part of the index that speaks for sections of these laws; a section's id begins with its law's slug."""
        wanted = [section.partition("/")[0] in slugs for section in self.section_ids]
        parents = [
            [self.section_ids[section] for section in self.parents.sections[start:end] if wanted[section]]
            for start, end in pairwise(self.parents.starts)
        ]
        rows = [row for row, sections in enumerate(parents) if sections]
        return Index(
            chunk_ids=tuple(self.chunk_ids[row] for row in rows),
            vectors=np.ascontiguousarray(self.vectors[rows]),
            parents=Parents.from_lists([parents[row] for row in rows]),
            tree=self.tree.of_rows(rows) if self.tree else None,
            version=self.version,
        )

    def search(self, query_vectors: Floats, k: int = 100) -> Hits:
        """Return the `k` nearest chunks of each question; `query_vectors` is (q, d), normalised.

        In a tree these are leaves, found by way of the summaries above them; elsewhere the same as `search_all`.
        """
        if self.tree is None:
            return self.search_all(query_vectors, k)
        k = min(k, self.tree.leaves)
        found = [self.tree.descend(self.vectors, query, k) for query in query_vectors]
        chunks = np.array([rows for rows, _ in found], dtype=np.int64).reshape(-1, k)
        return Hits(chunks, np.array([similarities for _, similarities in found], dtype=np.float32).reshape(-1, k))

    def search_all(self, query_vectors: Floats, k: int = 100) -> Hits:
        """Return the `k` nearest chunks (all, where there are fewer) of each question, a tree's summaries among them.

        The result of a question is the same alone and in a block of others: the matrix product, whose last bits depend on its
        shape and on the number of threads, only proposes candidates; each is scored again by itself. So equal vectors get
        equal similarities, and ties are true ties. Memory: 4 × q × chunks bytes; the caller cuts many questions into blocks.
        """
        count = len(self.chunk_ids)
        k = min(k, count)
        chunks = np.zeros((len(query_vectors), k), dtype=np.int64)
        similarities = np.zeros((len(query_vectors), k), dtype=np.float32)
        if k == 0:
            return Hits(chunks, similarities)
        block = self._similarities(query_vectors)
        for row, (query, approximate) in enumerate(zip(query_vectors, block, strict=True)):
            chunks[row], similarities[row] = self._nearest(query, approximate, k)
        return Hits(chunks, similarities)

    def _similarities(self, query_vectors: Floats) -> Floats:
        """Scan all vectors: (q, chunks)."""
        if len(query_vectors) == 1 and self.vectors.size <= _ONE_CORE:
            alone: Floats = np.vecdot(self.vectors, query_vectors)[None, :]
            return alone
        return query_vectors @ self.vectors.T

    def _nearest(self, query: Floats, approximate: Floats, k: int) -> tuple[np.ndarray, np.ndarray]:
        """Choose and score the k best chunks of one question from similarities that are right but for rounding."""
        kth = np.partition(approximate, len(approximate) - k)[len(approximate) - k]
        candidates = np.flatnonzero(approximate >= kth - _ROUNDING)
        scores = np.vecdot(self.vectors[candidates], query)
        best = np.argsort(-scores, kind="stable")[:k]
        return candidates[best], scores[best]


def write_index(db_dir: Place, cell_table: str, chunks: pl.DataFrame, vectors: Floats) -> IndexStats:
    """Write (or replace, in one step) the table `cell_table` in the LanceDB folder `db_dir`; rows stay in the order given.

    `chunks` has one row a chunk (chunk_id, text, citation, slug, build, parents, children); `vectors` is (chunks, d), normalised.
    """
    if vectors.ndim != 2 or len(vectors) != len(chunks):
        raise ValueError(f"{cell_table}: {len(chunks)} chunks, but vectors of shape {vectors.shape}")
    table = _arrow_table(chunks, vectors)
    import lancedb  # noqa: F401  (loaded before the clock starts)

    with _one_writer(db_dir, cell_table):
        started = time.perf_counter()
        _overwrite(db_dir, cell_table, table)
        seconds = time.perf_counter() - started
        total = _bytes_under(_folder(db_dir, cell_table))
    return IndexStats(len(chunks), bytes_without_text=total - _text_bytes(table), bytes_total=total, write_seconds=seconds)


def open_index(db_dir: Place, cell_table: str) -> Index:
    """Load a table for searching. InputError where the cell was never indexed, or by an older version with other columns."""
    table, version = _read(db_dir, cell_table, ["chunk_id", "parents", "children", "vector"])
    dimension = table.schema.field("vector").type.list_size
    batches = [np.asarray(batch.flatten(), dtype=np.float32) for batch in table["vector"].chunks]
    flat = np.concatenate(batches) if batches else np.zeros(0, dtype=np.float32)
    chunk_ids = tuple(table["chunk_id"].to_pylist())
    return Index(
        chunk_ids=chunk_ids,
        vectors=np.ascontiguousarray(flat.reshape(-1, dimension)),
        parents=Parents.from_lists(table["parents"].to_pylist()),
        tree=Tree.from_lists(chunk_ids, table["children"].to_pylist()),
        version=version,
    )


def read_chunks(db_dir: Place, cell_table: str, chunk_ids: list[str], *, version: int | None = None) -> pl.DataFrame:
    """Return the texts of a few chunks, in the order asked: chunk_id, text, citation, build, parents.

    `version` is that of the index in which they were found. Raises IndexReplacedError where the table is another one by now.
    """
    columns = ["chunk_id", "text", "citation", "build", "parents"]
    quoted = ", ".join("'" + chunk_id.replace("'", "''") + "'" for chunk_id in chunk_ids)
    table, read = _read(db_dir, cell_table, columns, where=f"chunk_id IN ({quoted})" if chunk_ids else "false")
    if version is not None and read != version:
        raise IndexReplacedError(f"the index {cell_table} was made anew meanwhile: ask again")
    found = pl.DataFrame(pl.from_arrow(table.select(columns)))
    return pl.DataFrame({"chunk_id": chunk_ids}, schema={"chunk_id": pl.String}).join(found, on="chunk_id", maintain_order="left")


def read_texts(db_dir: Place, cell_table: str, chunk_ids: Sequence[str]) -> list[str]:
    """Return the texts of all chunks of a table in the order asked. IndexReplacedError where the table has others by now."""
    table, _ = _read(db_dir, cell_table, ["chunk_id", "text"])
    texts = dict(zip(table["chunk_id"].to_pylist(), table["text"].to_pylist(), strict=True))
    if missing := [chunk_id for chunk_id in chunk_ids if chunk_id not in texts]:
        raise IndexReplacedError(f"the index {cell_table} was made anew meanwhile (no chunk {missing[0]}): ask again")
    return [texts[chunk_id] for chunk_id in chunk_ids]


def _arrow_table(chunks: pl.DataFrame, vectors: Floats) -> pa.Table:
    """Lay out the LanceDB table: the chunks' columns and the vectors as fixed-size lists."""
    table = chunks.select(_CHUNK_SCHEMA.names).to_arrow(compat_level=pl.CompatLevel.oldest()).cast(_CHUNK_SCHEMA)
    flat = pa.array(np.ascontiguousarray(vectors, dtype=np.float32).reshape(-1))
    return table.append_column("vector", pa.FixedSizeListArray.from_arrays(flat, vectors.shape[1]))


def _connect(db_dir: Place) -> Any:
    """LanceDB finds out about an object store from the environment, as `files.object_place` does."""
    import lancedb

    return lancedb.connect(db_dir if isinstance(db_dir, Path) else str(db_dir))


@contextmanager
def _one_writer(db_dir: Place, name: str) -> Iterator[None]:
    """Keep other writers of the table out, where that can be done."""
    if isinstance(db_dir, Path):
        db_dir.mkdir(parents=True, exist_ok=True)
        with FileLock(db_dir / f".{name}.lock"):
            yield
    else:
        yield


def _overwrite(db_dir: Place, name: str, table: pa.Table) -> None:
    """Commit a new version of a table and remove everything that is not part of it."""
    mode = "overwrite" if _folder(db_dir, name).exists() else "create"
    written = _connect(db_dir).create_table(name, table, mode=mode)
    with warnings.catch_warnings():
        # It warns that readers of the old version fail: ours begin again, and the lock keeps writers out.
        warnings.simplefilter("ignore", UserWarning)
        written.optimize(cleanup_older_than=timedelta(0), delete_unverified=isinstance(db_dir, Path))


def _read(db_dir: Place, name: str, columns: list[str], where: str | None = None) -> tuple[pa.Table, int]:
    """Read columns of one version of a table, in row order, and say which; begin again where a rewrite removed it meanwhile."""
    if not _folder(db_dir, name).is_dir():
        raise _never_indexed(db_dir, name)
    for attempt in range(1, _OPEN_ATTEMPTS + 1):
        try:
            table = _connect(db_dir).open_table(name)
            if missing := set(columns) - set(table.schema.names):
                raise _of_another_layout(db_dir, name, missing)
            query = table.search().select(columns).limit(None)
            return (query.where(where) if where else query).to_arrow(), int(table.version)
        except ValueError:  # a folder without a version: its first write was killed
            raise _never_indexed(db_dir, name) from None
        except RuntimeError:  # LanceDB has no narrower error for a file that is gone
            if attempt == _OPEN_ATTEMPTS:
                raise
            time.sleep(0.01 * attempt)
    raise AssertionError("unreachable")


def _never_indexed(db_dir: Place, name: str) -> InputError:
    cell = name.replace(".", "/")
    return InputError(f"no index of the cell {cell} under {db_dir}: build it first with `lawrag run --cells {cell}`")


def _of_another_layout(db_dir: Place, name: str, missing: set[str]) -> InputError:
    cell = name.replace(".", "/")
    return InputError(
        f"the index of the cell {cell} under {db_dir} was written by an older version of lawrag (it has no {', '.join(sorted(missing))}): "
        f"`lawrag run --cells {cell}` builds it anew"
    )


def _text_bytes(table: pa.Table) -> int:
    """Measure what the text column takes on disk: the data file of a table that holds nothing else.

    Lance lays columns out one after the other and compresses each by itself, so this is the column's share of the whole table's
    file but for the second file's footer (under 1 KB; `tests/retrieval` compares it with a table written without text).
    """
    import lancedb

    with tempfile.TemporaryDirectory() as scratch:
        lancedb.connect(scratch).create_table("text", table.select(["text"]))
        return _bytes_under(_folder(Path(scratch), "text") / "data")


def _folder(db_dir: Place, name: str) -> Place:
    """Where LanceDB keeps a table."""
    return db_dir / f"{name}.lance"


def _bytes_under(folder: Place) -> int:
    if not isinstance(folder, Path):
        return sum(object_["size"] for object_ in folder.fs.find(folder.path, detail=True).values())
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
