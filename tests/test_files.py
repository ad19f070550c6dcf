"""Atomic writing."""

from pathlib import Path

import pytest

from lawrag_assets.files import atomic_path, atomic_write_bytes


def test_a_block_that_fails_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    file = tmp_path / "folder" / "file"
    atomic_write_bytes(file, b"old")

    def write_half() -> None:
        with atomic_path(file) as temporary:
            temporary.write_bytes(b"ha")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        write_half()
    assert file.read_bytes() == b"old"
    assert [path.name for path in file.parent.iterdir()] == ["file"]


def test_a_folder_is_made_in_one_step_and_the_first_one_stays(tmp_path: Path) -> None:
    for content in ("first", "second"):
        with atomic_path(tmp_path / "model") as temporary:
            temporary.mkdir()
            (temporary / "weights").write_text(content)
    assert (tmp_path / "model" / "weights").read_text() == "first"
    assert [path.name for path in tmp_path.iterdir()] == ["model"]
