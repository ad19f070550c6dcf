"""Every strategy keeps the same promises on any base unit of any corpus, and its own beside them."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import polars as pl
import pytest
from chunking.corpora import corpora, tokenize
from chunking.made_material import EXTRACTIVE, chunked, cut, enrich, letters
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lawrag_assets.chunking import STRATEGIES
from lawrag_assets.chunking.integrity import duplicate_ids, uncovered_sections, unknown_parents
from lawrag_assets.chunking.lumber import SHOWN_TOKENS
from lawrag_assets.chunking.pooling import pooled
from lawrag_assets.chunking.raptor import CLUSTER_TOKENS, keep_clusters
from lawrag_assets.chunking.semantic_cluster import cluster_labels
from lawrag_assets.chunking.soft_clusters import soft_clusters
from lawrag_assets.chunking.tables import CHUNKS_SCHEMA, ENRICHMENT_SCHEMA
from lawrag_assets.generation.protocol import Answer, Arrived, Request

BASE_UNIT_SAMPLE = ["section", "subsection", "sentence", "proposition", "window_16_4"]
"""The windows differ in size only."""


@pytest.mark.parametrize("strategy", list(STRATEGIES))
@pytest.mark.parametrize("base_unit", BASE_UNIT_SAMPLE)
@settings(max_examples=max(8, settings().max_examples // 3))  # 25 pairs of strategy and base unit
@given(corpus=corpora())
def test_chunks_are_unique_and_speak_for_every_section_in_force_and_no_other(
    strategy: str, base_unit: str, corpus: pl.DataFrame
) -> None:
    units = cut(base_unit, corpus)
    enrichment = enrich(strategy, units, corpus)
    chunks = STRATEGIES[strategy].build(units, enrichment)
    assert enrichment.schema == ENRICHMENT_SCHEMA
    assert chunks.schema == CHUNKS_SCHEMA
    assert duplicate_ids(chunks, "chunk_id") == []
    assert unknown_parents(chunks, corpus) == []
    assert uncovered_sections(chunks, corpus) == []
    assert chunks["position"].to_list() == list(range(chunks.height))
    assert set(chunks["units"].explode().drop_nulls()) == set(units["unit_id"])
    assert chunks.equals(STRATEGIES[strategy].build(units, enrich(strategy, units, corpus)))


@pytest.mark.parametrize("strategy", list(STRATEGIES))
@given(texts=st.lists(st.sampled_from(["a b.", "c d e.", "f g h i.", "j.", "k l m n o."]), min_size=1, max_size=60))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_units_with_equal_texts_and_few_units_are_no_special_case(strategy: str, texts: list[str]) -> None:
    corpus, units = one_law(texts)
    chunks = chunked(strategy, units, corpus)
    assert set(chunks["units"].explode()) == set(units["unit_id"])
    assert duplicate_ids(chunks, "chunk_id") == []


@pytest.mark.parametrize("strategy", list(STRATEGIES))
def test_one_giant_unit_is_no_special_case(strategy: str) -> None:
    giant = " ".join(f"wort{number}" for number in range(5 * CLUSTER_TOKENS))
    corpus, units = one_law(
        [*[f"kurz {number}." for number in range(20)], giant, *[f"auch kurz {number}." for number in range(20)]]
    )
    chunks = chunked(strategy, units, corpus)
    assert set(chunks["units"].explode()) == set(units["unit_id"])


@pytest.mark.parametrize("strategy", ["contextual", "semantic_cluster"])
@given(data=st.data(), corpus=corpora())
def test_the_order_of_units_does_not_matter_where_it_need_not(strategy: str, data: st.DataObject, corpus: pl.DataFrame) -> None:
    """Of clusters only how many there are and that equal texts stay together: where the search starts depends on the order."""
    units = cut("sentence", corpus)
    shuffled = units[data.draw(st.permutations(range(units.height)))] if units.height else units
    one, other = chunked(strategy, units, corpus), chunked(strategy, shuffled, corpus)
    if strategy == "contextual":
        columns = ["chunk_id", "embedded"]
        assert one.select(columns).sort("chunk_id").equals(other.select(columns).sort("chunk_id"))
    else:
        assert one.height == other.height


@given(corpus=corpora())
def test_a_context_stands_before_the_embedded_text_only(corpus: pl.DataFrame) -> None:
    units = cut("subsection", corpus)
    chunks = chunked("contextual", units, corpus)
    assert chunks["text"].to_list() == units["text"].to_list()
    for text, embedded, citation in chunks.select("text", "embedded", "citation").iter_rows():
        assert embedded.endswith("\n\n" + text)
        assert citation in embedded.removesuffix(text)


@given(corpus=corpora(max_sections=12))
def test_lumber_cuts_the_stream_in_order_within_headings_and_the_bound(corpus: pl.DataFrame) -> None:
    units = cut("sentence", corpus)
    groups = enrich("lumber", units, corpus)["members"].to_list()
    assert [unit for group in groups for unit in group] == units["unit_id"].to_list()
    headings = dict(corpus.select("section_id", pl.col("hierarchy").list.first().struct.field("label")).iter_rows())
    of_unit = {
        unit: (slug, headings[parents[0]]) for unit, slug, parents in units.select("unit_id", "slug", "parents").iter_rows()
    }
    tokens = dict(zip(units["unit_id"], (len(found) for found in tokenize(units["text"].to_list())), strict=True))
    for group in groups:
        assert len({of_unit[unit] for unit in group}) == 1
        assert len(group) == 1 or sum(tokens[unit] for unit in group) <= SHOWN_TOKENS


class Stubborn:
    """A generator that always answers boundaries as it was told: the first unit possible, or none."""

    name = "stubborn"
    origin = EXTRACTIVE.origin

    def __init__(self, *, together: bool) -> None:
        self.together = together
        self.asked = 0

    def generate(self, requests: list[Request], arrived: Arrived | None = None) -> list[Answer]:  # type: ignore[type-arg]
        self.asked += len(requests)
        from lawrag_assets.generation.protocol import Usage

        return [Answer(len(request.units) + 1 if self.together else 2, Usage()) for request in requests]  # type: ignore[attr-defined]


@pytest.mark.parametrize("together", [True, False])
def test_lumber_moves_on_whatever_is_answered(together: bool) -> None:
    corpus, units = one_law([f"eins zwei drei vier fünf {number}." for number in range(200)])
    generator = Stubborn(together=together)
    groups = enrich("lumber", units, corpus, generator=generator)["members"].to_list()
    assert [unit for group in groups for unit in group] == units["unit_id"].to_list()
    assert all(len(group) == 1 for group in groups[:-1]) != together
    assert generator.asked <= units.height


def test_about_one_cluster_for_each_two_and_a_half_sections_whatever_the_unit() -> None:
    corpus, units = one_law([f"{chr(97 + number % 26) * 3} {number} {number * 7}." for number in range(100)])
    assert enrich("semantic_cluster", units, corpus).height == 40
    halves = pl.concat([units.with_columns(unit_id=pl.col("unit_id") + "/S1"), units.with_columns(pl.col("text") + " mehr.")])
    assert enrich("semantic_cluster", halves, corpus).height == 40


def test_former_clusters_stay_where_nothing_changed_and_nearly_so_where_little_did() -> None:
    corpus, units = one_law([f"{chr(97 + number % 26) * 3} {number} {number * 7} {number % 5}." for number in range(200)])
    for strategy in ("semantic_cluster", "raptor"):
        former = enrich(strategy, units, corpus)
        assert enrich(strategy, units, corpus, former).equals(former)
        changed = units.with_columns(
            text=pl.when(pl.col("unit_id") == "aa/§7").then(pl.lit("ganz anders.")).otherwise("text"),
        ).filter(pl.col("unit_id") != "aa/§150")
        now = enrich(strategy, changed, corpus, former)
        first = former.filter(pl.col("level") == 1)
        kept = first.join(now, on="node_id", how="semi").height
        assert first.height - 12 <= kept < first.height


@given(data=st.data())
def test_kept_clusters_hold_every_unit_and_take_new_ones_in_at_the_nearest_centre(data: st.DataObject) -> None:
    names = [f"u{number}" for number in range(30)]
    vectors = letters([f"{number} {number % 7}" for number in range(30)])
    former = data.draw(st.lists(st.lists(st.sampled_from(names[:28]), min_size=1, unique=True), min_size=1, max_size=8))
    kept = keep_clusters(vectors, names, {str(number): members for number, members in enumerate(former)})
    new = set(names) - {name for members in former for name in members}
    assert (kept is None) == (len(new) > 3)
    if kept is not None:
        assert {number for members in kept.values() for number in members} == set(range(30))
        assert len(kept) == len(former)


@settings(max_examples=max(10, settings().max_examples // 3))
@given(count=st.integers(1, 60), seed=st.integers(0, 5), most=st.sampled_from([5, 50, 500]))
def test_soft_clusters_cover_all_points_within_the_bound_and_end(count: int, seed: int, most: int) -> None:
    generator = np.random.default_rng(seed)
    vectors = generator.integers(0, 3, (count, 4)).astype(np.float32) + 0.1
    tokens = generator.integers(1, 40, count).tolist()
    clusters = soft_clusters(vectors, tokens, most)
    assert {row for rows in clusters for row in rows} == set(range(count))
    assert len({tuple(rows) for rows in clusters}) == len(clusters)
    assert all(len(rows) == 1 or sum(tokens[row] for row in rows) <= most for rows in clusters)
    assert clusters == soft_clusters(vectors, tokens, most)


def test_equal_texts_share_a_cluster() -> None:
    texts = ["a b c."] * 10 + ["d e f."] * 10 + ["g h i."]
    ids = [str(number) for number in range(21)]
    labels = cluster_labels(letters(texts), ids, texts, 8, [])
    assert len(set(labels[:10])) == len(set(labels[10:20])) == 1
    assert len(set(labels)) == 3


def test_the_tree_leads_from_its_top_to_every_leaf() -> None:
    corpus, units = one_law([f"{chr(97 + number % 26) * 3} {number} {number * 7} {number % 5}." for number in range(300)])
    chunks = chunked("raptor", units, corpus)
    below = dict(chunks.select("chunk_id", "children").iter_rows())
    order = {chunk_id: row for row, chunk_id in enumerate(chunks["chunk_id"])}
    assert all(order[child] < order[parent] for parent, children in below.items() for child in children)
    tops = set(below) - {child for children in below.values() for child in children}
    assert len(tops) < units.height / 4
    reached, level = set(tops), set(tops)
    while level := {child for node in level for child in below[node]}:
        reached |= level
    assert reached == set(below)
    parents = dict(chunks.select("chunk_id", "parents").iter_rows())
    for node, children in below.items():
        if children:
            assert set(parents[node]) == {section for child in children for section in parents[child]}


@given(corpus=corpora())
def test_a_pooled_vector_is_the_mean_of_the_units_of_length_one(corpus: pl.DataFrame) -> None:
    units = cut("sentence", corpus)
    vectors = letters(units["text"].to_list())
    groups = [units["unit_id"].to_list()[start : start + 3] for start in range(0, units.height, 3)]
    means = pooled(vectors, units["unit_id"].to_list(), groups)
    for row, start in enumerate(range(0, units.height, 3)):
        expected = vectors[start : start + 3].sum(axis=0)
        assert np.allclose(means[row], expected / np.linalg.norm(expected), atol=1e-6)


@given(corpus=corpora())
def test_propositions_keep_their_subsection_and_section(corpus: pl.DataFrame) -> None:
    subsections = cut("subsection", corpus)
    propositions = cut("proposition", corpus)
    spans = dict(subsections.select("unit_id", "spans").iter_rows())
    sources = [unit_id.rpartition("/P")[0] for unit_id in propositions["unit_id"]]
    assert list(dict.fromkeys(sources)) == subsections["unit_id"].to_list()
    for unit_id, source, found in zip(propositions["unit_id"], sources, propositions["spans"].to_list(), strict=True):
        assert found == spans[source], unit_id
    for one, other in pairwise(propositions["unit_id"]):
        number = int(other.rpartition("/P")[2])
        assert number == 1 or one == f"{other.rpartition('/P')[0]}/P{number - 1}"


def test_a_strategy_registers_once() -> None:
    with pytest.raises(ValueError, match="registered already"):
        STRATEGIES.register(replace(STRATEGIES["flat"], version="2"))


def one_law(texts: list[str]) -> tuple[pl.DataFrame, pl.DataFrame]:
    """A law of one-sentence sections under one heading, and its units."""
    from lawrag_assets.chunking.tables import UNITS_SCHEMA
    from lawrag_assets.laws.tables import SECTIONS_SCHEMA

    sections = [
        {
            "section_id": f"aa/§{number}",
            "slug": "aa",
            "law": "AA",
            "build": "2025-01-01",
            "position": number,
            "citation": f"§ {number} AA",
            "heading": "",
            "status": "in_force",
            "hierarchy": [{"label": "Teil 1", "title": None}],
            "text": text,
            "subsections": [
                {"citation": f"§ {number} AA", "status": "in_force", "text": text, "start": 0, "end": len(text), "sentences": []}
            ],
        }
        for number, text in enumerate(texts)
    ]
    units = [
        {
            "unit_id": section["section_id"],
            "base_unit": "section",
            "parents": [section["section_id"]],
            "spans": [{"section_id": section["section_id"], "start": 0, "end": len(str(section["text"]))}],
            **{name: section[name] for name in ("slug", "build", "citation", "text", "position")},
        }
        for section in sections
    ]
    return pl.DataFrame(sections, schema=SECTIONS_SCHEMA), pl.DataFrame(units, schema=UNITS_SCHEMA)
