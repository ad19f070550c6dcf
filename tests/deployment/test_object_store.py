"""Tables, laws and indexes in an object store: what readers and writers of a folder rely on holds there, too."""

import threading
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from retrieval.small_indexes import chunk_table, directions
from servers import free_port

from lawrag_assets.cli import run_command_line
from lawrag_assets.errors import InputError
from lawrag_assets.files import atomic_path, object_place
from lawrag_assets.laws.archive import is_kept, keep, kept
from lawrag_assets.laws.law_file import sample_law
from lawrag_assets.retrieval.index import open_index, read_chunks, write_index
from lawrag_assets.settings import load_settings
from lawrag_assets.storage import FORMAT
from lawrag_assets.tables import TableStore

pytestmark = pytest.mark.slow


def test_a_table_is_there_whole_or_not_at_all(artefacts: str) -> None:
    store = TableStore(object_place(artefacts) / "tables")
    frame = pl.DataFrame({"a": [1, 2], "vector": pl.Series([[0.0, 1.0], [1.0, 0.0]], dtype=pl.Array(pl.Float32, 2))})
    assert (store.exists("chunks", ("section", "flat")), store.run_id("chunks", ("section", "flat"))) == (False, None)
    store.write(frame, "chunks", ("section", "flat"), run_id="first")
    store.write(frame.reverse(), "chunks", ("section", "raptor"), run_id="second")
    assert store.run_id("chunks", ("section", "flat")) == "first"
    assert store.read("chunks", [("section", "flat")]).equals(frame)
    assert store.read("chunks", [("section", "flat"), ("section", "raptor")], columns=["a"])["a"].to_list() == [1, 2, 2, 1]
    store.remove("chunks", ("section", "flat"))
    store.remove("chunks", ("section", "flat"))
    assert not store.exists("chunks", ("section", "flat"))
    with pytest.raises(FileNotFoundError):
        store.read("chunks", [("section", "flat")])


def test_a_block_that_fails_leaves_the_old_object(artefacts: str) -> None:
    place = object_place(artefacts) / "report.html"
    place.write_bytes(b"old")

    def write_half() -> None:
        with atomic_path(place) as temporary:
            temporary.write_bytes(b"ha")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        write_half()
    assert place.read_bytes() == b"old"


def test_every_build_of_a_law_is_kept_by_content(artefacts: str) -> None:
    laws, file = object_place(artefacts) / "laws", sample_law()
    assert not is_kept(laws, file.slug, file.sha256)
    assert str(keep(laws, file, "here")) == f"{artefacts}/laws/sample/{file.sha256}.xml"
    assert is_kept(laws, file.slug, file.sha256)
    assert kept(laws, file.slug, file.sha256) == file


def test_an_index_is_rewritten_under_its_readers_and_does_not_grow(artefacts: str) -> None:
    db = object_place(artefacts) / "lancedb"
    with pytest.raises(InputError, match=r"no index of the cell section/flat under s3://"):
        open_index(db, "section.flat")
    rows, vectors = chunk_table([[f"s{number}"] for number in range(400)]), directions(400)
    first = write_index(db, "section.flat", rows, vectors)
    assert (first.chunks, first.bytes_total > first.bytes_without_text > vectors.nbytes) == (400, True)
    found: list[set[float]] = []
    over = threading.Event()

    def read() -> None:
        while not over.is_set():
            found.append(set(open_index(db, "section.flat").vectors[:, 0].round(4).tolist()))

    reader = threading.Thread(target=read)
    reader.start()
    try:
        for turn in range(20):
            last = write_index(db, "section.flat", rows, np.roll(vectors, turn, axis=1))
    finally:
        over.set()
        reader.join()
    versions = [set(np.roll(vectors, turn, axis=1)[:, 0].round(4).tolist()) for turn in range(20)]
    assert found
    assert all(seen in versions for seen in found)
    assert last.bytes_total <= 1.2 * first.bytes_total
    assert read_chunks(db, "section.flat", ["c7", "c3"])["text"].to_list() == ["Text 7", "Text 3"]


def test_a_bucket_that_is_not_there_is_named_before_any_work(artefacts: str, tmp_path: Path) -> None:
    settings = load_settings(storage=tmp_path, artefacts=artefacts.replace("lawrag-", "nobodys-"))
    with pytest.raises(InputError, match=r"^s3://nobodys-.*/team cannot be read"):
        settings.paths.require_writable()


def test_a_store_that_does_not_answer_is_named_in_one_line(
    artefacts: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", f"http://127.0.0.1:{free_port()}")
    monkeypatch.setenv("LAWRAG_ARTEFACTS", artefacts)
    assert run_command_line(["--storage", str(tmp_path), "search", "Frage"]) == 2
    assert f"lawrag: {artefacts} cannot be read (" in capsys.readouterr().err


def test_objects_of_a_newer_version_are_left_alone(artefacts: str, tmp_path: Path) -> None:
    paths = load_settings(storage=tmp_path, artefacts=artefacts).paths
    paths.require_writable()
    paths.require_objects()
    (object_place(artefacts) / "FORMAT").write_text(f"{FORMAT + 1}")
    with pytest.raises(InputError, match=f"s3://.* has layout {FORMAT + 1}"):
        paths.require_writable()
