"""Small indexes that the retrieval tests share."""

import numpy as np
import polars as pl

from lawrag_assets.retrieval.asked import Asked


def chunk_table(parents: list[list[str]], *, text: str = "Text") -> pl.DataFrame:
    """A chunks table as the chunking room makes it, one row a list of parents."""
    count = len(parents)
    return pl.DataFrame(
        {
            "chunk_id": [f"c{i}" for i in range(count)],
            "slug": ["bgb"] * count,
            "build": ["2025-02-06"] * count,
            "citation": [f"§ {i} BGB" for i in range(count)],
            "text": [f"{text} {i}" for i in range(count)],
            "parents": parents,
            "units": [[f"u{i}"] for i in range(count)],
            "children": [[] for _ in range(count)],
            "position": list(range(count)),
        },
        schema_overrides={"parents": pl.List(pl.String), "units": pl.List(pl.String), "children": pl.List(pl.String)},
    )


def directions(count: int, dimension: int = 32, seed: int = 0) -> np.ndarray:
    """Random normalised float32 vectors."""
    vectors = np.random.default_rng(seed).standard_normal((count, dimension)).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def asked(vectors: np.ndarray, ids: list[str]) -> Asked:
    """Questions of which nothing but the vectors matters."""
    return Asked(ids, [""] * len(ids), [None] * len(ids), vectors)
