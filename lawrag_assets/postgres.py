"""Connections to the PostgreSQL database that several machines share, and locks that hold between them.

What tables there are is not known here.
"""

import hashlib
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

from lawrag_assets.errors import InputError

_WAIT_SECONDS = 10
_ALIVE = {"keepalives": 1, "keepalives_idle": 30, "keepalives_interval": 10, "keepalives_count": 3}
"""A connection that only holds a lock says nothing for hours: the kernel keeps it open, and the server notices within a minute when its
machine is gone."""


def address_without_password(url: str) -> str:
    """How a person is told which database it is."""
    scheme, _, rest = url.partition("://")
    return f"{scheme}://{rest.rpartition('@')[2].partition('?')[0]}"


@contextmanager
def connection(url: str) -> Iterator[Any]:
    """A connection for one transaction, committed when the block ends well. InputError where the database cannot be used."""
    try:
        import psycopg2
    except ModuleNotFoundError as error:
        raise InputError("LAWRAG_POSTGRES_URL needs the extra `server`: pip install 'lawrag-assets[server]'") from error
    try:
        with closing(psycopg2.connect(url, connect_timeout=_WAIT_SECONDS, **_ALIVE)) as opened, opened:
            yield opened
    except psycopg2.Error as error:
        reason = " ".join(str(error).split())
        raise InputError(
            f"{address_without_password(url)}: the database cannot be used ({reason}); see LAWRAG_POSTGRES_URL"
        ) from error


@contextmanager
def try_lock(url: str, name: str) -> Iterator[bool]:
    """Hold the lock of this name, if nobody else does, while the block lasts; yields whether it is held. A process that dies lets it go."""
    number = int.from_bytes(hashlib.sha256(name.encode()).digest()[:8], "big", signed=True)
    with connection(url) as opened, opened.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s)", (number,))
        held = bool(cursor.fetchone()[0])
        opened.commit()  # the lock is the session's: no transaction stays open for hours
        yield held
