"""What a strategy is handed: the units of its cell, the corpus they were cut from, and small protocols for what costs time or money."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from lawrag_assets.generation.protocol import Generator

Tokenize = Callable[[Sequence[str]], list[list[tuple[int, int]]]]
"""Texts to their tokens, as (start, end) character offsets, end exclusive."""

Vectors = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Material:
    """What the enrichment of a cell is made from."""

    units: pl.DataFrame
    """`chunking.tables.UNITS_SCHEMA`."""
    corpus: pl.DataFrame
    """`laws.tables.SECTIONS_SCHEMA`."""
    vectors: Callable[[], Vectors]
    """The units' vectors, (units, d), each of length 1; loaded when called."""
    embed: Callable[[Sequence[str]], Vectors]
    """Texts that are no units to vectors of the same model."""
    generator: Generator
    """What answers the strategy's requests."""
    tokenize: Tokenize
    references: Callable[[], pl.DataFrame]
    """What refers to what in the corpus (`laws.edges.EDGES_SCHEMA`); read when called."""
    former: pl.DataFrame | None = None
    """The enrichment that this cell had before, made by the same version of the strategy, so that what need not change stays."""
