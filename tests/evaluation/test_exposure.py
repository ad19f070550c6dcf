"""Recall by how often gold was seen."""

import polars as pl
import pytest
from scipy import stats

from lawrag_assets.evaluation.exposure import BANDS, EXPOSURE_SCHEMA, recall_by_exposure

SEEN = pl.DataFrame(
    [
        ("s", "a", "1", 0),
        ("s", "a", "2", 1),
        ("s", "b", "2", 2),
        ("s", "b", "3", 9),
        ("s", "c", "4", 30),
        ("s", "c", "§ 9 XYZ", 0),
    ],
    schema=["question_set", "query", "section", "seen"],
    orient="row",
)
RUNS = pl.DataFrame(
    [
        ("s", "x", "a", "2", 1),
        ("s", "x", "a", "1", 11),
        ("s", "x", "b", "3", 10),
        ("s", "x", "c", "4", 2),
        ("s", "y", "a", "1", 1),
    ],
    schema=["question_set", "retriever", "query", "section", "rank"],
    orient="row",
)


def test_each_gold_section_counts_in_its_band_for_every_retriever() -> None:
    table = recall_by_exposure(RUNS, SEEN)
    assert table.schema == EXPOSURE_SCHEMA
    assert table.select("retriever", "band", "gold", "recall").rows() == [
        ("x", "0", 2, 0.0),
        ("x", "1–2", 2, 0.5),
        ("x", "3–9", 1, 1.0),
        ("x", "30+", 1, 1.0),
        ("y", "0", 2, 0.5),
        ("y", "1–2", 2, 0.0),
        ("y", "3–9", 1, 0.0),
        ("y", "30+", 1, 0.0),
    ]


def test_every_count_has_one_band() -> None:
    for seen in (0, 1, 2, 3, 9, 10, 29, 30, 5000):
        assert sum(least <= seen <= most for least, most in BANDS.values()) == 1


def test_intervals_are_wilsons() -> None:
    seen = pl.DataFrame([("s", str(i), "1", 5) for i in range(40)], schema=SEEN.schema, orient="row")
    runs = pl.DataFrame([("s", "x", str(i), "1", 1) for i in range(3)], schema=RUNS.schema, orient="row")
    row = recall_by_exposure(runs, seen).row(0, named=True)
    theirs = stats.binomtest(3, 40).proportion_ci(method="wilson")
    assert (row["low"], row["high"]) == pytest.approx((theirs.low, theirs.high), abs=1e-6)
