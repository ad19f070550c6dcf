"""The retrievers of a cell: what each finds, and that one question is answered as many are."""

import threading
from collections.abc import Sequence

import numpy as np
import polars as pl
import pytest
from small_indexes import directions

from lawrag_assets.errors import InputError
from lawrag_assets.retrieval.asked import Asked
from lawrag_assets.retrieval.calibration import QuestionMeans
from lawrag_assets.retrieval.dense import DenseCentred
from lawrag_assets.retrieval.hits import Floats, Parents
from lawrag_assets.retrieval.index import Index, IndexReplacedError
from lawrag_assets.retrieval.lexical import LEXICAL_SCHEMA, Lexical, lexical_index
from lawrag_assets.retrieval.linked import SHARE
from lawrag_assets.retrieval.names import RETRIEVERS
from lawrag_assets.retrieval.retriever import Scorer
from lawrag_assets.retrieval.retrievers import Retrievers, Sources
from lawrag_assets.retrieval.run import RUN_SCHEMA, retrieve, search_once

TEXTS = [
    "Der Mieter hat die Miete zu Beginn des Monats zu entrichten.",
    "Der Arbeitgeber hat die Arbeitszeit aufzuzeichnen.",
    "Kinder dürfen nicht beschäftigt werden.",
    "Die Kündigung bedarf der Schriftform.",
]
HEADINGS = ["Fälligkeit", "Arbeitszeitnachweis", "Kinderarbeit", "Form"]
SECTIONS = ["a/§1", "a/§2", "b/§1", "b/§2"]
REFERENCES = pl.DataFrame({"source": ["a/§2", "a/§2", "a/§1", "b/§9"], "target": ["b/§2", "b/§2", None, "a/§1"]})
"""Only § 2 of the first law leads to another section of the index."""


class LongestText:
    """Takes the longer text for the better answer."""

    def scores(self, pairs: Sequence[tuple[str, str]]) -> Floats:
        return np.array([len(text) for _, text in pairs], dtype=np.float32)


def cell(reranker: LongestText | None = None) -> Retrievers:
    index = Index(tuple(f"c{n}" for n in range(4)), directions(4, 8), Parents.from_lists([[section] for section in SECTIONS]))
    means = {"de": directions(1, 8, 7)[0] * 0.5, "en": directions(1, 8, 8)[0] * 0.5}
    lexical = lexical_index(index.chunk_ids, TEXTS, HEADINGS)
    return Retrievers(Sources(index, lambda: QuestionMeans(means), lambda: lexical, lambda: TEXTS, lambda: REFERENCES, reranker))


def questions(count: int = 300) -> Asked:
    texts = ["Wie wird die Zeit der Arbeit aufgezeichnet?", "Muss die Kündigung schriftlich sein?", "May children work?"]
    return Asked(
        [f"q{n}" for n in range(count)],
        [texts[n % 3] for n in range(count)],
        [("de", "de", "en")[n % 3] for n in range(count)],
        directions(count, 8, 3),
    )


def found(retrievers: Retrievers, name: str, text: str, language: str | None = "de") -> list[str]:
    return search_once(retrievers[name], Asked.one(text, language, directions(1, 8, 5)[0]))["section"].to_list()


@pytest.mark.parametrize("name", [name for name in RETRIEVERS if name != "dense_collapsed"])
def test_one_question_is_answered_as_many_are(name: str) -> None:
    retriever = cell(LongestText())[name]
    asked = questions()
    run = retrieve(retriever, asked, question_set="set")
    assert run.schema == RUN_SCHEMA
    for place in (0, 1, 2, 255, 256, 299):
        alone = search_once(retriever, asked.at(place))
        of_many = run.filter(pl.col("query") == f"q{place}")
        assert of_many["section"].to_list() == alone["section"].to_list()
        assert of_many["score"].to_list() == pytest.approx(alone["score"].to_list(), abs=1e-4)
    within = run.group_by("query").agg((pl.col("score").diff().drop_nulls() < 0).all(), pl.col("rank").first())
    assert within["score"].all()
    assert (within["rank"] == 1).all()


def test_lexical_finds_by_stems_by_parts_of_compounds_and_by_headings() -> None:
    retrievers = cell()
    assert found(retrievers, "lexical", "Zeit")[0] == "a/§2"
    assert found(retrievers, "lexical", "mieten")[0] == "a/§1"
    assert found(retrievers, "lexical", "fällig")[0] == "a/§1"
    assert found(retrievers, "lexical", "Kündigungen")[0] == "b/§2"
    assert found(retrievers, "lexical", "Quantenphysik") == []


def test_a_heading_weighs_more_than_the_text() -> None:
    index = Index(("c0", "c1"), directions(2, 8), Parents.from_lists([["x"], ["y"]]))
    table = lexical_index(["c0", "c1"], ["Pacht Kauf Tausch", "Leihe Kauf Tausch"], ["Leihe", "Pacht"])
    assert search_once(Lexical(table, index), Asked.one("Pacht", "de", directions(1, 8)[0]))["section"].to_list() == ["y", "x"]


