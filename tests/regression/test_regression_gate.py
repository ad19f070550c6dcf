"""The gate: the paper's cells on the sample law find what they found before, to three decimals.

Deterministic by design: float32, the bundled model, rules instead of a language model, seeds everywhere, one thread where sums are made
for clusters. With 80 answerable questions a figure moves in steps of 1/160, so that the last bits of a processor do not show.
"""

from pathlib import Path

import polars as pl
import pytest
from regression.gate import ACCEPT, EXPECTED, changes, read_expected, three_decimals, write_expected

from lawrag_assets.chunking.cells import PAPER_CELLS
from lawrag_assets.cli import run_command_line
from lawrag_assets.evaluation.measures import ALL, PRIMARY
from lawrag_assets.retrieval.aggregation import DEFAULT_AGGREGATION
from lawrag_assets.tables import TableStore


@pytest.mark.slow
def test_every_cell_finds_what_it_found_before(tmp_path: Path, models_dir: Path, request: pytest.FixtureRequest) -> None:
    storage = tmp_path / "storage"
    storage.mkdir()
    (storage / "models").symlink_to(models_dir)
    assert run_command_line(["--storage", str(storage), "run", "--cells", "paper", "--device", "cpu:float32"]) == 0
    now = figures(TableStore(storage / "profiles" / "default" / "tables"))
    if request.config.getoption("--accept-benchmark"):
        write_expected(EXPECTED, now)
    difference = changes(read_expected(EXPECTED), now)
    assert not difference, difference


def figures(tables: TableStore) -> dict[str, str]:
    """R@10 of plain dense retrieval by cell."""
    found = {}
    for cell in PAPER_CELLS:
        (mean,) = (
            tables.read("cell_metrics", [cell])
            .filter(
                pl.col("retriever") == "dense",
                pl.col("aggregation") == DEFAULT_AGGREGATION,
                pl.col("subset") == ALL,
                pl.col("measure") == PRIMARY,
            )["mean"]
            .to_list()
        )
        found[str(cell)] = three_decimals(mean)
    return found


def test_a_change_is_shown_as_a_table_with_the_way_to_accept_it() -> None:
    expected = {"section/flat": "0.700", "subsection/flat": "0.756", "sentence/flat": "0.600"}
    now = {"section/flat": "0.700", "subsection/flat": "0.744", "sentence/raptor": "0.500"}
    lines = changes(expected, now).splitlines()
    assert [line.split() for line in lines[3:6]] == [
        ["subsection/flat", "0.756", "0.744", "-0.012"],
        ["sentence/flat", "0.600", "–"],
        ["sentence/raptor", "–", "0.500"],
    ]
    assert "section/flat" not in [line.split()[0] for line in lines if line]
    assert lines[-1].endswith(ACCEPT)


def test_no_change_is_none() -> None:
    assert changes(read_expected(EXPECTED), read_expected(EXPECTED)) == ""
    assert list(read_expected(EXPECTED)) == [str(cell) for cell in PAPER_CELLS]
