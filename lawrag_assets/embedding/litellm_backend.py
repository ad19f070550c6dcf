"""Any embedding service that LiteLLM speaks to. Its retries are switched off for our own, its answers are checked before use.

litellm takes seconds to import, so it is imported when the first text is sent.
"""

import queue
import random
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from lawrag_assets.embedding.protocol import Embedded, EmbeddingError, Kind, Vectors
from lawrag_assets.services import is_passing, litellm_module, one_line, raise_if_refused, require_provider

TEXTS_PER_REQUEST = 96
TOKENS_PER_REQUEST = 50_000
"""Within what the known services take at once (Cohere 96 texts, Gemini 100; Voyage 120,000 tokens, OpenAI 300,000)."""
_UNKNOWN_LIMIT = 1_000_000
_KIND_OPTIONS: dict[str, dict[Kind, dict[str, str]]] = {
    "cohere": {"query": {"input_type": "search_query"}, "passage": {"input_type": "search_document"}},
    "gemini": {"query": {"task_type": "RETRIEVAL_QUERY"}, "passage": {"task_type": "RETRIEVAL_DOCUMENT"}},
    "nvidia_nim": {"query": {"input_type": "query"}, "passage": {"input_type": "passage"}},
    "vertex_ai": {"query": {"task_type": "RETRIEVAL_QUERY"}, "passage": {"task_type": "RETRIEVAL_DOCUMENT"}},
    "voyage": {"query": {"input_type": "query"}, "passage": {"input_type": "document"}},
}
"""How a provider is told what a text is for; the others have no such option."""


