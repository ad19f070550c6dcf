"""The cache by content: what is put is there, for every process, and a broken place is one clear line."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lawrag_assets import cache
from lawrag_assets.cache import ContentCache, content_key
from lawrag_assets.errors import InputError


@given(st.dictionaries(st.binary(max_size=40), st.binary(max_size=40), max_size=20), st.sets(st.binary(max_size=40), max_size=5))
def test_what_is_put_is_found_and_nothing_else(
    tmp_path_factory: pytest.TempPathFactory, entries: dict[bytes, bytes], others: set[bytes]
) -> None:
    store = ContentCache(tmp_path_factory.mktemp("cache") / "deep" / "store.sqlite")
    store.put_many(entries)
    assert store.get_many([*others, *entries, *entries]) == entries
    assert len(store) == len(entries)


def test_more_keys_than_sqlite_takes_at_once(tmp_path: Path) -> None:
    store = ContentCache(tmp_path / "store.sqlite")
    entries = {content_key(str(i)): str(i).encode() for i in range(40_000)}
    store.put_many(entries)
    assert store.get_many(entries) == entries


def test_an_entry_never_changes_unless_it_is_replaced_on_purpose(tmp_path: Path) -> None:
    store = ContentCache(tmp_path / "store.sqlite")
    store.put_many({b"k": b"first"})
    store.put_many({b"k": b"second"})
    assert store.get_many([b"k"]) == {b"k": b"first"}
    store.put_many({b"k": b"third", b"j": b"new"}, replace=True)
    assert store.get_many([b"k", b"j"]) == {b"k": b"third", b"j": b"new"}


def test_all_entries_are_listed_by_key(tmp_path: Path) -> None:
    store = ContentCache(tmp_path / "store.sqlite")
    assert list(store.items()) == []
    store.put_many({b"b": b"2", b"a": b"1", b"c": b"3"})
    listing = store.items()
    assert next(listing) == (b"a", b"1")
    store.put_many({b"d": b"4"})
    assert list(listing) == [(b"b", b"2"), (b"c", b"3")], "as it was when the reading began"


@given(st.lists(st.text(max_size=4), max_size=4), st.lists(st.text(max_size=4), max_size=4))
def test_no_two_lists_of_texts_share_a_key(one: list[str], other: list[str]) -> None:
    assert (content_key(*one) == content_key(*other)) == (one == other)


WRITER = """
import sys
from pathlib import Path
from lawrag_assets.cache import ContentCache
store = ContentCache(Path(sys.argv[1]))
print("ready", flush=True)
sys.stdin.readline()
for i in range(int(sys.argv[2])):
    store.put_many({f"{i} {j}".encode(): sys.argv[3].encode() * 400 for j in range(20)})
    print(i, flush=True)
"""


def _writer(path: Path, batches: int, name: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", WRITER, str(path), str(batches), name]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_several_processes_make_and_fill_one_cache(tmp_path: Path) -> None:
    writers = [_writer(tmp_path / "store.sqlite", 30, name) for name in "abc"]
    for writer in writers:
        assert writer.stdout is not None
        assert writer.stdout.readline() == "ready\n"
    for writer in writers:
        assert writer.stdin is not None
        writer.stdin.write("\n")
        writer.stdin.flush()
    outcomes = [writer.communicate(timeout=60) for writer in writers]
    assert [(w.returncode, errors) for w, (_, errors) in zip(writers, outcomes, strict=True)] == [(0, "")] * 3
    store = ContentCache(tmp_path / "store.sqlite")
    assert len(store) == 600
    assert all(value in (b"a" * 400, b"b" * 400, b"c" * 400) for value in store.get_many([b"0 0", b"29 19"]).values())


def test_a_killed_process_loses_only_what_it_had_not_committed(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    with _writer(path, 100_000, "x") as writer:
        assert writer.stdin is not None
        assert writer.stdout is not None
        writer.stdin.write("\n")
        writer.stdin.flush()
        while writer.stdout.readline() not in ("5\n", ""):
            pass
        os.kill(writer.pid, signal.SIGKILL)
        committed = [line for line in writer.stdout.read().splitlines() if line.isdigit()]
    batches = int(committed[-1]) + 1 if committed else 6
    store = ContentCache(path)
    assert len(store) % 20 == 0
    assert len(store) >= batches * 20
    store.put_many({b"after": b"it"})
    assert store.get_many([b"after"]) == {b"after": b"it"}


def test_a_file_that_is_no_cache_is_named(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    path.write_bytes(b"This is a letter, not a database. " * 200)
    with pytest.raises(InputError, match=r"store\.sqlite.*delete the file"):
        ContentCache(path).get_many([b"k"])


def test_a_damaged_cache_is_named(tmp_path: Path) -> None:
    path = tmp_path / "store.sqlite"
    store = ContentCache(path)
    store.put_many({f"{i}".encode(): b"v" * 500 for i in range(500)})
    data = bytearray(path.read_bytes())
    data[4096:] = b"\xa5" * (len(data) - 4096)
    path.write_bytes(data)
    with pytest.raises(InputError, match=r"store\.sqlite.*delete the file"):
        store.get_many([f"{i}".encode() for i in range(500)])


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="file"):
        ContentCache(tmp_path / "file" / "store.sqlite").put_many({b"k": b"v"})
    (tmp_path / "folder.sqlite").mkdir()
    with pytest.raises(InputError, match=r"folder\.sqlite"):
        ContentCache(tmp_path / "folder.sqlite").put_many({b"k": b"v"})


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_folder_is_named(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(InputError, match="writable"):
            ContentCache(tmp_path / "store.sqlite").put_many({b"k": b"v"})
    finally:
        tmp_path.chmod(0o700)


def test_a_cache_locked_for_too_long_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "_WAIT_SECONDS", 0.2)
    store = ContentCache(tmp_path / "store.sqlite")
    store.put_many({b"k": b"v"})
    other = sqlite3.connect(store.path)
    other.execute("BEGIN IMMEDIATE")
    try:
        started = time.monotonic()
        with pytest.raises(InputError, match=r"store\.sqlite.*locked"):
            store.put_many({b"l": b"v"})
        assert time.monotonic() - started >= 0.2
        assert store.get_many([b"k"]) == {b"k": b"v"}, "reading goes on beside a writer"
    finally:
        other.close()
