"""A cache by content in a PostgreSQL database, which several machines share: `cache.Cache`, as `cache.ContentCache` is on one machine."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from lawrag_assets.postgres import address_without_password, connection

_AT_ONCE = 1000
_MAKE = """
CREATE TABLE IF NOT EXISTS lawrag_cache (cache text NOT NULL, key bytea NOT NULL, value bytea NOT NULL, PRIMARY KEY (cache, key))
"""


class PostgresCache:
    """The entries of one cache: the rows of the table `lawrag_cache` that have its name."""

    def __init__(self, url: str, name: str) -> None:
        """Name the database and the cache; a connection is opened at each call."""
        self._url = url
        self._name = name
        self._made = False

    @property
    def place(self) -> str:
        """The database and the cache's name."""
        return f"{address_without_password(self._url)} table lawrag_cache, cache {self._name!r}"

    def exists(self) -> bool:
        """Always: the table is made when it is first asked for."""
        return True

    def get_many(self, keys: Iterable[bytes]) -> dict[bytes, bytes]:
        """See `Cache.get_many`."""
        wanted = list(dict.fromkeys(keys))
        found: dict[bytes, bytes] = {}
        if not wanted:
            return found
        with self._cursor() as cursor:
            for start in range(0, len(wanted), _AT_ONCE):
                query = "SELECT key, value FROM lawrag_cache WHERE cache = %s AND key = ANY(%s)"
                cursor.execute(query, (self._name, wanted[start : start + _AT_ONCE]))
                found.update((bytes(key), bytes(value)) for key, value in cursor)
        return found

    def put_many(self, entries: Mapping[bytes, bytes] | Sequence[tuple[bytes, bytes]], *, replace: bool = False) -> None:
        """See `Cache.put_many`."""
        from psycopg2.extras import execute_values

        rows: dict[bytes, bytes] = {}
        for key, value in entries.items() if isinstance(entries, Mapping) else entries:
            if replace or key not in rows:
                rows[key] = value
        if not rows:
            return
        conflict = "(cache, key) DO UPDATE SET value = excluded.value" if replace else "DO NOTHING"
        with self._cursor() as cursor:
            execute_values(
                cursor,
                f"INSERT INTO lawrag_cache (cache, key, value) VALUES %s ON CONFLICT {conflict}",
                [
                    (self._name, key, value) for key, value in sorted(rows.items())
                ],  # sorted: two writers never wait for each other
                page_size=_AT_ONCE,
            )

    def remove_many(self, keys: Sequence[bytes]) -> None:
        """See `Cache.remove_many`; the database gives the room back by itself, in time."""
        with self._cursor() as cursor:
            cursor.execute("DELETE FROM lawrag_cache WHERE cache = %s AND key = ANY(%s)", (self._name, list(keys)))

    def items(self) -> Iterator[tuple[bytes, bytes]]:
        """See `Cache.items`. They come in parts: a cache may be larger than memory."""
        with self._cursor() as maker, maker.connection.cursor(name="items") as cursor:
            cursor.itersize = _AT_ONCE
            cursor.execute("SELECT key, value FROM lawrag_cache WHERE cache = %s ORDER BY key", (self._name,))
            for key, value in cursor:
                yield bytes(key), bytes(value)

    def __len__(self) -> int:
        """How many entries there are."""
        with self._cursor() as cursor:
            cursor.execute("SELECT count(*) FROM lawrag_cache WHERE cache = %s", (self._name,))
            return int(cursor.fetchone()[0])

    @contextmanager
    def _cursor(self) -> Iterator[Any]:
        with connection(self._url) as opened, opened.cursor() as cursor:
            if not self._made:
                cursor.execute("SELECT pg_advisory_xact_lock(hashtext('lawrag_cache'))")  # else two that make it at once collide
                cursor.execute(_MAKE)
                opened.commit()
                self._made = True
            yield cursor
