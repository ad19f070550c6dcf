"""Ranking sections by their chunks, against a plain reference."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lawrag_assets.errors import InputError
from lawrag_assets.retrieval.aggregation import AGGREGATIONS, DEFAULT_AGGREGATION, aggregation_named, rank_sections
from lawrag_assets.retrieval.hits import Hits, Parents


def naive(chunks: list[int], similarities: list[float], parents: list[list[str]], name: str) -> list[tuple[str, float]]:
    """One question, in plain Python, as the paper describes it."""
    of_section: dict[str, list[float]] = {}
    for chunk, similarity in zip(chunks, similarities, strict=True):
        for section in parents[chunk]:
            of_section.setdefault(section, []).append(similarity)
    score = {"max": max, "sum": sum, "mean_top_n": lambda values: sum(sorted(values)[-3:]) / len(sorted(values)[-3:])}[name]
    scores = {section: float(np.float32(score(values))) for section, values in of_section.items()}
    return sorted(scores.items(), key=lambda item: (-item[1], item[0]))


SECTIONS = [f"bgb/§{number}" for number in (1, 2, 10, 433, 1000, 1823)]


@st.composite
def searches(draw: st.DrawFn) -> tuple[list[list[str]], np.ndarray, np.ndarray]:
    """Parents of some chunks, and hits of some questions with many equal similarities, best first."""
    parents = draw(st.lists(st.lists(st.sampled_from(SECTIONS), min_size=1, max_size=4, unique=True), min_size=1, max_size=12))
    questions = draw(st.integers(1, 4))
    k = draw(st.integers(1, len(parents)))
    levels = st.sampled_from([-0.5, -0.25, 0.0, 0.125, 0.5, 0.75, 1.0])  # sums are exact, whatever their order
    chunks = [draw(st.permutations(range(len(parents))))[:k] for _ in range(questions)]
    similarities = [sorted((draw(levels) for _ in range(k)), reverse=True) for _ in range(questions)]
    return parents, np.array(chunks), np.array(similarities, dtype=np.float32)


@settings(max_examples=300, deadline=None)
@given(searches(), st.sampled_from(sorted(AGGREGATIONS)))
def test_as_the_plain_reference(search: tuple[list[list[str]], np.ndarray, np.ndarray], name: str) -> None:
    parents, chunks, similarities = search
    compressed = Parents.from_lists(parents)
    ranking = rank_sections(Hits(chunks, similarities), compressed, aggregation_named(name))
    for question in range(len(chunks)):
        mine = ranking.queries == question
        expected = naive(chunks[question].tolist(), similarities[question].tolist(), parents, name)
        assert [compressed.ids[section] for section in ranking.sections[mine]] == [section for section, _ in expected]
        np.testing.assert_allclose(ranking.scores[mine], [score for _, score in expected], rtol=1e-5, atol=1e-30)
        assert ranking.ranks[mine].tolist() == list(range(1, len(expected) + 1))
        assert (np.diff(ranking.scores[mine]) < 0).all()
        for section, chunk in zip(ranking.sections[mine], ranking.chunks[mine], strict=True):
            first = next(c for c in chunks[question] if compressed.ids[section] in parents[c])
            assert chunk == first


def test_the_three_ways_by_hand() -> None:
    parents = Parents.from_lists([["a"], ["b"], ["b"], ["b"], ["b", "c"]])
    hits = Hits(np.array([[0, 1, 2, 3, 4]]), np.array([[0.75, 0.5, 0.5, 0.25, 0.125]], dtype=np.float32))

    def ranked(name: str) -> list[tuple[str, float]]:
        ranking = rank_sections(hits, parents, aggregation_named(name))
        return [(parents.ids[section], float(score)) for section, score in zip(ranking.sections, ranking.scores, strict=True)]

    assert ranked("max") == [("a", 0.75), ("b", 0.5), ("c", 0.125)]
    assert ranked("sum") == [("b", 1.375), ("a", 0.75), ("c", 0.125)]
    assert ranked("mean_top_n") == [("a", 0.75), ("b", pytest.approx(1.25 / 3)), ("c", 0.125)]


def test_sections_that_tie_are_ranked_by_id_and_set_apart_by_a_hair() -> None:
    parents = Parents.from_lists([["z", "m", "a"]])
    ranking = rank_sections(Hits(np.array([[0]]), np.array([[0.875]], dtype=np.float32)), parents)
    assert [parents.ids[section] for section in ranking.sections] == ["a", "m", "z"]
    step = np.spacing(np.float32(0.8))
    assert ranking.scores.tolist() == [0.875, 0.875 - step, 0.875 - 2 * step]


@pytest.mark.parametrize("score", [1.0, 1e-30, 0.0, -0.0, -0.3])
def test_scores_are_set_apart_whatever_their_sign(score: float) -> None:
    parents = Parents.from_lists([[f"s{i}" for i in range(9)]])
    ranking = rank_sections(Hits(np.array([[0], [0]]), np.array([[score], [score]], dtype=np.float32)), parents)
    for question in (0, 1):
        scores = ranking.scores[ranking.queries == question]
        assert scores[0] == np.float32(score)
        assert (np.diff(scores) < 0).all()
        np.testing.assert_allclose(scores, score, rtol=1e-5, atol=1e-40)


def test_no_hits_no_sections() -> None:
    ranking = rank_sections(Hits(np.zeros((3, 0), dtype=np.int64), np.zeros((3, 0), dtype=np.float32)), Parents.from_lists([]))
    assert len(ranking.ranks) == 0


def test_an_unknown_aggregation_is_refused_with_the_known_names() -> None:
    with pytest.raises(InputError, match="unknown aggregation 'median': one of max, sum, mean_top_n"):
        aggregation_named("median")
    assert DEFAULT_AGGREGATION == "max"


def test_a_section_named_twice_by_a_chunk_counts_once() -> None:
    parents = Parents.from_lists([["a", "a"], ["b"]])
    assert (parents.starts.tolist(), parents.sections.tolist()) == ([0, 1, 2], [0, 1])
