"""The number of the storage folder's layout: written once, and one of a newer version refused."""

from pathlib import Path

import pytest

from lawrag_assets.cli import run_command_line
from lawrag_assets.errors import InputError
from lawrag_assets.settings import load_settings
from lawrag_assets.storage import FORMAT


def test_a_folder_gets_the_number_of_its_layout_and_one_without_has_the_first(tmp_path: Path) -> None:
    load_settings(storage=tmp_path).paths.require_writable()
    assert (tmp_path / "FORMAT").read_text() == f"{FORMAT}\n"
    (tmp_path / "FORMAT").unlink()
    assert load_settings(storage=tmp_path).paths.root == tmp_path


@pytest.mark.parametrize("command", [["run"], ["search", "Frage"], ["cells"], ["doctor"], ["gc"], ["pools"]], ids=" ".join)
def test_a_folder_of_a_newer_version_is_refused_with_the_way_out(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "FORMAT").write_text(f"{FORMAT + 1}\n")
    assert run_command_line(["--storage", str(tmp_path), *command]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert f"has layout {FORMAT + 1}" in line
    assert "install the newer lawrag" in line
    assert [path.name for path in tmp_path.iterdir()] == ["FORMAT"]


def test_a_layout_that_is_no_number_is_refused(tmp_path: Path) -> None:
    (tmp_path / "FORMAT").write_text("two")
    with pytest.raises(InputError, match="FORMAT: holds 'two' where a number should be"):
        load_settings(storage=tmp_path)
