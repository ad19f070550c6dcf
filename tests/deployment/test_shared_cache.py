"""The cache that several machines share: what `tests/test_cache.py` asks of a file, in a PostgreSQL database."""

import subprocess
import sys
from pathlib import Path

import pytest
from servers import PASSWORD

from lawrag_assets.cache import Cache, open_cache
from lawrag_assets.errors import InputError
from lawrag_assets.postgres import try_lock

pytestmark = pytest.mark.slow


def test_entries_are_kept_apart_by_cache_and_stay_unless_replaced(postgres_url: str) -> None:
    mine, other = open_cache(postgres_url, "embeddings/a"), open_cache(postgres_url, "embeddings/b")
    mine.put_many({b"k1": b"v1", b"k2": b"\x00\xff"})
    mine.put_many([(b"k1", b"later"), (b"k3", b"first"), (b"k3", b"second")])
    assert mine.get_many([b"k3", b"k1", b"k1", b"none"]) == {b"k1": b"v1", b"k3": b"first"}
    mine.put_many([(b"k1", b"later"), (b"k1", b"last")], replace=True)
    assert list(mine.items()) == [(b"k1", b"last"), (b"k2", b"\x00\xff"), (b"k3", b"first")]
    assert (len(mine), len(other), other.get_many([b"k1"])) == (3, 0, {})
    mine.remove_many([b"k1", b"none", b"k3"])
    assert list(mine.items()) == [(b"k2", b"\x00\xff")]


def test_many_entries_come_and_go_in_parts(postgres_url: str) -> None:
    entries = {number.to_bytes(32, "big"): bytes([number % 256]) * 1500 for number in range(2500)}
    cache = open_cache(postgres_url, "embeddings/many")
    cache.put_many(entries)
    assert cache.get_many(entries) == entries
    assert dict(cache.items()) == entries


def test_machines_that_write_the_same_at_once_do_not_wait_for_each_other_for_ever(postgres_url: str) -> None:
    writer = """
import sys
from lawrag_assets.cache import open_cache
cache = open_cache(sys.argv[1], "embeddings/a")
for start in range(0, 400, 20):
    keys = [n.to_bytes(4, "big") for n in range(start, start + 40)]
    cache.put_many([(key, key * 9) for key in (keys if sys.argv[2] == "0" else reversed(keys))])
"""
    writers = [subprocess.Popen([sys.executable, "-c", writer, postgres_url, str(turn % 2)]) for turn in range(4)]
    assert [process.wait(60) for process in writers] == [0, 0, 0, 0]
    assert len(open_cache(postgres_url, "embeddings/a")) == 420


def test_a_lock_is_let_go_when_its_process_is_killed(postgres_url: str) -> None:
    holder = """
import sys, time
from lawrag_assets.postgres import try_lock
with try_lock(sys.argv[1], "x") as held:
    print(held, flush=True)
    time.sleep(60)
"""
    with subprocess.Popen([sys.executable, "-c", holder, postgres_url], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "True\n"
        with try_lock(postgres_url, "x") as held, try_lock(postgres_url, "y") as other:
            assert (held, other) == (False, True)
        process.kill()
        process.wait()
    for _ in range(50):
        with try_lock(postgres_url, "x") as held:
            if held:
                return
    raise AssertionError("the lock of a killed process was never free again")


@pytest.mark.parametrize("change", [(PASSWORD, "wrong"), ("127.0.0.1:", "127.0.0.1:1"), ("/lawrag_", "/nobody_")])
def test_a_database_that_cannot_be_used_is_named_without_its_password(postgres_url: str, change: tuple[str, str]) -> None:
    url = postgres_url.replace(*change)
    cache: Cache = open_cache(url, "embeddings/a")
    with pytest.raises(InputError, match=r"^postgresql://127\.0\.0\.1:\d+/\w+: the database cannot be used \(") as caught:
        cache.get_many([b"k"])
    assert PASSWORD not in str(caught.value)


def test_a_folder_is_a_room_of_files(tmp_path: Path) -> None:
    cache = open_cache(tmp_path, "embeddings/a")
    assert not cache.exists()
    cache.put_many({b"k": b"v"})
    assert cache.place == tmp_path / "embeddings" / "a.sqlite"
