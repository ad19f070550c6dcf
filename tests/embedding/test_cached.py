"""The embedder with a memory: the same vectors as without it, and no text embedded twice."""

import string
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lawrag_assets.cache import ContentCache
from lawrag_assets.embedding import cached
from lawrag_assets.embedding.cached import CachedEmbedder
from lawrag_assets.embedding.protocol import Embedded, EmbeddingError, Kind
from lawrag_assets.errors import InputError


class Counter:
    """A model whose vector of a text is its bytes' sums: real enough to be compared, and it notes what it was asked."""

    name = "counter"
    dimension = 8
    max_tokens = 10

    def __init__(self, identity: str = "counter-1", fails_after: int = 10**9) -> None:
        self.identity = identity
        self.fails_after = fails_after
        self.seen: list[tuple[Kind, str]] = []
        self.loads = 0

    def load(self) -> None:
        self.loads += 1

    def embed(self, texts: Sequence[str], kind: Kind) -> Embedded:
        if len(self.seen) + len(texts) > self.fails_after:
            raise EmbeddingError("the service is down")
        self.seen += [(kind, text) for text in texts]
        vectors = np.ones((len(texts), self.dimension), np.float32)
        for row, text in zip(vectors, texts, strict=True):
            np.add.at(row, np.frombuffer((kind + text).encode("utf-8", "surrogatepass"), np.uint8) % self.dimension, 1)
        lengths = np.array([len(text) for text in texts], np.int32)
        normalised = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        return Embedded(normalised, np.minimum(lengths, self.max_tokens).astype(np.int32), lengths > self.max_tokens)


@given(st.lists(st.tuples(st.sampled_from(["query", "passage"]), st.lists(st.text(max_size=12), max_size=8)), max_size=5))
def test_any_order_of_asking_gives_the_models_vectors(
    tmp_path_factory: pytest.TempPathFactory, asks: list[tuple[Kind, list[str]]]
) -> None:
    model = Counter()
    embedder = CachedEmbedder(model, tmp_path_factory.mktemp("cache"))
    for kind, texts in asks:
        before = len(model.seen)
        result = embedder.embed(texts, kind)
        expected = Counter().embed(texts, kind)
        np.testing.assert_array_equal(result.vectors, expected.vectors)
        assert result.asked == len(texts)
        assert result.embedded == len(model.seen) - before
        distinct = Counter().embed(sorted(set(texts)), kind)
        assert (result.tokens, result.truncated) == (distinct.tokens, distinct.truncated)
    assert len(model.seen) == len(set(model.seen)), "no text is embedded twice as the same kind"


def test_a_second_run_embeds_nothing_loads_nothing_and_tells_the_same_cost(tmp_path: Path) -> None:
    texts = ["a", "bb", "a", "a text longer than the limit"]
    cold = CachedEmbedder(Counter(), tmp_path).embed(texts, "passage")
    model = Counter()
    warm = CachedEmbedder(model, tmp_path).embed(texts, "passage")
    assert (model.seen, model.loads) == ([], 0)
    assert (cold.embedded, warm.embedded) == (3, 0)
    assert (cold.truncated, warm.truncated) == (1, 1)
    assert warm.cold_seconds == cold.cold_seconds > 0
    np.testing.assert_array_equal(warm.vectors, cold.vectors)


def test_another_kind_or_identity_has_its_own_vectors(tmp_path: Path) -> None:
    CachedEmbedder(Counter("m-1"), tmp_path).embed(["a"], "query")
    assert CachedEmbedder(Counter("m-1"), tmp_path).embed(["a"], "passage").embedded == 1
    assert CachedEmbedder(Counter("m-2"), tmp_path).embed(["a"], "query").embedded == 1


def test_what_was_embedded_before_a_failure_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cached, "CHARACTERS_PER_COMMIT", 4)
    texts = list(string.ascii_lowercase[:20])
    with pytest.raises(EmbeddingError):
        CachedEmbedder(Counter(fails_after=10), tmp_path).embed(texts, "query")
    assert CachedEmbedder(Counter(), tmp_path).embed(texts, "query").embedded == 12


def test_progress_runs_from_what_was_there_to_the_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cached, "CHARACTERS_PER_COMMIT", 3)
    embedder = CachedEmbedder(Counter(), tmp_path)
    embedder.embed(["1", "2"], "query")
    told: list[tuple[int, int]] = []
    embedder.embed([str(i) for i in range(10)], "query", lambda done, total: told.append((done, total)))
    embedder.embed(["1", "2", "1"], "query", lambda done, total: told.append((done, total)))
    assert told == [(5, 10), (8, 10), (10, 10), (2, 2)]


def test_a_text_longer_than_a_part_is_a_part_of_its_own() -> None:
    assert list(cached.parts_by_size([b"a", b"b", b"c", b"d"], [1, 9, 2, 2], 4)) == [[b"a"], [b"b"], [b"c", b"d"]]
    assert list(cached.parts_by_size([], [], 4)) == []


def test_no_texts_give_no_vectors(tmp_path: Path) -> None:
    result = CachedEmbedder(Counter(), tmp_path).embed([], "query")
    assert result.vectors.shape == (0, 8)
    assert (result.asked, result.embedded, result.tokens, result.cold_seconds) == (0, 0, 0, 0.0)


def test_a_cache_with_other_bytes_in_it_is_named(tmp_path: Path) -> None:
    embedder = CachedEmbedder(Counter(), tmp_path)
    embedder.embed(["a", "b"], "query")
    store = ContentCache(next(tmp_path.rglob("*.sqlite")))
    store.put_many({cached.content_key("query", "c"): b"short"})
    with pytest.raises(InputError, match="delete it to start anew"):
        embedder.embed(["a", "c"], "query")


@pytest.mark.slow
def test_sixty_five_thousand_known_texts_come_back_in_seconds(tmp_path: Path) -> None:
    class Wide(Counter):
        dimension = 384

        def embed(self, texts: Sequence[str], kind: Kind) -> Embedded:
            vectors = np.full((len(texts), 384), 384**-0.5, np.float32)
            return Embedded(vectors, np.full(len(texts), 60, np.int32), np.zeros(len(texts), np.bool_))

    texts = [f"Unit number {i} " * 8 for i in range(65_000)]
    embedder = CachedEmbedder(Wide(), tmp_path)
    embedder.embed(texts, "passage")
    started = time.process_time()
    result = embedder.embed(texts, "passage")
    assert (result.embedded, result.vectors.shape) == (0, (65_000, 384))
    assert time.process_time() - started < 5
