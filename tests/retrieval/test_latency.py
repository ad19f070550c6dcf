"""Timing searches: what is timed how often and in which order."""

import gc
from functools import partial

import numpy as np
import polars as pl
import pytest
from small_indexes import directions

from lawrag_assets.retrieval.hits import Parents
from lawrag_assets.retrieval.index import Index
from lawrag_assets.retrieval.latency import LATENCY_SCHEMA, bare_scan, latency_figures, measure_latency, spread


def index_of(chunks: int, opened: list[int]) -> Index:
    opened.append(chunks)
    vectors = directions(chunks, 16, seed=chunks)
    return Index(tuple(map(str, range(chunks))), vectors, Parents.from_lists([[f"s{i % 7}"] for i in range(chunks)]))


def test_every_index_has_a_turn_in_each_run_and_the_order_is_rotated() -> None:
    opened: list[int] = []
    told: list[tuple[int, int]] = []
    indexes = {str(chunks): partial(index_of, chunks, opened) for chunks in (150, 200, 300)}
    times = measure_latency(indexes, directions(4, 16), runs=3, progress=lambda done, total: told.append((done, total)))
    assert times.schema == LATENCY_SCHEMA
    assert opened == [150, 200, 300, 200, 300, 150, 300, 150, 200]
    assert told == [(turn, 9) for turn in range(1, 10)]
    assert times.group_by("index", "run", "question").len()["len"].to_list() == [1] * 36
    assert (times["search_ms"] > 0).all()
    assert (times["scan_ms"] > 0).all()
    assert gc.isenabled()


def test_a_larger_index_takes_longer() -> None:
    indexes = {str(chunks): partial(index_of, chunks, []) for chunks in (100, 40_000)}
    figures = latency_figures(measure_latency(indexes, directions(20, 16), runs=2))
    small, large = figures.rows(named=True)
    assert small["p50_ms"] < large["p50_ms"]
    assert small["scan_ms"] < large["scan_ms"]


def test_figures_are_over_all_questions_and_runs() -> None:
    times = pl.DataFrame(
        {"index": "a", "run": 1, "question": range(5), "search_ms": [1.0, 2.0, 3.0, 4.0, 100.0], "scan_ms": 0.5}
    ).cast(LATENCY_SCHEMA)
    expected = {"index": "a", "p50_ms": 3.0, "p95_ms": 80.8, "mean_ms": 22.0, "scan_ms": 0.5}
    assert latency_figures(times).row(0, named=True) == pytest.approx(expected)


@pytest.mark.parametrize("chunks", [1, 99, 100, 5_000])
def test_the_bare_scan_finds_the_nearest(chunks: int) -> None:
    vectors, query = directions(chunks, 16), directions(1, 16, seed=3)
    best = np.argsort(-(vectors @ query[0]))[:100]
    assert set(bare_scan(vectors, query, 100)) == set(best)


def test_no_question_no_index_no_time() -> None:
    assert measure_latency({"a": partial(index_of, 100, [])}, directions(0, 16)).height == 0
    assert measure_latency({}, directions(3, 16)).schema == LATENCY_SCHEMA


def test_questions_are_chosen_at_even_distances() -> None:
    assert spread(3).tolist() == [0, 1, 2]
    assert spread(0).tolist() == []
    chosen = spread(2_154)
    assert len(chosen) == 100
    assert (chosen[0], chosen[-1]) == (0, 2_153)
    assert set(np.diff(chosen)) <= {21, 22}