class LiteLLMEmbedder:
    """An embedder over a service."""

    def __init__(
        self,
        model: str,
        *,
        identity: str,
        api_base: str | None = None,
        deadline_seconds: float = 120.0,
        backoff_seconds: float = 1.0,
    ) -> None:
        """Take LiteLLM's name of the model and, where it is not the provider's own, the service's address.

        A request and its retries end after `deadline_seconds` of wall clock; the first retry waits `backoff_seconds`, each later
        one twice as long, and all of them somewhat at random.
        """
        self.name = f"litellm/{model}"
        self.identity = identity
        self._model = model
        self._api_base = api_base
        self._deadline_seconds = deadline_seconds
        self._backoff_seconds = backoff_seconds
        self._dimension: int | None = None

    @property
    def dimension(self) -> int:
        """The length of a vector; asks the service for one if none has come yet."""
        if self._dimension is None:
            self.embed(["1"], "query")
        assert self._dimension is not None
        return self._dimension

    @property
    def max_tokens(self) -> int:
        """The limit that LiteLLM knows of the model, else a very high one: the service then cuts or refuses."""
        litellm = litellm_module()
        try:
            return int(litellm.get_model_info(self._model).get("max_input_tokens") or _UNKNOWN_LIMIT)
        except Exception:  # litellm raises a bare Exception for a model that is not on its list
            return _UNKNOWN_LIMIT

    def load(self) -> None:
        """Import litellm and see that it knows the provider and has a key for it."""
        self._provider()

    def embed(self, texts: Sequence[str], kind: Kind) -> Embedded:
        """See `Embedder.embed`. Tokens are counted, and over-long texts cut, by LiteLLM's tokenizer for the model."""
        options = _KIND_OPTIONS.get(self._provider(), {}).get(kind, {})
        limit = self.max_tokens
        sent, counts, cut = [], np.zeros(len(texts), np.int32), np.zeros(len(texts), np.bool_)
        for index, text in enumerate(texts):
            tokens = litellm_module().encode(model=self._model, text=text)
            cut[index] = len(tokens) > limit
            counts[index] = min(len(tokens), limit)
            sent.append(litellm_module().decode(model=self._model, tokens=list(tokens)[:limit]) if cut[index] else text)
        parts = [self._request([sent[i] or " " for i in part], options) for part in _requests(counts)]
        vectors = np.concatenate(parts) if parts else np.zeros((0, self.dimension), np.float32)
        return Embedded(vectors=vectors, token_counts=counts, cut=cut)

    def effort(self, texts: Sequence[str]) -> tuple[int, int]:
        """How many requests `embed` would send for these texts if none failed, and of how many tokens. Sends none."""
        litellm, limit = litellm_module(), self.max_tokens
        counts = np.array([min(len(litellm.encode(model=self._model, text=text)), limit) for text in texts], np.int32)
        return sum(1 for _ in _requests(counts)), int(counts.sum())

    def _provider(self) -> str:
        return require_provider(
            self._model,
            self._api_base,
            what=f"embedding model {self.name!r}",
            example="litellm/PROVIDER/MODEL, as in litellm/openai/text-embedding-3-small",
        )

    def _request(self, texts: list[str], options: dict[str, str]) -> Vectors:
        """Ask until there is an answer, the service refuses for good, or the time is up."""
        litellm = litellm_module()
        end = time.monotonic() + self._deadline_seconds
        pause = self._backoff_seconds
        while True:
            try:
                answer = _within(
                    end - time.monotonic(),
                    lambda: litellm.embedding(
                        model=self._model,
                        input=texts,
                        api_base=self._api_base,
                        encoding_format="float",
                        timeout=max(1.0, end - time.monotonic()),
                        num_retries=0,
                        max_retries=0,
                        **options,
                    ),
                )
                return self._checked(answer, len(texts))
            except EmbeddingError:
                raise
            except TimeoutError as error:
                raise EmbeddingError(f"{self.name}: no answer within {self._deadline_seconds:g} s") from error
            except Exception as error:  # litellm's exceptions share no base of their own
                self._raise_if_final(error)
                wait = pause * random.uniform(0.5, 1.0)
                if time.monotonic() + wait >= end:
                    raise EmbeddingError(
                        f"{self.name}: given up after {self._deadline_seconds:g} s: {one_line(error)}"
                    ) from error
                time.sleep(wait)
                pause *= 2

    def _raise_if_final(self, error: Exception) -> None:
        raise_if_refused(error, f"embedding model {self.name!r}")
        if not is_passing(error):
            raise EmbeddingError(f"{self.name}: {one_line(error)}") from error

    def _checked(self, answer: Any, asked: int) -> Vectors:
        """The answer's vectors in the order asked for, normalised; EmbeddingError for any other number, order or shape."""
        data = list(getattr(answer, "data", None) or [])
        places = [int(item["index"]) for item in data]
        if sorted(places) != list(range(asked)):
            raise EmbeddingError(f"{self.name}: {len(data)} vectors came for {asked} texts, or not one for each")
        rows = [item["embedding"] for item in data]
        lengths = {len(row) for row in rows} | ({self._dimension} if self._dimension else set())
        if len(lengths) != 1 or not all(isinstance(row, list) for row in rows):
            raise EmbeddingError(f"{self.name}: vectors of different lengths came: {sorted(lengths)}")
        vectors: npt.NDArray[np.float32] = np.zeros((asked, lengths.pop()), np.float32)
        vectors[places] = np.asarray(rows, np.float32)
        norms = np.linalg.norm(vectors, axis=1, keepdims=True)
        if not np.isfinite(norms).all() or not norms.all():
            raise EmbeddingError(f"{self.name}: a vector that is zero or not finite came")
        self._dimension = vectors.shape[1]
        vectors /= norms
        return vectors


def _requests(counts: npt.NDArray[np.int32]) -> Iterator[range]:
    """Ranges of texts, in order, that go into one request each."""
    start, tokens = 0, 0
    for index, count in enumerate(counts.tolist()):
        if index > start and (index - start == TEXTS_PER_REQUEST or tokens + count > TOKENS_PER_REQUEST):
            yield range(start, index)
            start, tokens = index, 0
        tokens += count
    if len(counts):
        yield range(start, len(counts))


def _within(seconds: float, call: Callable[[], Any]) -> Any:
    """The call's result, or TimeoutError: a time-out of litellm's counts from each byte read, so a dripping answer never ends."""
    results: queue.SimpleQueue[tuple[Any, Exception | None]] = queue.SimpleQueue()

    def work() -> None:
        try:
            results.put((call(), None))
        except Exception as error:
            results.put((None, error))

    threading.Thread(target=work, daemon=True).start()
    try:
        result, error = results.get(timeout=max(0.0, seconds))
    except queue.Empty:
        raise TimeoutError from None
    if error is not None:
        raise error
    return result
