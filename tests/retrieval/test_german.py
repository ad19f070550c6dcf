"""What German words become before they are looked up."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lawrag_assets.retrieval.german import GermanAnalysis, words_of

LAW = words_of("Die Arbeitszeit der Kinder. Das Kindergeld, die Miete, der Vertrag und ein Mietvertrag; Zeit, Arbeit, Geld, Kind")


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("arbeitszeit", ["arbeit", "zeit"]),
        ("kindergeld", ["kind", "geld"]),
        ("arbeitszeitvertrag", ["arbeit", "zeit", "vertrag"]),
        ("vertrag", []),
        ("gericht", []),
    ],
)
def test_a_compound_is_split_into_words_of_the_law(word: str, parts: list[str]) -> None:
    assert GermanAnalysis.of_words(LAW).stems(word)[1:] == parts


def test_inflected_words_share_a_stem_and_small_words_have_none() -> None:
    analysis = GermanAnalysis.of_words(LAW)
    assert analysis.stems("verträge") == analysis.stems("vertrag")
    assert analysis.stems("nicht") == analysis.grams("nicht") == []


def test_runs_of_letters_mark_the_ends_of_a_word() -> None:
    assert GermanAnalysis(()).grams("pacht") == [" pach", "pacht", "acht "]
    assert GermanAnalysis(()).grams("ob2") == [" ob2 "]


@given(st.text(max_size=40))
def test_any_text_becomes_terms(text: str) -> None:
    analysis = GermanAnalysis.of_words(LAW)
    for word in words_of(text):
        assert all(len(gram) <= 5 for gram in analysis.grams(word))
        assert all(analysis.stems(word))
