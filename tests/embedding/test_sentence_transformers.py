"""Any sentence-transformers model: the vectors that its own `encode` gives, whatever the batch."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lawrag_assets.embedding.device import Compute
from lawrag_assets.embedding.factory import open_embedder
from lawrag_assets.embedding.protocol import Embedder, TokenEmbedder
from lawrag_assets.embedding.sentence_transformers_backend import SentenceTransformersEmbedder, batches_by_length
from lawrag_assets.errors import InputError

TEXTS = [
    "der käufer zahlt",
    "die sache",
    "",
    "wenn der verkäufer nicht zahlt so ist der vertrag nicht " * 2,
    "unbekanntes",
    "die sache",
]
some_texts = st.lists(
    st.lists(st.sampled_from(["der", "die", "käufer", "sache", "wenn", "zahlt", "xyz"]), max_size=28).map(" ".join),
    min_size=1,
    max_size=6,
)


def _open(folder: Path, device: str = "cpu:float32") -> Embedder:
    return open_embedder(str(folder), models_dir=Path("unused"), device=device)


@pytest.fixture(scope="session")
def tiny(tiny_model: Callable[..., Path]) -> Embedder:
    """A small mean-pooling model without prompts."""
    return _open(tiny_model("plain"))


def _encode(folder: Path, prompt: str) -> Any:
    from sentence_transformers import SentenceTransformer

    model = SentenceTransformer(str(folder), device="cpu", local_files_only=True)
    return model.encode(TEXTS, prompt=prompt, normalize_embeddings=True, show_progress_bar=False)


@pytest.mark.parametrize(
    ("model", "query", "passage"),
    [
        ({"prompts": {"query": "wenn: ", "document": "die "}}, "wenn: ", "die "),
        ({"pooling": "cls", "prompts": {"query": "wenn ", "passage": "der die "}}, "wenn ", "der die "),
        ({"prompts": {"query": "wenn so "}, "include_prompt": False}, "wenn so ", ""),
        ({"pooling": "max"}, "", ""),
    ],
    ids=["document prompt", "cls, passage prompt", "prompt not pooled", "no prompts"],
)
def test_vectors_are_those_of_encode(tiny_model: Callable[..., Path], model: dict[str, Any], query: str, passage: str) -> None:
    folder = tiny_model("model", **model)
    embedder = _open(folder)
    np.testing.assert_allclose(embedder.embed(TEXTS, "query").vectors, _encode(folder, query), atol=1e-5)
    np.testing.assert_allclose(embedder.embed(TEXTS, "passage").vectors, _encode(folder, passage), atol=1e-5)


def test_a_static_model_is_one_too(tmp_path: Path) -> None:
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import StaticEmbedding
    from tokenizers import Tokenizer, models, pre_tokenizers

    tokenizer: Any = Tokenizer(models.WordLevel({"[UNK]": 0, "der": 1, "die": 2, "käufer": 3, "sache": 4}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.Whitespace()
    weights = np.random.default_rng(5).normal(size=(5, 6)).astype(np.float32)
    folder = tmp_path / "static"
    SentenceTransformer(modules=[StaticEmbedding(tokenizer, weights)], device="cpu").save(str(folder), create_model_card=False)
    texts = ["der käufer", "die sache die", "anderes"]
    embedded = _open(folder).embed(texts, "query")
    expected = np.stack([weights[[1, 3]].mean(axis=0), weights[[2, 4, 2]].mean(axis=0), weights[0]])
    np.testing.assert_allclose(embedded.vectors, expected / np.linalg.norm(expected, axis=1, keepdims=True), atol=1e-6)
    assert (embedded.token_counts.tolist(), embedded.truncated) == ([2, 3, 1], 0)


def test_the_e5_family_gets_its_prompts_where_it_carries_none(tiny_model: Callable[..., Path]) -> None:
    bare, named = tiny_model("tiny"), tiny_model("multilingual-e5-tiny")
    for kind in ("query", "passage"):
        prompted = [f"{kind}: {text}" for text in TEXTS]
        np.testing.assert_allclose(_open(named).embed(TEXTS, kind).vectors, _open(bare).embed(prompted, kind).vectors, atol=1e-6)
    assert not np.allclose(_open(named).embed(TEXTS, "query").vectors, _open(named).embed(TEXTS, "passage").vectors, atol=1e-2)


@settings(max_examples=8)
@given(some_texts)
def test_a_vector_does_not_depend_on_the_other_texts(tiny: Embedder, texts: list[str]) -> None:
    together = tiny.embed(texts, "passage")
    alone = np.concatenate([tiny.embed([text], "passage").vectors for text in texts])
    np.testing.assert_allclose(together.vectors, alone, atol=1e-5)
    np.testing.assert_allclose(np.linalg.norm(together.vectors, axis=1), 1, atol=1e-5)


def test_no_texts_give_no_vectors(tiny: Embedder) -> None:
    embedded = tiny.embed([], "query")
    assert embedded.vectors.shape == (0, tiny.dimension) == (0, 16)
    assert (embedded.tokens, embedded.truncated) == (0, 0)


def test_tokens_and_cut_texts_are_counted(tiny: Embedder) -> None:
    embedded = tiny.embed(["der " * 30, "der " * 31, "der", ""], "passage")
    assert tiny.max_tokens == 32
    assert embedded.token_counts.tolist() == [32, 32, 3, 2]
    assert embedded.cut.tolist() == [False, True, False, False]
    assert (embedded.truncated, embedded.tokens) == (1, 69)


def test_bfloat16_stays_near_float32_and_hands_out_float32(tiny_model: Callable[..., Path]) -> None:
    folder = tiny_model("tiny")
    exact, rough = (_open(folder, device).embed(TEXTS, "query").vectors for device in ("cpu:float32", "cpu:bfloat16"))
    assert rough.dtype == np.float32
    assert (exact * rough).sum(axis=1).min() > 0.99
    assert not np.array_equal(exact, rough)
    np.testing.assert_allclose(np.linalg.norm(rough, axis=1), 1, atol=1e-5)


def test_loading_and_embedding_say_nothing(tiny_model: Callable[..., Path], capfd: pytest.CaptureFixture[str]) -> None:
    folder = tiny_model("quiet")
    capfd.readouterr()
    _open(folder).embed([*TEXTS, "der " * 100], "query")
    assert capfd.readouterr() == ("", "")


def test_a_folder_that_is_no_model_is_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(InputError, match=re.escape(str(tmp_path))) as caught:
        _open(tmp_path).embed(["der"], "query")
    assert "\n" not in str(caught.value)


def test_a_device_that_is_not_there_is_one_clear_line(tiny_model: Callable[..., Path]) -> None:
    import torch

    if torch.cuda.is_available():
        pytest.skip("this machine has a graphics card")
    folder = tiny_model("tiny")
    embedder = SentenceTransformersEmbedder(
        lambda: (str(folder), None), name="tiny", identity="tiny", compute=Compute("cuda", "float32")
    )
    with pytest.raises(InputError, match="cuda"):
        embedder.load()
    guessed = Compute("cuda", "float32", guessed=True)
    SentenceTransformersEmbedder(lambda: (str(folder), None), name="tiny", identity="tiny", compute=guessed).load()


@given(st.lists(st.integers(0, 600), max_size=80), st.integers(1, 3000))
def test_batches_hold_every_text_once_and_keep_within_the_budget(lengths: list[int], budget: int) -> None:
    counts = np.array(lengths, np.int64)
    batches = list(batches_by_length(counts, budget))
    assert sorted(i for batch in batches for i in batch) == list(range(len(counts)))
    for batch in batches:
        padded = len(batch) * counts[batch].max()
        assert padded <= budget or len(batch) == 1
        assert counts[batch].min() >= 0.9 * counts[batch].max() or padded <= max(budget / 4, 1) + counts[batch].max()


def test_batches_of_like_length_pad_little() -> None:
    counts = np.random.default_rng(1).lognormal(4, 0.8, 512).astype(np.int64) + 3
    batches = list(batches_by_length(counts, 2048))
    assert sum(len(b) * counts[b].max() for b in batches) < 1.08 * counts.sum()


def test_token_vectors_pool_to_the_texts_vector_and_know_their_characters(tiny_model: Callable[..., Path]) -> None:
    text = "der Käufer zahlt die Sache nicht"
    embedder = open_embedder(str(tiny_model("e5-tokens")), models_dir=Path("unused"), device="cpu:float32")
    assert isinstance(embedder, TokenEmbedder)
    short, long = embedder.embed_tokens([text, text * 12], "passage")
    assert [text[start:end] for start, end in short.spans] == ["der", "Käufer", "zahlt", "die", "Sache", "nicht"]
    assert np.allclose(np.linalg.norm(short.vectors, axis=1), 1, atol=1e-5)
    assert np.allclose(short.pooled, embedder.embed([text], "passage").vectors[0], atol=1e-5)
    assert len(long.vectors) < embedder.max_tokens
