"""A run that is killed at any moment is finished by the same command, with the same result."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import polars as pl
import pytest

from lawrag_assets.retrieval.index import open_index, read_chunks

COMMAND = [
    sys.executable,
    "-c",
    "from lawrag_assets.cli import main; main()",
    "run",
    "--cells",
    "section/flat",
    "--cells",
    "subsection/flat",
]
KILLS = 10


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2])
def test_a_run_killed_at_random_moments_ends_like_an_undisturbed_one(seed: int, built_once: Path, tmp_path: Path) -> None:
    storage = tmp_path / "storage"
    storage.mkdir()
    (storage / "models").symlink_to(built_once / "models")
    environment = {**os.environ, "LAWRAG_STORAGE": str(storage)}
    chance = random.Random(seed)
    for _ in range(KILLS):
        process = subprocess.Popen(COMMAND, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(chance.uniform(1, 14))
        process.send_signal(signal.SIGKILL)
        process.wait()
    finished = subprocess.run(COMMAND, env=environment, capture_output=True, text=True, timeout=600, check=False)
    assert finished.returncode == 0, finished.stderr
    _assert_same(built_once / "profiles" / "default", storage / "profiles" / "default")


@pytest.mark.slow
@pytest.mark.parametrize("way", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_run_stops_at_once_and_says_that_it_goes_on(way: signal.Signals, built_once: Path, tmp_path: Path) -> None:
    (tmp_path / "models").symlink_to(built_once / "models")
    environment = {**os.environ, "LAWRAG_STORAGE": str(tmp_path)}
    with subprocess.Popen(COMMAND, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        for line in process.stderr:
            if "unit_embeddings [subsection]" in line:
                break
        time.sleep(3)
        process.send_signal(way)
        rest = process.stderr.read()
        assert process.wait(timeout=60) == 130
    assert rest.splitlines()[-1] == "lawrag: interrupted; the same command goes on where it stopped"


def _assert_same(expected: Path, found: Path) -> None:
    for table in ("corpus", "units/section", "units/subsection", "chunks/section/flat", "chunks/subsection/flat"):
        assert pl.read_parquet(found / "tables" / f"{table}.parquet").equals(
            pl.read_parquet(expected / "tables" / f"{table}.parquet")
        ), table
    for table in ("section.flat", "subsection.flat"):
        undisturbed, killed = open_index(expected / "lancedb", table), open_index(found / "lancedb", table)
        assert killed.chunk_ids == undisturbed.chunk_ids
        assert np.abs(killed.vectors - undisturbed.vectors).max() < 1e-3
        ids = list(undisturbed.chunk_ids)
        assert read_chunks(found / "lancedb", table, ids).equals(read_chunks(expected / "lancedb", table, ids))
