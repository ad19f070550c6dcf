"""Late chunking: a part of a text is the mean of its tokens, read within the whole text, however long that is."""

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lawrag_assets.embedding.cached import CachedEmbedder
from lawrag_assets.embedding.factory import open_embedder
from lawrag_assets.embedding.late import Part, read_whole, token_embedder
from lawrag_assets.embedding.protocol import Embedder, Kind, TokenEmbedder, TokenVectors
from lawrag_assets.errors import InputError

SENTENCES = "der Käufer zahlt die Sache nicht", "wenn der Vertrag so ist", "die Sache zahlt der Verkäufer"


class Reader:
    """Reads so many words at a time; a word's vector says which word it is and how many stand before and after it in the window."""

    def __init__(self, words: int) -> None:
        self.words = words

    def embed_tokens(self, texts: Sequence[str], kind: Kind) -> list[TokenVectors]:
        return [self._read(text) for text in texts]

    def _read(self, text: str) -> TokenVectors:
        spans, at = [], 0
        for word in text.split()[: self.words]:
            at = text.index(word, at)
            spans.append((at, at + len(word)))
            at += len(word)
        vectors = np.array([[hash(text[a:b]) % 97, row, len(spans) - 1 - row] for row, (a, b) in enumerate(spans)], np.float32)
        return TokenVectors(
            vectors.reshape(-1, 3),
            np.array(spans, np.int32).reshape(-1, 2),
            np.ones(3, np.float32),
            np.ones(len(spans), np.float32),
        )


@given(words=st.lists(st.text("abcäß", min_size=1, max_size=5), max_size=60), at_once=st.integers(1, 20))
def test_a_text_of_any_length_is_read_once_in_order(words: list[str], at_once: int) -> None:
    text = " ".join(words)
    read = read_whole(Reader(at_once), text)
    assert [text[start:end] for start, end in read.spans] == words
    assert read.vectors[:, 0].tolist() == [hash(word) % 97 for word in words]
    assert len(read.lengths) == len(words)


def test_what_the_model_has_no_token_for_ends_the_reading() -> None:
    class Deaf(Reader):
        def _read(self, text: str) -> TokenVectors:
            return super()._read(text.replace("#", " "))

    assert [start for start, _ in read_whole(Deaf(3), "eins zwei drei ###").spans] == [0, 5, 10]
    assert len(read_whole(Deaf(3), "###").spans) == 0


def test_of_two_windows_the_one_counts_that_has_more_text_around_a_token() -> None:
    read = read_whole(Reader(16), " ".join(["wort"] * 40))
    before, after = read.vectors[:, 1], read.vectors[:, 2]
    assert before[14:].min() >= 2  # none but the first window's own stand at a window's beginning
    assert after[:-16].min() >= 2


@pytest.fixture(scope="module")
def tiny(tiny_model: Callable[..., Path]) -> Embedder:
    return open_embedder(str(tiny_model("late")), models_dir=Path("unused"), device="cpu:float32")


def test_a_parts_vector_is_the_mean_of_its_tokens_in_context(tiny: Embedder, tmp_path: Path) -> None:
    text = ". ".join(SENTENCES[:2])
    begin = len(SENTENCES[0]) + 2
    parts = [[Part(text, 0, begin - 2)], [Part(text, begin, len(text))], [Part(text, 0, len(text))]]
    found = CachedEmbedder(tiny, tmp_path).embed_parts(parts)
    assert isinstance(tiny, TokenEmbedder)
    (tokens,) = tiny.embed_tokens([text], "passage")
    own = tokens.vectors * tokens.lengths[:, None]
    expected = [own[:6].sum(axis=0), own[7:].sum(axis=0), own.sum(axis=0)]
    assert np.allclose(found.vectors, [row / np.linalg.norm(row) for row in expected], atol=1e-5)
    alone = tiny.embed([SENTENCES[1]], "passage").vectors[0]
    assert found.vectors[1] @ alone < 0.999  # the sentence before it is felt


def test_a_unit_of_several_parts_is_the_mean_of_all_their_tokens(tiny: Embedder, tmp_path: Path) -> None:
    one, other = Part(SENTENCES[0], 0, 10), Part(SENTENCES[1], 5, len(SENTENCES[1]))
    embedder = CachedEmbedder(tiny, tmp_path)
    apart = embedder.embed_parts([[one], [other]])
    both = embedder.embed_parts([[one, other], [other, one], [one]])
    assert both.embedded == 0
    assert np.allclose(both.vectors[0], both.vectors[1], atol=1e-6)
    assert np.allclose(both.vectors[2], apart.vectors[0], atol=1e-6)
    assert apart.vectors[0] @ both.vectors[0] < 0.9999
    assert np.allclose(np.linalg.norm(both.vectors, axis=1), 1, atol=1e-6)


def test_parts_are_embedded_once_and_a_change_elsewhere_in_the_text_counts(tiny: Embedder, tmp_path: Path) -> None:
    text = ". ".join(SENTENCES)
    parts = [[Part(text, 0, 8)], [Part(text, 4, 10)], [Part(text, 0, 8)]]
    told: list[tuple[int, int]] = []
    first = CachedEmbedder(tiny, tmp_path).embed_parts(parts, lambda done, total: told.append((done, total)))
    again = CachedEmbedder(tiny, tmp_path).embed_parts(parts)
    assert (first.asked, first.embedded, again.embedded) == (3, 2, 0)
    assert told[-1] == (2, 2)
    assert np.array_equal(first.vectors, again.vectors)
    changed = text.replace("nicht", "so")
    later = CachedEmbedder(tiny, tmp_path).embed_parts([[Part(changed, 0, 8)]])
    assert later.embedded == 1
    assert not np.allclose(later.vectors[0], first.vectors[0], atol=1e-3)


def test_longer_than_the_model_reads_is_no_special_case(tiny: Embedder, tmp_path: Path) -> None:
    text = " ".join(SENTENCES * 8)
    last = text.rindex("Verkäufer")
    found = CachedEmbedder(tiny, tmp_path).embed_parts([[Part(text, last, len(text))], [Part(text, 0, len(text))]])
    assert found.truncated == 0
    assert np.allclose(np.linalg.norm(found.vectors, axis=1), 1, atol=1e-6)
    assert found.tokens == 1 + len(text.split())


def test_a_model_without_token_vectors_is_refused_with_the_way_out() -> None:
    model = open_embedder("litellm/openai/some-model", models_dir=Path("unused"), device="cpu")
    with pytest.raises(InputError, match=r"some-model gives none: leave the cells \*/late out, or take bundled-e5-small"):
        token_embedder(model)
