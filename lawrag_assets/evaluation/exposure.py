"""Recall by how often the gold section was seen in training: what a ranker learned, and what it only ever guessed.

Counting what was seen belongs to whoever trained (`ranking.measured`).
"""

import numpy as np
import polars as pl

BANDS: dict[str, tuple[int, int]] = {"0": (0, 0), "1–2": (1, 2), "3–9": (3, 9), "10–29": (10, 29), "30+": (30, 2**31)}
"""Training questions that a section answers, least and most, by the band's name."""
EXPOSURE_SCHEMA = pl.Schema(
    {
        "question_set": pl.String,
        "retriever": pl.String,
        "band": pl.String,  # a key of BANDS
        "gold": pl.Int64,  # pairs of a question and a gold section in the band
        "recall": pl.Float64,  # share of them that are among the first ten
        "low": pl.Float64,  # ends of its 95 % Wilson interval
        "high": pl.Float64,
    }
)
_Z = 1.959964
CUTOFF = 10


def recall_by_exposure(runs: pl.DataFrame, seen: pl.DataFrame) -> pl.DataFrame:
    """Recall at ten of the gold sections in each band, for each retriever of a run table: `EXPOSURE_SCHEMA`.

    `seen` has question_set, query, section and seen (`ranking.measured.SEEN_SCHEMA`), a row a gold section. A run has one aggregation a
    retriever. Intervals take the pairs for independent.
    """
    keys = ["question_set", "query", "section"]
    found = runs.filter(pl.col("rank") <= CUTOFF).select(*keys, "retriever", hit=pl.lit(1))
    retrievers = runs.select("question_set", "retriever").unique(maintain_order=True)
    pairs = retrievers.join(seen.with_columns(band=_band()), on="question_set").join(found, on=[*keys, "retriever"], how="left")
    counted = pairs.group_by("question_set", "retriever", "band").agg(gold=pl.len(), hits=pl.col("hit").sum())
    order = pl.DataFrame({"band": list(BANDS)}).with_row_index("place")
    rows = (
        retrievers.with_row_index("row")
        .join(counted, on=["question_set", "retriever"])
        .join(order, on="band")
        .sort("row", "place")
    )
    low, high = _wilson(rows["hits"].to_numpy().astype(np.float64), rows["gold"].to_numpy().astype(np.float64))
    rows = rows.with_columns(recall=pl.col("hits") / pl.col("gold"), low=pl.Series(low), high=pl.Series(high))
    return rows.select(EXPOSURE_SCHEMA.names()).cast(EXPOSURE_SCHEMA)


def _band() -> pl.Expr:
    name = pl.lit(None, dtype=pl.String)
    for band, (least, most) in BANDS.items():
        name = pl.when(pl.col("seen").is_between(least, most)).then(pl.lit(band)).otherwise(name)
    return name


def _wilson(hits: np.ndarray, of: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Wilson's interval of shares (Wilson 1927): sound for few pairs and for shares near 0."""
    share, z2 = hits / of, _Z**2
    middle = (share + z2 / (2 * of)) / (1 + z2 / of)
    half = _Z / (1 + z2 / of) * np.sqrt(share * (1 - share) / of + z2 / (4 * of**2))
    return np.clip(middle - half, 0, 1), np.clip(middle + half, 0, 1)
