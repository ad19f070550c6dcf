"""Any sentence-transformers model, from a folder or from the hub, by its own prompts, pooling and normalisation.

The model's modules are called directly, on batches of texts of like length; what `SentenceTransformer.encode` does beyond that
is not needed here. torch and its companions are imported when the weights are loaded, not before.
"""

import contextlib
import os
import re
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from lawrag_assets.embedding.device import Compute, DeviceName
from lawrag_assets.embedding.protocol import Embedded, EmbeddingError, Kind, TokenVectors
from lawrag_assets.errors import InputError

TOKENS_PER_BATCH: dict[DeviceName, int] = {"cpu": 1024, "cuda": 32768, "mps": 8192}
"""On a processor small batches stay in its caches (512 to 2048 tokens measured alike, 4096 slower); for the others a safe guess."""
NO_LIMIT = 1_000_000
_PROMPT_NAMES: dict[Kind, tuple[str, ...]] = {"query": ("query",), "passage": ("passage", "document", "corpus")}


class SentenceTransformersEmbedder:
    """An embedder over a sentence-transformers model."""

    def __init__(self, locate: Callable[[], tuple[str, str | None]], *, name: str, identity: str, compute: Compute) -> None:
        """Take `name` and `identity` as the protocol has them.

        `locate` gives a folder, or a hub name and its commit; it is called when the weights are loaded.
        """
        self.name = name
        self.identity = identity
        self._locate = locate
        self._compute = compute
        self._loaded: Any = None
        self._lock = threading.Lock()

    @property
    def dimension(self) -> int:
        """The length of a vector. Loads the model."""
        return int(self._model().get_embedding_dimension())

    @property
    def max_tokens(self) -> int:
        """The model's limit in tokens; a model without one has a very high one. Loads the model."""
        return int(min(self._model().max_seq_length or NO_LIMIT, NO_LIMIT))

    def load(self) -> None:
        """Load the weights now, so that a timing of `embed` leaves it out."""
        self._model()

    def embed(self, texts: Sequence[str], kind: Kind) -> Embedded:
        """See `Embedder.embed`."""
        model = self._model()
        import torch

        prompt = self.prompt(kind)
        with self._lock, _quiet():
            lengths = _token_counts(model, texts, prompt)
            limit = self.max_tokens
            counts = np.minimum(lengths, limit)
            vectors = np.zeros((len(texts), self.dimension), np.float32)
            batches = list(batches_by_length(counts, TOKENS_PER_BATCH[self._compute.device]))
            tokenizing = threading.Lock()  # fast tokenizers refuse to be used by two threads at once

            def embed_batch(batch: npt.NDArray[np.intp]) -> None:
                with torch.inference_mode():
                    with tokenizing:
                        features = model.preprocess([texts[i] for i in batch], prompt=prompt)
                    features = {k: v.to(model.device) if isinstance(v, torch.Tensor) else v for k, v in features.items()}
                    found = model(features)["sentence_embedding"].float()
                    vectors[batch] = torch.nn.functional.normalize(found, dim=1).cpu().numpy()

            _side_by_side(embed_batch, batches, self._compute.device)
        if not np.isfinite(vectors).all():
            raise EmbeddingError(f"{self.name}: the model gave vectors that are not finite in {self._compute.precision}")
        return Embedded(vectors=vectors, token_counts=counts.astype(np.int32), cut=lengths > limit)

    def embed_tokens(self, texts: Sequence[str], kind: Kind) -> list[TokenVectors]:
        """See `TokenEmbedder.embed_tokens`. One text at a time: they are few, and padding would cost more than batches save."""
        model = self._model()
        import torch

        prompt = self.prompt(kind)
        found = []
        with self._lock, _quiet(), torch.inference_mode():
            for text in texts:
                features = model.preprocess([text], prompt=prompt)
                features = {k: v.to(model.device) if isinstance(v, torch.Tensor) else v for k, v in features.items()}
                output = model(features)
                if "token_embeddings" not in output:
                    raise InputError(f"{self.name}: this model gives no vectors of single tokens")
                own_vectors = output["token_embeddings"][0].float()
                lengths = own_vectors.norm(dim=1).cpu().numpy()
                vectors = torch.nn.functional.normalize(own_vectors, dim=1).cpu().numpy()
                pooled = torch.nn.functional.normalize(output["sentence_embedding"].float(), dim=1)[0].cpu().numpy()
                spans = _token_spans(model.tokenizer, prompt + text, len(vectors)) - len(prompt)
                own = (spans[:, 1] > spans[:, 0]) & (spans[:, 1] > 0)
                found.append(TokenVectors(vectors[own], np.maximum(spans[own], 0), pooled, lengths[own]))
        return found

    def prompt(self, kind: Kind) -> str:
        """What is put before a text of this kind: the model's own prompt, or the e5 family's, which few of them carry."""
        prompts: dict[str, str | None] = self._model().prompts
        for name in _PROMPT_NAMES[kind]:
            if own := prompts.get(name):
                return own
        if re.search(r"(^|[-_/])e5[-_]", self.name.lower()) and "instruct" not in self.name.lower():
            return f"{kind}: "
        return ""

    def _model(self) -> Any:
        if self._loaded is None:
            with self._lock:
                if self._loaded is None:
                    self._loaded = _load(*self._locate(), self._compute)
        return self._loaded


