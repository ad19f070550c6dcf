"""An embedder with a memory: a text that a model has embedded once is never embedded again, by any process."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, TypeVar

import numpy as np

from lawrag_assets.cache import Cache, CacheRoom, content_key, open_cache
from lawrag_assets.embedding.late import Part, part_sums
from lawrag_assets.embedding.protocol import Embedder, Kind, Vectors
from lawrag_assets.errors import InputError

T = TypeVar("T")
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
        return self._through_cache(keys, texts, len, lambda part: self._embed(part, kind), progress)

    def embed_parts(self, units: Sequence[Sequence[Part]], progress: Callable[[int, int], None] | None = None) -> CachedEmbedding:
        """Embed units by late chunking, each as the mean of the tokens of its parts (one at least); a row a unit, of length 1.

        `progress`, `embedded` and what is counted are of parts. Raises InputError where the model gives no token vectors, else as `embed`.
        """
        parts = [part for unit in units for part in unit]
        keys = [content_key("part", part.text, str(part.start), str(part.end)) for part in parts]
        found = self._through_cache(keys, parts, lambda part: part.end - part.start, self._embed_parts, progress)
        starts = np.cumsum([0, *(len(unit) for unit in units)])[:-1]
        sums = np.add.reduceat(found.vectors.astype(np.float64), starts, axis=0) if units else found.vectors
        lengths = np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), np.finfo(np.float32).tiny)
        return replace(found, vectors=np.ascontiguousarray(sums / lengths, dtype=np.float32))

    def _through_cache(
        self,
        keys: Sequence[bytes],
        things: Sequence[T],
        size: Callable[[T], int],
        embed: Callable[[list[T]], list[bytes]],
        progress: Callable[[int, int], None] | None,
    ) -> CachedEmbedding:
        """The records of things by their keys, those that are not kept yet made by `embed`; `size` is in characters."""
        distinct = dict(zip(keys, things, strict=True))
        stored = self._cache.get_many(distinct)
        missing = [key for key in distinct if key not in stored]
        if missing:
            self.embedder.load()
        for part in parts_by_size(missing, [size(distinct[key]) for key in missing], CHARACTERS_PER_COMMIT):
            stored.update(new := dict(zip(part, embed([distinct[key] for key in part]), strict=True)))
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
        return self._records(result.vectors, result.token_counts, result.cut, time.perf_counter() - started)

    def _embed_parts(self, parts: list[Part]) -> list[bytes]:
        """Embed parts likewise: their vectors are sums of tokens, for a unit may have several."""
        started = time.perf_counter()
        sums = part_sums(self.embedder, parts)
        counts = np.array([found.tokens for found in sums], np.int32)
        return self._records(
            np.stack([found.vector for found in sums]), counts, np.zeros(len(parts), np.bool_), time.perf_counter() - started
        )

    def _records(self, vectors: Vectors, counts: Any, cut: Any, seconds: float) -> list[bytes]:
        records = np.zeros(len(vectors), self._record(vectors.shape[1]))
        records["vector"] = vectors
        records["tokens"] = counts
        records["cut"] = cut
        records["seconds"] = seconds * (counts + 1) / (counts + 1).sum()
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
