"""A cell's index on disk and in memory, with a real LanceDB."""

import multiprocessing
import os
import signal
import threading
import time
from pathlib import Path

import lancedb
import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_indexes import chunk_table, directions

from lawrag_assets.errors import InputError
from lawrag_assets.retrieval.hits import Parents
from lawrag_assets.retrieval.index import Index, open_index, read_chunks, write_index

CELL = "subsection.flat"


def folder_bytes(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


def test_what_is_written_is_read_back_in_order(tmp_path: Path) -> None:
    chunks, vectors = chunk_table([["b", "a"], ["a"], ["c"]]), directions(3)
    stats = write_index(tmp_path / "lancedb", CELL, chunks, vectors)
    index = open_index(tmp_path / "lancedb", CELL)
    assert stats.chunks == 3
    assert index.chunk_ids == ("c0", "c1", "c2")
    assert index.section_ids == ("a", "b", "c")
    assert index.vectors.dtype == np.float32
    assert index.vectors.flags.c_contiguous
    np.testing.assert_array_equal(index.vectors, vectors)


def test_the_table_is_an_ordinary_lancedb_table(tmp_path: Path) -> None:
    vectors = directions(20)
    write_index(tmp_path, CELL, chunk_table([[f"s{i}"] for i in range(20)]), vectors)
    table = lancedb.connect(tmp_path).open_table(CELL)
    assert table.schema.names == ["chunk_id", "text", "citation", "slug", "build", "parents", "children", "vector"]
    nearest = table.search(vectors[7]).distance_type("cosine").limit(1).to_list()[0]
    assert (nearest["chunk_id"], nearest["parents"], nearest["text"]) == ("c7", ["s7"], "Text 7")


def test_many_rows_keep_their_order(tmp_path: Path) -> None:
    count = 30_000  # several batches when read
    vectors = directions(count, 4)
    write_index(tmp_path, CELL, chunk_table([["s"]] * count), vectors)
    index = open_index(tmp_path, CELL)
    assert index.chunk_ids == tuple(f"c{i}" for i in range(count))
    np.testing.assert_array_equal(index.vectors, vectors)


def test_an_index_without_chunks_finds_nothing(tmp_path: Path) -> None:
    write_index(tmp_path, CELL, chunk_table([]), np.zeros((0, 32), dtype=np.float32))
    hits = open_index(tmp_path, CELL).search(directions(2))
    assert hits.chunks.shape == (2, 0)


def test_vectors_that_do_not_match_the_chunks_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"2 chunks, but vectors of shape \(3, 32\)"):
        write_index(tmp_path, CELL, chunk_table([["a"], ["b"]]), directions(3))
    assert not (tmp_path / f"{CELL}.lance").exists()


def test_a_cell_that_was_never_indexed_is_named_with_the_way_out(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="lawrag run --cells section/flat"):
        open_index(tmp_path / "nowhere", "section.flat")
    assert not (tmp_path / "nowhere").exists()


def test_a_first_write_that_was_killed_left_no_index_and_the_next_one_works(tmp_path: Path) -> None:
    litter = tmp_path / f"{CELL}.lance" / "data" / "0123.lance"
    litter.parent.mkdir(parents=True)
    litter.write_bytes(b"half a file")
    with pytest.raises(InputError, match="no index of the cell subsection/flat"):
        open_index(tmp_path, CELL)
    write_index(tmp_path, CELL, chunk_table([["a"]]), directions(1))
    assert open_index(tmp_path, CELL).chunk_ids == ("c0",)
    assert not litter.exists()


def test_an_index_of_an_older_layout_is_named_as_such_with_the_way_out(tmp_path: Path) -> None:
    write_index(tmp_path, CELL, chunk_table([["a"]]), directions(1))
    older = open_table(tmp_path).drop_columns(["children"])
    lancedb.connect(tmp_path).create_table(CELL, older, mode="overwrite")
    with pytest.raises(InputError, match=r"older version of lawrag \(it has no children\).*`lawrag run --cells subsection/flat`"):
        open_index(tmp_path, CELL)


def test_part_of_an_index_speaks_for_the_laws_asked(tmp_path: Path) -> None:
    vectors = directions(4)
    write_index(tmp_path, CELL, chunk_table([["bgb/§1"], ["arbzg/§3", "bgb/§2"], ["arbzg/§4"], ["bgbeg/Art1"]]), vectors)
    part = open_index(tmp_path, CELL).of_laws(["bgb"])
    assert (part.chunk_ids, part.section_ids) == (("c0", "c1"), ("bgb/§1", "bgb/§2"))
    np.testing.assert_array_equal(part.vectors, vectors[:2])


def test_texts_come_back_in_the_order_asked(tmp_path: Path) -> None:
    chunks = chunk_table([["a"], ["b"], ["c"]]).with_columns(chunk_id=pl.Series(["§ 'x'", "y", "z"]))
    write_index(tmp_path, CELL, chunks, directions(3))
    found = read_chunks(tmp_path, CELL, ["z", "§ 'x'"])
    assert found["text"].to_list() == ["Text 2", "Text 0"]
    assert found["parents"].to_list() == [["c"], ["a"]]
    assert read_chunks(tmp_path, CELL, []).is_empty()


def test_twenty_rebuilds_take_no_more_than_one(tmp_path: Path) -> None:
    chunks, vectors = chunk_table([[f"s{i}"] for i in range(500)]), directions(500)
    write_index(tmp_path, CELL, chunks, vectors)
    once = folder_bytes(tmp_path)
    for _ in range(20):
        write_index(tmp_path, CELL, chunks, vectors)
    assert folder_bytes(tmp_path) <= 1.2 * once


