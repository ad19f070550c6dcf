"""A cache by content: bytes under a key that is the hash of everything they depend on. What the bytes mean is the caller's.

On one machine it is a SQLite file in write-ahead mode: several processes may read and write at once, a killed one loses only what it
had not committed, and an entry, once there, never changes unless it is replaced on purpose. Several machines share one in a PostgreSQL
database (`postgres_cache`), where the same holds.
"""

import contextlib
import hashlib
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Protocol, TypeAlias

from filelock import FileLock

from lawrag_assets.errors import InputError

_WAIT_SECONDS = 60.0
_KEYS_PER_QUERY = 1000


def content_key(*parts: str) -> bytes:
    """The key of something that depends on these texts in this order (32 bytes); no two lists of texts share one."""
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        digest.update(len(data).to_bytes(8, "big"))
        digest.update(data)
    return digest.digest()


CacheRoom: TypeAlias = Path | str
"""Where caches are kept: a folder, or the address of a PostgreSQL database."""


class Cache(Protocol):
    """What a cache can do, wherever it is. Every method raises InputError where it cannot be used."""

    @property
    def place(self) -> Path | str:
        """Where it is, as a person is told."""
        ...

    def exists(self) -> bool:
        """Whether it was ever made."""
        ...

    def get_many(self, keys: Iterable[bytes]) -> dict[bytes, bytes]:
        """The values of those of the keys that are there."""
        ...

    def put_many(self, entries: Mapping[bytes, bytes] | Sequence[tuple[bytes, bytes]], *, replace: bool = False) -> None:
        """Add entries, all or none; a key that is there already keeps its value unless it is to be replaced."""
        ...

    def remove_many(self, keys: Sequence[bytes]) -> None:
        """Take entries away, all or none, and give their room back."""
        ...

    def items(self) -> Iterator[tuple[bytes, bytes]]:
        """All entries, by key, as they are when the reading begins."""
        ...

    def __len__(self) -> int:
        """How many entries there are."""
        ...


def open_cache(room: CacheRoom, name: str) -> Cache:
    """The cache of that name, `embeddings/<model>` for one. Opens neither a file nor a connection."""
    if isinstance(room, Path):
        return ContentCache(room / f"{name}.sqlite")
    from lawrag_assets.postgres_cache import PostgresCache

    return PostgresCache(room, name)


class ContentCache:
    """The entries of one file: a `Cache`.

    Every method raises InputError when the file cannot be opened, is no cache, or stays locked by another process for a minute.
    """

    def __init__(self, path: Path) -> None:
        """Name the file; it is opened, and made if need be, at each call."""
        self.path = path
        self._made = False

    @property
    def place(self) -> Path:
        """The file."""
        return self.path

    def exists(self) -> bool:
        """Whether the file is there."""
        return self.path.exists()

    def get_many(self, keys: Iterable[bytes]) -> dict[bytes, bytes]:
        """The values of those of the keys that are there."""
        wanted = list(dict.fromkeys(keys))
        found: dict[bytes, bytes] = {}
        if not wanted:
            return found
        with self._open() as connection:
            for start in range(0, len(wanted), _KEYS_PER_QUERY):
                part = wanted[start : start + _KEYS_PER_QUERY]
                marks = ",".join("?" * len(part))
                found.update(connection.execute(f"SELECT key, value FROM entries WHERE key IN ({marks})", part))
        return found

    def put_many(self, entries: Mapping[bytes, bytes] | Sequence[tuple[bytes, bytes]], *, replace: bool = False) -> None:
        """Add entries, all or none; a key that is there already keeps its value unless it is to be replaced."""
        rows = list(entries.items()) if isinstance(entries, Mapping) else list(entries)
        if not rows:
            return
        with self._open() as connection:
            connection.executemany(
                f"INSERT OR {'REPLACE' if replace else 'IGNORE'} INTO entries (key, value) VALUES (?, ?)", rows
            )
            connection.commit()

    def remove_many(self, keys: Sequence[bytes]) -> None:
        """Take entries away, all or none, and give their room back."""
        with self._open() as connection:
            connection.executemany("DELETE FROM entries WHERE key = ?", [(key,) for key in keys])
            connection.commit()
            connection.execute("VACUUM")

    def items(self) -> Iterator[tuple[bytes, bytes]]:
        """All entries, by key, as they are when the reading begins."""
        with self._open() as connection:
            yield from connection.execute("SELECT key, value FROM entries ORDER BY key")

    def __len__(self) -> int:
        """How many entries there are."""
        with self._open() as connection:
            return int(connection.execute("SELECT count(*) FROM entries").fetchone()[0])

    def _connect(self) -> "contextlib.closing[sqlite3.Connection]":
        return contextlib.closing(sqlite3.connect(self.path, timeout=_WAIT_SECONDS))

    def _make(self) -> None:
        """Make the file unless it is there. One process at a time: SQLite does not wait for others when it changes the journal."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(f"{self.path}.lock"), self._connect() as connection:
            if connection.execute("SELECT count(*) FROM sqlite_master WHERE name = 'entries'").fetchone()[0] == 0:
                connection.execute("PRAGMA journal_mode=WAL")
                connection.execute("CREATE TABLE IF NOT EXISTS entries (key BLOB NOT NULL PRIMARY KEY, value BLOB NOT NULL)")
        self._made = True

    @contextlib.contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        try:
            if not (self._made and self.path.exists()):
                self._make()
            with self._connect() as connection:
                connection.execute("PRAGMA synchronous=NORMAL")
                yield connection
        except OSError as error:
            raise InputError(
                f"{self.path}: cannot be written ({error.strerror or error}); choose another storage folder"
            ) from error
        except sqlite3.OperationalError as error:  # a locked, unwritable or full place; the file itself is right
            raise InputError(
                f"{self.path}: the cache cannot be used ({error}); see that the folder is writable and has room"
            ) from error
        except sqlite3.DatabaseError as error:
            raise InputError(f"{self.path}: not a cache, or a damaged one ({error}); delete the file to start anew") from error


class UnwrittenCache:
    """A cache that is read and never written: a `Cache` before another. What is put stays in this object, and comes first."""

    def __init__(self, cache: Cache) -> None:
        """Take the cache to read; it need not have been made, and is not."""
        self._cache = cache
        self._put: dict[bytes, bytes] = {}

    @property
    def place(self) -> Path | str:
        """Where the cache is that is read."""
        return self._cache.place

    def exists(self) -> bool:
        """Whether that cache was ever made."""
        return self._cache.exists()

    def get_many(self, keys: Iterable[bytes]) -> dict[bytes, bytes]:
        """See `Cache`."""
        wanted = list(dict.fromkeys(keys))
        here = {key: self._put[key] for key in wanted if key in self._put}
        return here | (self._cache.get_many(key for key in wanted if key not in here) if self.exists() else {})

    def put_many(self, entries: Mapping[bytes, bytes] | Sequence[tuple[bytes, bytes]], *, replace: bool = False) -> None:
        """Keep entries in this object."""
        new = dict(entries)
        self._put = self._put | new if replace else new | self._put

    def remove_many(self, keys: Sequence[bytes]) -> None:
        """Forget entries that were put here."""
        for key in keys:
            self._put.pop(key, None)

    def items(self) -> Iterator[tuple[bytes, bytes]]:
        """The entries of the cache that is read."""
        yield from self._cache.items() if self.exists() else ()

    def __len__(self) -> int:
        """How many entries the cache that is read has."""
        return len(self._cache) if self.exists() else 0
