"""Embedding a column of a table through the cache, and telling Dagster what it took. Models and cache are the embedding room's."""

import numpy as np
import polars as pl

from lawrag_assets.defs.progress import Progress
from lawrag_assets.defs.versions import Metadata
from lawrag_assets.embedding.cached import CachedEmbedder, CachedEmbedding
from lawrag_assets.embedding.protocol import Kind

EMBEDDING_POOL = "embedding"
"""One embedding at a time on a machine: a model uses all its cores."""


def embed_column(
    texts: pl.Series, kind: Kind, embedder: CachedEmbedder, progress: Progress, what: str
) -> tuple[pl.Series, Metadata]:
    """The texts' vectors as a column of fixed-size float32 arrays, and the metadata of the work.

    `seconds` is what all of it took when it was embedded, be it now or in an earlier run.
    """
    result = embedder.embed(texts.to_list(), kind, lambda done, total: progress(what, done, total))
    vectors = pl.Series("vector", result.vectors, dtype=pl.Array(pl.Float32, result.vectors.shape[1]))
    return vectors, embedding_metadata(result, embedder)


def embedding_metadata(result: CachedEmbedding, embedder: CachedEmbedder) -> Metadata:
    """What the UI shows of an embedding."""
    return {
        "texts": result.asked,
        "embedded now": result.embedded,
        "tokens": result.tokens,
        "cut at the model's limit": result.truncated,
        "share cut": result.truncated / max(result.asked, 1),
        "seconds": result.cold_seconds,
        "model": embedder.embedder.identity,
    }


def as_matrix(column: pl.Series) -> np.ndarray:
    """A column of vectors as an (n, d) float32 matrix."""
    return column.to_numpy().astype(np.float32, copy=False)