def test_nothing_to_index_makes_an_empty_lexical_index() -> None:
    assert lexical_index([], [], []).schema == LEXICAL_SCHEMA
    index = Index(("c0",), directions(1, 8), Parents.from_lists([["x"]]))
    lexical = Lexical(lexical_index(["c0"], ["und nicht"], [""]), index)
    assert search_once(lexical, Asked.one("und nicht", "de", directions(1, 8)[0])).is_empty()


def test_a_lexical_index_of_other_chunks_is_refused() -> None:
    index = Index(("c0",), directions(1, 8), Parents.from_lists([["x"]]))
    with pytest.raises(IndexReplacedError, match="other chunks"):
        Lexical(lexical_index(["c1"], ["Pacht"], [""]), index)


def test_centring_takes_what_all_have_in_common_from_passages_and_questions() -> None:
    """A common direction hides which passage fits; without it the passage's own direction decides."""
    own = np.eye(4, dtype=np.float32)[:, [0, 1, 2, 3]] * 0.1
    passages = own + np.array([[0, 0, 0, 0], [0, 0, 0, 1], [0, 0, 0, 0], [0, 0, 0, 0]], dtype=np.float32) * 0
    common_passage, common_question = np.float32([3, 1, 0, 0]), np.float32([0, 3, 1, 0])
    vectors = (passages + common_passage).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    question = own[2] + common_question
    question = (question / np.linalg.norm(question)).astype(np.float32)
    index = Index(("c0", "c1", "c2", "c3"), vectors, Parents.from_lists([["s0"], ["s1"], ["s2"], ["s3"]]))
    mean = (common_question / np.linalg.norm(own[2] + common_question)).astype(np.float32)
    centred = DenseCentred(index, QuestionMeans({"de": mean}))
    assert search_once(centred, Asked.one("", "de", question))["section"][0] == "s2"
    assert index.search(question[None, :]).chunks[0, 0] != 2


def test_words_of_another_language_than_the_laws_are_not_heard_in_fusion() -> None:
    retrievers = cell()
    asked = "Arbeitszeit aufzeichnen"
    assert found(retrievers, "fused", asked, "en") == found(retrievers, "dense_centred", asked, "en")
    assert found(retrievers, "fused", asked, "de")[0] == "a/§2"


def test_what_the_best_sections_refer_to_is_let_in() -> None:
    asked = Asked.one("Arbeitszeit aufzeichnen", "de", directions(1, 8, 5)[0])
    retrievers = cell()
    fused, linked = retrievers["fused"], retrievers["linked"]
    assert isinstance(fused, Scorer)
    assert isinstance(linked, Scorer)
    before, after = fused.scores(asked).sections[0], linked.scores(asked).sections[0]
    raised = dict(zip(linked.section_ids, after - before, strict=True))
    best = float(before.max())
    assert linked.section_ids[int(before.argmax())] == "a/§2"
    assert raised == {"a/§1": 0, "a/§2": 0, "b/§1": 0, "b/§2": pytest.approx(SHARE * best, abs=1e-4)}
    alone = retrievers.of_laws(["b"])["linked"]  # the section that refers is of another law
    assert isinstance(alone, Scorer)
    assert alone.scores(asked).sections[0].tolist() == [-np.inf, -np.inf, *before[2:].tolist()]


@pytest.mark.parametrize("name", [name for name in RETRIEVERS if name != "dense_collapsed"])
def test_a_law_that_is_named_is_the_only_one_that_is_found(name: str) -> None:
    sections = found(cell(LongestText()).of_laws(["b"]), name, "Arbeitszeit der Kinder")
    assert set(sections) <= {"b/§1", "b/§2"}
    assert "b/§1" in sections


def test_a_reranker_sorts_what_fusion_found() -> None:
    assert found(cell(LongestText()), "reranked", "Zeit") == ["a/§1", "a/§2", "b/§1", "b/§2"]
    with pytest.raises(InputError, match="LAWRAG_RERANKER"):
        cell()["reranked"]
    assert "reranked" not in cell().names()


def test_an_unknown_retriever_is_refused_with_the_known_ones() -> None:
    with pytest.raises(InputError, match=r"unknown retriever 'bm25': one of dense, .*lexical"):
        cell()["bm25"]


def test_many_threads_may_ask_one_retriever() -> None:
    retriever, asked = cell()["fused"], questions(30)
    alone = [search_once(retriever, asked.at(place)) for place in range(30)]
    answers: list[pl.DataFrame | None] = [None] * 30

    def ask(first: int) -> None:
        for place in range(first, 30, 4):
            answers[place] = search_once(retriever, asked.at(place))

    threads = [threading.Thread(target=ask, args=(first,)) for first in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(a is not None and a.equals(b) for a, b in zip(answers, alone, strict=True))
