"""Which texts are nearly the same."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lawrag_assets.evaluation import near_duplicates
from lawrag_assets.evaluation.near_duplicates import THRESHOLD, similar_pairs, vectors

STEMS = ["miet", "kauf", "werk", "dienst", "leih", "bau", "erb", "vereins", "arbeits", "reise", "darlehens", "schenkungs"]
ENDS = [
    "vertrag",
    "recht",
    "kosten",
    "mangel",
    "frist",
    "kündigung",
    "sache",
    "haftung",
    "anspruch",
    "partner",
    "schaden",
    "preis",
]
WORDS = [stem + end for stem in STEMS for end in ENDS]


def made_up(seed: int, words: int) -> str:
    return " ".join(random.Random(seed).choices(WORDS, k=words))


def changed(text: str, one_in: int) -> str:
    words = text.split()
    words[::one_in] = ["anders"] * len(words[::one_in])
    return " ".join(words)


TEXTS = [made_up(seed, 40) for seed in range(30)]


def test_a_few_other_words_leave_a_near_duplicate_many_do_not() -> None:
    texts = [*TEXTS, changed(TEXTS[3], 20), changed(TEXTS[4], 3)]
    similar = similar_pairs(vectors(texts))
    assert similar.found == 1
    assert [pair[:2] for pair in similar.pairs] == [(3, 30)]
    assert THRESHOLD <= similar.pairs[0][2] < 1


def test_between_two_sets_the_same_text_has_a_cosine_of_one() -> None:
    together = vectors([*TEXTS, "etwas ganz anderes", TEXTS[7]])
    similar = similar_pairs(together[:30], together[30:])
    assert similar.found == 1
    assert similar.pairs[0] == (7, 1, pytest.approx(1, abs=1e-5))


@given(st.lists(st.text(st.sampled_from("abc "), min_size=1, max_size=30).filter(str.strip), min_size=2, max_size=40))
def test_no_pair_is_missed_that_the_plain_product_finds(texts: list[str]) -> None:
    matrix = vectors(texts)
    plain = (matrix @ matrix.T).toarray()
    expected = {(i, j) for i, j in zip(*np.nonzero(np.triu(plain, 1) >= THRESHOLD + 1e-3), strict=True)}
    allowed = {(i, j) for i, j in zip(*np.nonzero(np.triu(plain, 1) >= THRESHOLD - 1e-3), strict=True)}
    similar = similar_pairs(matrix)
    found = {pair[:2] for pair in similar.pairs}
    assert expected <= found <= allowed
    assert similar.found == len(found)


def test_of_very_many_pairs_the_most_similar_are_kept_and_all_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(near_duplicates, "MOST_PAIRS", 3)
    monkeypatch.setattr(near_duplicates, "_BLOCK", 2)
    texts = [changed(TEXTS[0], one_in) for one_in in (15, 20, 25, 30, 35)] + [TEXTS[0], TEXTS[0]]
    similar = similar_pairs(vectors([*texts, *TEXTS[1:]]))
    assert similar.found > 6
    assert len(similar.pairs) == 3
    assert similar.pairs[0] == (5, 6, pytest.approx(1, abs=1e-5))
