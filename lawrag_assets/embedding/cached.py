"""An embedder with a memory: a text that a model has embedded once is never embedded again, by any process."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np

from lawrag_assets.cache import Cache, CacheRoom, content_key, open_cache
from lawrag_assets.embedding.protocol import Embedder, Kind, Vectors
from lawrag_assets.errors import InputError

CHARACTERS_PER_COMMIT = 100_000
"""A killed process loses the vectors of at most so much text: about ten seconds of a processor's work."""
_SAMPLE = 2000


@dataclass(frozen=True)
class CachedEmbedding:
    """The vectors of some texts and what they cost.

    `vectors` is (n, d) float32 in the order of the texts; `asked` is n. `embedded` counts the distinct texts that the model had
    to embed now. `truncated` (texts cut at the model's limit), `tokens` and `cold_seconds` (the model's time) are over all
    distinct texts asked for, as if nothing had been cached.
    """

    vectors: Vectors
    asked: int
    embedded: int
    truncated: int
    tokens: int
    cold_seconds: float


@dataclass(frozen=True)
class Pace:
    """How fast a model has embedded so far, in seconds a token of wall clock, and the length of its vectors."""

    seconds_a_token: float
    dimension: int


def parts_by_size(keys: Sequence[bytes], sizes: Sequence[int], limit: int) -> Iterator[list[bytes]]:
    """Cut keys, in their order, into parts whose sizes sum up to at most `limit`; a larger one is a part of its own."""
    part: list[bytes] = []
    total = 0
    for key, size in zip(keys, sizes, strict=True):
        if part and total + size > limit:
            yield part
            part, total = [], 0
        part.append(key)
        total += size
    if part:
        yield part


class CachedEmbedder:
    """Embeds through a cache; each vector keeps what it cost, so that a warm run can still say what a cold one takes."""

    def __init__(self, embedder: Embedder, room: CacheRoom, opened: Callable[[CacheRoom, str], Cache] = open_cache) -> None:
        """Put a cache in `room`, one a model identity, before an embedder."""
        self.embedder = embedder
        self._cache = opened(room, f"embeddings/{embedder.identity}")

    def embed(self, texts: Sequence[str], kind: Kind, progress: Callable[[int, int], None] | None = None) -> CachedEmbedding:
        """Embed texts as queries or passages. `progress` is told (distinct texts done, distinct texts) as the work goes on.

        Raises InputError when the model or the cache cannot be used, EmbeddingError when the model fails; what was embedded
        until then is kept.
        """
        keys = [content_key(kind, text) for text in texts]
        distinct = dict(zip(keys, texts, strict=True))
        stored = self._cache.get_many(distinct)
        missing = [key for key in distinct if key not in stored]
        if missing:
            self.embedder.load()
        for part in parts_by_size(missing, [len(distinct[key]) for key in missing], CHARACTERS_PER_COMMIT):
            stored.update(new := dict(zip(part, self._embed([distinct[key] for key in part], kind), strict=True)))
            self._cache.put_many(new)
            if progress:
                progress(len(stored), len(distinct))
        if progress and not missing:
            progress(len(stored), len(distinct))
        records = self._read([stored[key] for key in distinct])
        position = {key: index for index, key in enumerate(distinct)}
        return CachedEmbedding(
            vectors=np.ascontiguousarray(records["vector"][[position[key] for key in keys]]),
            asked=len(keys),
            embedded=len(missing),
            truncated=int(records["cut"].sum()),
            tokens=int(records["tokens"].sum()),
            cold_seconds=float(records["seconds"].sum(dtype=np.float64)),
        )

    def pace(self) -> "Pace | None":
        """What some of the vectors that are kept took; None where there are none. Asks the model for nothing."""
        values = [value for _, value in islice(self._cache.items(), _SAMPLE)] if self._cache.exists() else []
        records = self._read(values) if values else np.zeros(0, self._record(0))
        tokens = int(records["tokens"].sum())
        if not tokens:
            return None
        return Pace(float(records["seconds"].sum(dtype=np.float64)) / tokens, records["vector"].shape[1])

    def _embed(self, texts: list[str], kind: Kind) -> list[bytes]:
        """Embed texts; each one's record carries its share of the seconds, by tokens."""
        started = time.perf_counter()
        result = self.embedder.embed(texts, kind)
        seconds = time.perf_counter() - started
        records = np.zeros(len(texts), self._record(result.vectors.shape[1]))
        records["vector"] = result.vectors
        records["tokens"] = result.token_counts
        records["cut"] = result.cut
        records["seconds"] = seconds * (result.token_counts + 1) / (result.token_counts + 1).sum()
        return [record.tobytes() for record in records]

    def _read(self, values: list[bytes]) -> Any:
        if not values:
            return np.zeros(0, self._record(self.embedder.dimension))
        sizes = {len(value) for value in values}
        record = self._record(max(0, min(sizes) - self._record(0).itemsize) // 4)
        if sizes != {record.itemsize}:
            raise InputError(f"{self._cache.place}: vectors of different lengths in one cache; delete it to start anew")
        return np.frombuffer(b"".join(values), record)

    @staticmethod
    def _record(dimension: int) -> np.dtype[Any]:
        return np.dtype([("seconds", "<f4"), ("tokens", "<i4"), ("cut", "?"), ("vector", "<f4", (dimension,))])
