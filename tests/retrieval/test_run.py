"""Run tables."""

import numpy as np
import polars as pl
import pytest
from small_indexes import asked, directions

from lawrag_assets.errors import InputError
from lawrag_assets.retrieval.asked import Asked
from lawrag_assets.retrieval.dense import Dense
from lawrag_assets.retrieval.hits import Parents
from lawrag_assets.retrieval.index import Index
from lawrag_assets.retrieval.run import RUN_SCHEMA, retrieve, search_once


def small_index() -> Index:
    """Three chunks on the axes; the second belongs to two sections."""
    return Index(("c0", "c1", "c2"), np.eye(3, dtype=np.float32), Parents.from_lists([["a"], ["c", "b"], ["a"]]))


def test_a_run_holds_every_parent_section_of_the_candidates() -> None:
    queries = np.array([[0.8, 0.6, 0.0], [0.0, 0.6, 0.8]], dtype=np.float32)
    run = retrieve(Dense(small_index()), asked(queries, ["q1", "q2"]), question_set="set", aggregations=("max", "sum"))
    assert run.schema == RUN_SCHEMA
    assert run.select("aggregation", "query", "section", "rank").rows() == [
        *(("max", "q1", section, rank) for section, rank in (("a", 1), ("b", 2), ("c", 3))),
        *(("max", "q2", section, rank) for section, rank in (("a", 1), ("b", 2), ("c", 3))),
        *(("sum", "q1", section, rank) for section, rank in (("a", 1), ("b", 2), ("c", 3))),
        *(("sum", "q2", section, rank) for section, rank in (("a", 1), ("b", 2), ("c", 3))),
    ]
    assert run["score"].to_list()[:2] == pytest.approx([0.8, 0.6])
    assert run.select("question_set", "retriever").unique().rows() == [("set", "dense")]


def test_only_candidates_are_ranked() -> None:
    queries = np.array([[0.8, 0.6, 0.0]], dtype=np.float32)
    run = retrieve(Dense(small_index(), candidates=1), asked(queries, ["q1"]), question_set="set")
    assert run["section"].to_list() == ["a"]


def test_many_questions_keep_their_own_sections() -> None:
    count = 700  # several blocks
    vectors = directions(count)
    index = Index(tuple(map(str, range(count))), vectors, Parents.from_lists([[f"s{i:03}"] for i in range(count)]))
    ids = [f"q{i:03}" for i in range(count)]
    run = retrieve(Dense(index, candidates=5), asked(vectors, ids), question_set="set")
    assert run.height == count * 5
    first = run.filter(pl.col("rank") == 1)
    assert first["query"].to_list() == ids
    assert first["section"].to_list() == [f"s{i:03}" for i in range(count)]


def test_no_questions_make_an_empty_run() -> None:
    run = retrieve(Dense(small_index()), asked(np.zeros((0, 3), dtype=np.float32), []), question_set="set")
    assert (run.schema, run.height) == (RUN_SCHEMA, 0)


def test_an_unknown_aggregation_is_refused_before_searching() -> None:
    with pytest.raises(InputError, match="unknown aggregation 'best'"):
        retrieve(
            Dense(small_index()), asked(np.eye(3, dtype=np.float32), ["a", "b", "c"]), question_set="s", aggregations=("best",)
        )


def test_one_question_tells_each_sections_best_chunk() -> None:
    found = search_once(Dense(small_index()), Asked.one("", None, np.array([0.6, 0.0, 0.8], dtype=np.float32)), limit=2)
    assert found.select("rank", "section", "chunk_id").rows() == [(1, "a", "c2"), (2, "b", "c1")]
