"""What a chunking is like in itself."""

import polars as pl
import pytest
from chunking.corpora import corpora, tokenize
from chunking.made_material import chunked, cut
from hypothesis import given

from lawrag_assets.chunking.statistics import ChunkStatistics, chunk_statistics
from lawrag_assets.chunking.tables import CHUNKS_SCHEMA


@given(corpus=corpora())
def test_structural_units_are_indexed_once_and_cut_no_sentence(corpus: pl.DataFrame) -> None:
    for base_unit in ("section", "subsection", "sentence"):
        units = cut(base_unit, corpus)
        found = chunk_statistics(chunked("flat", units, corpus), units, corpus, tokenize)
        assert (found.twice, found.inside_sentence) == (0, 0)
        assert found.chunks == units.height
        assert found.parents_mean == (1 if units.height else 0)


@given(corpus=corpora())
def test_windows_repeat_what_they_share_and_pooled_chunks_what_their_units_do(corpus: pl.DataFrame) -> None:
    units = cut("window_16_4", corpus)
    flat = chunk_statistics(chunked("flat", units, corpus), units, corpus, tokenize)
    pooled = chunk_statistics(chunked("semantic_cluster", units, corpus), units, corpus, tokenize)
    assert 0 <= flat.twice < 0.5
    assert pooled.chunks <= flat.chunks
    if units.height == units["parents"].explode().n_unique():  # no section is longer than a window
        assert flat.inside_sentence == 0


def test_a_long_section_in_windows() -> None:
    text = "a" * 200 + "."
    sentence = {"number": 1, "citation": "§ 1 AA Satz 1", "text": text, "start": 0, "end": 201}
    subsection = {
        "label": None,
        "citation": "§ 1 AA",
        "status": "in_force",
        "text": text,
        "start": 0,
        "end": 201,
        "sentences": [sentence],
    }
    row = {
        "section_id": "aa/§1", "slug": "aa", "build": "2025-01-01", "citation": "§ 1 AA", "heading": "", "status": "in_force",
        "hierarchy": [], "text": text, "subsections": [subsection],
    }  # fmt: skip
    corpus = pl.DataFrame([row])
    units = cut("window_16_4", corpus)  # 67 tokens of three characters: windows from 0, 12, 24, 36, 48
    found = chunk_statistics(chunked("flat", units, corpus), units, corpus, tokenize)
    assert found.chunks == units.height == 6
    assert found.inside_sentence == 1
    assert found.tokens_median == 16
    indexed = units["text"].str.len_chars().sum()
    assert found.twice == pytest.approx(1 - 201 / indexed)


def test_no_chunks_have_no_figures() -> None:
    empty = CHUNKS_SCHEMA.to_frame()
    assert chunk_statistics(empty, empty, empty, tokenize) == ChunkStatistics(0, 0, 0, 0, 0, 0)
