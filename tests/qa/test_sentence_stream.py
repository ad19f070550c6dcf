"""Answers reach the reader sentence by sentence, each as soon as it is whole."""

from hypothesis import given
from hypothesis import strategies as st

from lawrag_assets.qa.writing import sentences_as_they_come

TEXT = "Die Pause dauert 30 Minuten (§ 4 Satz 1 ArbZG). Sie kann nach § 4 Abs. 2 geteilt werden.\n\nSonst nicht. Ende"


def test_a_sentence_comes_when_the_next_has_begun() -> None:
    taken: list[str] = []

    def pieces():  # type: ignore[no-untyped-def]
        for piece in ["Die Pause dauert ", "30 Minuten (§ 4 ", "ArbZG). Sie", " darf geteilt werden."]:
            taken.append(piece)
            yield piece

    stream = sentences_as_they_come(pieces())
    assert next(stream) == "Die Pause dauert 30 Minuten (§ 4 ArbZG). "
    assert len(taken) == 3
    assert list(stream) == ["Sie darf geteilt werden."]


@given(st.lists(st.integers(1, 12), min_size=1, max_size=60))
def test_nothing_is_lost_however_the_text_is_cut(lengths: list[int]) -> None:
    pieces, at = [], 0
    for length in lengths:
        pieces.append(TEXT[at : at + length])
        at += length
    pieces.append(TEXT[at:])
    assert "".join(sentences_as_they_come(iter(pieces))) == TEXT


@given(st.text(max_size=200), st.integers(1, 7))
def test_any_text_comes_whole(text: str, step: int) -> None:
    assert "".join(sentences_as_they_come(text[i : i + step] for i in range(0, len(text), step))) == text