def _side_by_side(work: Callable[[npt.NDArray[np.intp]], None], batches: list[npt.NDArray[np.intp]], device: DeviceName) -> None:
    """Work on the batches: on a processor one a core at a time, else one after the other.

    Two batches on one core each are done a quarter to a third sooner than one after the other on two (measured): cores that share
    a batch wait for each other after every operation. A lone batch, such as a question, still has all cores.
    """
    import torch

    cores = torch.get_num_threads()
    if device != "cpu" or min(cores, len(batches)) < 2:
        for batch in batches:
            work(batch)
        return
    torch.set_num_threads(1)
    try:
        with ThreadPoolExecutor(cores) as pool:
            for _ in pool.map(work, batches):
                pass
    finally:
        torch.set_num_threads(cores)


def batches_by_length(counts: npt.NDArray[Any], budget: int) -> Iterator[npt.NDArray[np.intp]]:
    """Indices of texts in batches of like length, longest first, for batches that are padded to their longest text.

    A batch, padded, keeps within `budget` tokens; and it ends where a text is more than a tenth shorter than its longest, once
    it holds a quarter of the budget: from there on padding costs more than a small batch does.
    """
    order = np.argsort(-counts, kind="stable")
    start = 0
    while start < len(order):
        longest = max(1, int(counts[order[start]]))
        most = max(1, budget // longest)
        least = max(1, budget // 4 // longest)
        alike = int(np.searchsorted(-counts[order[start:]], -0.9 * longest, side="right"))
        size = min(most, max(least, alike))
        yield order[start : start + size]
        start += size


def _token_counts(model: Any, texts: Sequence[str], prompt: str) -> npt.NDArray[np.int64]:
    """Tokens of each text uncut, with prompt and special tokens."""
    tokenizer = model.tokenizer
    prompted = [prompt + text for text in texts]
    if not prompted:
        return np.zeros(0, np.int64)
    if hasattr(tokenizer, "encode_batch"):  # a tokenizers.Tokenizer, as static models have it
        tokenizer.no_truncation()
        return np.array([len(e.ids) for e in tokenizer.encode_batch(prompted, add_special_tokens=False)], np.int64)
    ids = tokenizer(prompted, truncation=False, padding=False, return_attention_mask=False, return_token_type_ids=False)[
        "input_ids"
    ]
    return np.array([len(i) for i in ids], np.int64)


def _token_spans(tokenizer: Any, text: str, read: int) -> npt.NDArray[np.int32]:
    """Which characters each of the first `read` tokens of a text is, (read, 2); special tokens are empty."""
    encoded = tokenizer(text, truncation=True, max_length=read, return_offsets_mapping=True)
    return np.array(encoded["offset_mapping"], np.int32).reshape(-1, 2)


def _load(location: str, revision: str | None, compute: Compute) -> Any:
    # Both are read once, when the libraries load. Threads that spin while they wait for each other slow embedding to a half, and
    # a single question to a fifth, as soon as another process wants the processor. Unsaid, the second makes a later fork warn.
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "true")
    import torch
    from sentence_transformers import SentenceTransformer

    available = {"cpu": True, "cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available()}[compute.device]
    if not available and not compute.guessed:
        raise InputError(f"device {compute.device!r}: torch {torch.__version__} cannot use it here; use cpu, or auto")
    options: dict[str, Any] = {
        "device": compute.device if available else "cpu",
        "revision": revision,
        "model_kwargs": {"dtype": getattr(torch, compute.precision)},
    }
    with _quiet():
        try:
            try:
                model = SentenceTransformer(location, local_files_only=True, **options)
            except (OSError, ValueError):
                if Path(location).is_dir():
                    raise
                model = SentenceTransformer(location, **options)  # not in the hub's cache, or not all of it
        except (OSError, ValueError, KeyError, RuntimeError) as error:
            reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
            raise InputError(
                f"embedding model {location!r} cannot be loaded: {reason} (name a folder, a model in the hub's local cache, "
                "or use bundled-e5-small, which needs no network)"
            ) from error
    first, *rest = model
    for module in rest:
        module.float()
    first.register_forward_hook(_in_float32)
    return model.eval()


def _in_float32(_module: Any, _inputs: Any, features: dict[str, Any]) -> dict[str, Any]:
    """What the transformer found, for pooling in float32: rounding there would cost bfloat16 more than all the layers do."""
    import torch

    return {k: v.float() if isinstance(v, torch.Tensor) and v.is_floating_point() else v for k, v in features.items()}


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Keep transformers and the hub from writing progress bars and notes; errors still arrive as exceptions."""
    from huggingface_hub.utils.tqdm import are_progress_bars_disabled, disable_progress_bars, enable_progress_bars
    from transformers.utils import logging as untyped

    logging: Any = untyped

    verbosity, bars, hub_bars = logging.get_verbosity(), logging.is_progress_bar_enabled(), not are_progress_bars_disabled()
    logging.set_verbosity_error()
    logging.disable_progress_bar()
    disable_progress_bars()
    try:
        yield
    finally:
        logging.set_verbosity(verbosity)
        if bars:
            logging.enable_progress_bar()
        if hub_bars:
            enable_progress_bars()
