"""Base units and flat chunks keep their promises on any corpus."""

import polars as pl
import pytest
from chunking.corpora import corpora, tokenize
from hypothesis import given

from lawrag_assets.chunking import BASE_UNITS
from lawrag_assets.chunking.integrity import duplicate_ids
from lawrag_assets.chunking.tables import UNITS_SCHEMA


def texts_of(corpus: pl.DataFrame) -> dict[str, str]:
    return dict(corpus.select("section_id", "text").iter_rows())


FROM_THE_LAW = [name for name in BASE_UNITS if BASE_UNITS[name].source == "corpus"]


@pytest.mark.parametrize("name", FROM_THE_LAW)
@given(corpus=corpora())
def test_units_are_unique_cover_the_law_and_stand_where_they_say(name: str, corpus: pl.DataFrame) -> None:
    units = BASE_UNITS[name].cut(corpus, tokenize)
    texts = texts_of(corpus)
    assert units.schema == UNITS_SCHEMA
    assert duplicate_ids(units, "unit_id") == []
    assert units["position"].to_list() == list(range(units.height))
    for unit in units.iter_rows(named=True):
        assert unit["parents"] == list(dict.fromkeys(span["section_id"] for span in unit["spans"]))
        assert unit["text"] == " ".join(texts[span["section_id"]][span["start"] : span["end"]] for span in unit["spans"])
        assert unit["text"] == unit["text"].strip() != ""
    assert units.equals(BASE_UNITS[name].cut(corpus, tokenize))


@given(corpus=corpora())
def test_only_text_in_force_becomes_a_subsection_or_a_sentence(corpus: pl.DataFrame) -> None:
    expected = [
        (section["section_id"], subsection["text"], [sentence["text"] for sentence in subsection["sentences"]])
        for section in corpus.iter_rows(named=True)
        if section["status"] == "in_force"
        for subsection in section["subsections"]
        if subsection["status"] == "in_force"
    ]
    subsections = BASE_UNITS["subsection"].cut(corpus, tokenize)
    assert [(parents[0], text) for parents, text in subsections.select("parents", "text").iter_rows()] == [
        row[:2] for row in expected
    ]
    sentences = BASE_UNITS["sentence"].cut(corpus, tokenize)
    assert sentences["text"].to_list() == [text for row in expected for text in row[2]]


def test_ids_are_readable_and_an_absatz_counted_twice_keeps_both() -> None:
    subsection = {"status": "in_force", "text": "x.", "citation": "§ 1 AA Abs. 5", "label": "5"}
    sentence = {"number": 1, "citation": "§ 1 AA Abs. 5 Satz 1", "text": "x."}
    row = {
        "section_id": "aa/§1",
        "slug": "aa",
        "build": "2025-01-01",
        "citation": "§ 1 AA",
        "status": "in_force",
        "hierarchy": [],
        "text": "(5) x. (5) x.",
        "subsections": [
            {**subsection, "start": start, "end": start + 2, "sentences": [{**sentence, "start": start, "end": start + 2}]}
            for start in (4, 11)
        ],
    }
    corpus = pl.DataFrame([row])
    assert BASE_UNITS["subsection"].cut(corpus, tokenize)["unit_id"].to_list() == ["aa/§1/Abs5", "aa/§1/Abs5~2"]
    assert BASE_UNITS["sentence"].cut(corpus, tokenize)["unit_id"].to_list() == ["aa/§1/Abs5/S1", "aa/§1/Abs5~2/S1"]