def test_size_without_text_is_that_of_a_table_without_text(tmp_path: Path) -> None:
    generator = np.random.default_rng(0)
    texts = ["".join(generator.choice(list("abcdefgh "), 200)) for _ in range(3_000)]
    chunks = chunk_table([[f"s{i}"] for i in range(3_000)]).with_columns(text=pl.Series(texts))
    stats = write_index(tmp_path / "with", CELL, chunks, directions(3_000))
    lancedb.connect(tmp_path / "without").create_table("t", open_table(tmp_path / "with").drop_columns(["text"]))
    assert stats.bytes_total == folder_bytes(tmp_path / "with" / f"{CELL}.lance")
    assert stats.bytes_total - stats.bytes_without_text > 100_000
    assert abs(stats.bytes_without_text - folder_bytes(tmp_path / "without")) < 4_000


def open_table(folder: Path) -> "lancedb.table.pa.Table":
    return lancedb.connect(folder).open_table(CELL).to_arrow()


def generation(number: int) -> tuple[pl.DataFrame, np.ndarray]:
    """An index all of whose rows tell which rebuild they are of; every rebuild has another number of rows."""
    count = 200 + number
    chunks = chunk_table([[f"s{number}"]] * count)
    return chunks, np.full((count, 8), number, dtype=np.float32)


def assert_whole(index: Index) -> None:
    (section,) = index.section_ids
    number = int(section[1:])
    assert len(index.chunk_ids) == 200 + number
    assert (index.vectors == number).all()


def test_readers_see_the_old_index_or_the_new_one(tmp_path: Path) -> None:
    write_index(tmp_path, CELL, *generation(0))
    failures: list[BaseException] = []
    opened: list[Index] = []
    done = threading.Event()

    def read() -> None:
        try:
            while not done.is_set():
                opened.append(open_index(tmp_path, CELL))
                assert_whole(opened[-1])
        except BaseException as error:
            failures.append(error)

    readers = [threading.Thread(target=read) for _ in range(2)]
    for reader in readers:
        reader.start()
    for number in range(1, 25):
        write_index(tmp_path, CELL, *generation(number))
    done.set()
    for reader in readers:
        reader.join()
    assert not failures
    assert len({index.section_ids for index in opened}) > 1
    for index in opened:
        assert_whole(index)  # what was opened stays whole when its files are gone


def rebuild_for_ever(folder: Path) -> None:
    number = 0
    while True:
        number = number % 50 + 1
        write_index(folder, CELL, *generation(number))


@pytest.mark.slow
def test_a_killed_writer_leaves_a_whole_index_and_no_litter(tmp_path: Path) -> None:
    write_index(tmp_path, CELL, *generation(10))
    alone = folder_bytes(tmp_path)
    for delay in (0.0, 0.013, 0.031, 0.057, 0.083):
        writer = multiprocessing.get_context("spawn").Process(target=rebuild_for_ever, args=(tmp_path,))
        writer.start()
        before = newest(tmp_path)
        while newest(tmp_path) == before and writer.is_alive():
            time.sleep(0.005)
        time.sleep(delay)
        assert writer.pid is not None
        os.kill(writer.pid, signal.SIGKILL)
        writer.join()
        assert_whole(open_index(tmp_path, CELL))
    write_index(tmp_path, CELL, *generation(10))
    assert folder_bytes(tmp_path) <= 1.2 * alone


def newest(folder: Path) -> str:
    return min(path.name for path in (folder / f"{CELL}.lance" / "_versions").glob("*.manifest"))  # Lance counts down


def test_search_finds_the_nearest_chunks_best_first(tmp_path: Path) -> None:
    vectors, queries = directions(300), directions(5, seed=1)
    write_index(tmp_path, CELL, chunk_table([["s"]] * 300), vectors)
    hits = open_index(tmp_path, CELL).search(queries, 20)
    exact = queries.astype(np.float64) @ vectors.astype(np.float64).T
    np.testing.assert_array_equal(hits.chunks, np.argsort(-exact, axis=1)[:, :20])
    np.testing.assert_allclose(hits.similarities, np.take_along_axis(exact, hits.chunks, axis=1), atol=1e-6)


def test_equal_vectors_are_equally_similar_and_stay_in_order() -> None:
    distinct = directions(40, 384)
    vectors = np.tile(distinct, (60, 1))  # each 60 times, at positions that matrix products treat differently
    index = Index(tuple(map(str, range(len(vectors)))), vectors, Parents.from_lists([["s"]] * len(vectors)))
    for query in directions(20, 384, seed=2):
        hits = index.search(query[None], 60)
        assert len(set(hits.similarities[0].tolist())) == 1
        np.testing.assert_array_equal(hits.chunks[0], np.arange(60) * 40 + hits.chunks[0, 0])


@settings(max_examples=30, deadline=None)
@given(chunks=st.integers(1, 400), questions=st.integers(2, 9), seed=st.integers(0, 1_000))
def test_a_question_gets_the_same_alone_and_among_others(chunks: int, questions: int, seed: int) -> None:
    index = Index(tuple(map(str, range(chunks))), directions(chunks, 64, seed), Parents.from_lists([["s"]] * chunks))
    queries = directions(questions, 64, seed + 1)
    together = index.search(queries)
    for row, query in enumerate(queries):
        alone = index.search(query[None])
        np.testing.assert_array_equal(together.chunks[row], alone.chunks[0])
        np.testing.assert_array_equal(together.similarities[row], alone.similarities[0])
