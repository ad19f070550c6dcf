"""A question's way down a tree of summaries."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_indexes import asked, chunk_table, directions

from lawrag_assets.retrieval.calibration import QuestionMeans
from lawrag_assets.retrieval.dense import Dense
from lawrag_assets.retrieval.hits import Parents
from lawrag_assets.retrieval.index import Index, open_index, write_index
from lawrag_assets.retrieval.retrievers import Retrievers, Sources
from lawrag_assets.retrieval.routing import Tree
from lawrag_assets.retrieval.run import retrieve


def index_of(leaves: int, groups: list[list[int]], seed: int = 0) -> Index:
    """Leaves in random directions and one summary a group, the mean of its leaves."""
    vectors = directions(leaves, 8, seed)
    means = np.array([vectors[group].mean(axis=0) for group in groups], dtype=np.float32).reshape(-1, 8)
    means /= np.linalg.norm(means, axis=1, keepdims=True)
    ids = [*(f"leaf{number}" for number in range(leaves)), *(f"node{number}" for number in range(len(groups)))]
    children = [*([] for _ in range(leaves)), *([f"leaf{leaf}" for leaf in group] for group in groups)]
    parents = [*([f"{'ab'[leaf % 2]}/{leaf}"] for leaf in range(leaves))]
    parents += [[f"{'ab'[leaf % 2]}/{leaf}" for leaf in group] for group in groups]
    return Index(tuple(ids), np.concatenate([vectors, means]), Parents.from_lists(parents), Tree.from_lists(ids, children))


@given(
    groups=st.lists(st.lists(st.integers(0, 39), min_size=1, max_size=20, unique=True), min_size=1, max_size=8),
    k=st.integers(1, 60),
    seed=st.integers(0, 3),
)
def test_routing_finds_leaves_only_as_many_as_wanted_and_none_better_among_those_it_came_by(
    groups: list[list[int]], k: int, seed: int
) -> None:
    index = index_of(40, groups, seed)
    queries = directions(3, 8, seed + 100)
    hits = index.search(queries, k)
    assert hits.chunks.shape == (3, min(k, 40))
    assert (hits.chunks < 40).all()
    assert all(len(set(row)) == len(row) for row in hits.chunks.tolist())
    expected = np.vecdot(index.vectors[hits.chunks], queries[:, None, :])
    assert np.allclose(hits.similarities, expected)
    assert (np.diff(hits.similarities, axis=1) <= 0).all()


def test_only_the_best_branches_are_followed() -> None:
    groups = [list(range(start, start + 10)) for start in range(0, 200, 10)]
    index = index_of(200, groups)
    query = index.vectors[[200]]  # the first summary's own direction
    best = index.search(query, 2).chunks[0]
    near = np.argsort(-(index.vectors[200:] @ query[0]), kind="stable")
    followed = {leaf for node in near[:2] for leaf in groups[node]}
    assert set(best.tolist()) <= followed
    everything = index.search_all(query, 2).chunks[0]
    assert everything[0] == 200


def retrievers_of(index: Index) -> Retrievers:
    return Retrievers(Sources(index, lambda: QuestionMeans({}), pl.DataFrame, list, pl.DataFrame))


def test_an_index_without_a_tree_is_searched_whole_by_one_retriever() -> None:
    index = Index(("c0", "c1"), np.eye(2, dtype=np.float32), Parents.from_lists([["a"], ["b"]]))
    assert "dense_collapsed" not in retrievers_of(index).names()
    assert (
        index.search(np.eye(2, dtype=np.float32)).chunks.tolist() == index.search_all(np.eye(2, dtype=np.float32)).chunks.tolist()
    )


def test_both_ways_through_a_tree_are_retrievers_of_their_own() -> None:
    index = index_of(40, [list(range(20)), list(range(20, 40))])
    assert {"dense", "dense_collapsed"} <= set(retrievers_of(index).names())
    queries = asked(directions(4, 8, 9), list("wxyz"))
    runs = [retrieve(Dense(index, name, candidates=5), queries, question_set="s") for name in ("dense", "dense_collapsed")]
    assert [run["retriever"].unique().to_list() for run in runs] == [["dense"], ["dense_collapsed"]]
    assert runs[0].height == 20  # five leaves of one section each
    assert runs[1].height >= 20


def test_a_trees_part_for_one_law_holds_that_laws_leaves_only() -> None:
    even, odd = list(range(0, 40, 2)), list(range(1, 40, 2))
    index = index_of(40, [even, odd]).of_laws(["a"])
    assert index.tree is not None
    found = index.search(directions(2, 8, 5), 100)
    assert found.chunks.shape == (2, 20)
    assert {index.chunk_ids[row] for row in found.chunks.ravel()} == {f"leaf{leaf}" for leaf in even}


def test_a_tree_survives_the_table(tmp_path: Path) -> None:
    chunks = chunk_table([["s0"], ["s1"], ["s0", "s1"]])
    chunks = chunks.with_columns(children=pl.Series([[], [], ["c0", "c1"]], dtype=pl.List(pl.String)))
    write_index(tmp_path, "sentence.raptor", chunks, directions(3))
    index = open_index(tmp_path, "sentence.raptor")
    assert index.tree is not None
    assert index.tree.roots.tolist() == [2]
    assert index.search(directions(1), 10).chunks.shape == (1, 2)


@pytest.mark.parametrize("children", [[], [[], []]])
def test_chunks_without_children_are_no_tree(children: list[list[str]]) -> None:
    assert Tree.from_lists([f"c{number}" for number in range(len(children))], children) is None
