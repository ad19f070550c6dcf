"""A strategy of another package appears in the grid and is built like the project's own."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from cli.test_commands import table

EXAMPLE = Path(__file__).parent.parent / "example_strategy"


def lawrag(*arguments: str, path: Path = EXAMPLE) -> subprocess.CompletedProcess[str]:
    """Run the command line in a process that has the example package installed."""
    command = [sys.executable, "-c", "from lawrag_assets.cli import main; main()", *arguments]
    return subprocess.run(command, env=os.environ | {"PYTHONPATH": str(path)}, capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_a_strategy_of_an_installed_package_appears_and_can_be_built(tiny_model: Callable[..., Path], tmp_path: Path) -> None:
    built = lawrag(
        "--storage", str(tmp_path), "run", "--cells", "subsection/pairs", "--embedding-model", str(tiny_model("tiny"))
    )  # fmt: skip
    assert built.returncode == 0, built.stderr
    cells = json.loads(lawrag("--storage", str(tmp_path), "cells", "--json").stdout)
    assert [c["base_unit"] for c in cells if c["strategy"] == "pairs" and c["materialized"]] == ["subsection"]
    units, chunks = table(tmp_path, "units", "subsection"), table(tmp_path, "chunks", "subsection", "pairs")
    assert chunks.height == (units.height + 1) // 2


def test_an_entry_point_that_is_no_strategy_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "wrong-1.0.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: wrong\nVersion: 1.0\n")
    (folder / "entry_points.txt").write_text("[lawrag.strategies]\nwrong = json:dumps\n")
    failed = lawrag("cells", path=tmp_path)
    assert failed.returncode == 2
    assert failed.stderr == "lawrag: entry point 'json:dumps' of lawrag.strategies: not a Strategy but a function\n"
