"""Late chunking: the vector of a part of a text, made of token vectors that have seen the whole text (Günther et al. 2024).

A text that is longer than the model reads is read in windows that overlap by a quarter; of two windows' vectors of a token the one
counts that has more of the text around it. Caching and joining several parts belong elsewhere (`cached`).
"""

from collections.abc import Sequence
from itertools import groupby, pairwise
from typing import NamedTuple

import numpy as np

from lawrag_assets.embedding.protocol import Embedder, TokenEmbedder, TokenVectors, Vectors
from lawrag_assets.errors import InputError

OVERLAP = 4
"""A window shares its last quarter with the next."""


class Part(NamedTuple):
    """The characters from `start` to before `end` of a text."""

    text: str
    start: int
    end: int


class PartSum(NamedTuple):
    """The sum (d,) of the vectors of a part's tokens, as long as the model gives them, and how many there are."""

    vector: Vectors
    tokens: int


def token_embedder(embedder: Embedder) -> TokenEmbedder:
    """The embedder as one that shows token vectors. Raises InputError, with the way out, where it does not."""
    if isinstance(embedder, TokenEmbedder):
        return embedder
    raise InputError(
        f"late chunking needs the vectors of single tokens, and {embedder.name} gives none: leave the cells */late out, "
        "or take bundled-e5-small or another sentence-transformers model"
    )


def part_sums(embedder: Embedder, parts: Sequence[Part]) -> list[PartSum]:
    """The sum of each part's tokens as passages. Neighbouring parts of one text read it once.

    Raises InputError where the model gives no token vectors, EmbeddingError where it fails.
    """
    reader = token_embedder(embedder)
    found = []
    for text, of_text in groupby(parts, key=lambda part: part.text):
        tokens = read_whole(reader, text)
        found += [_sum(tokens, part) for part in of_text]
    return found


def _sum(tokens: TokenVectors, part: Part) -> PartSum:
    """Tokens that reach into the part count; all of the text's where none does."""
    within = (tokens.spans[:, 0] < part.end) & (part.start < tokens.spans[:, 1])
    if not within.any():
        within[:] = True
    vectors = tokens.vectors[within].astype(np.float64) * tokens.lengths[within, None]
    return PartSum(vectors.sum(axis=0).astype(np.float32), int(within.sum()))


def read_whole(reader: TokenEmbedder, text: str) -> TokenVectors:
    """The token vectors of all of a text; `pooled` is that of its first window."""
    windows: list[TokenVectors] = []
    start = 0
    while True:
        (read,) = reader.embed_tokens([text[start:]], "passage")
        window = TokenVectors(read.vectors, read.spans + np.int32(start), read.pooled, read.lengths)
        count = len(window.spans)
        if count or not windows:
            windows.append(window)
        if count == 0 or (end := int(window.spans[-1, 1])) >= len(text.rstrip()):
            return _joined(windows)
        following = int(window.spans[count - count // OVERLAP - 1, 0])
        start = following if following > start else end


def _joined(windows: Sequence[TokenVectors]) -> TokenVectors:
    """One after the other, each up to the middle of what it shares with the next."""
    bounds = [0]
    for one, following in pairwise(windows):
        bounds.append((int(one.spans[-1, 1]) + int(following.spans[0, 0])) // 2)
    kept = [
        (window, (window.spans[:, 0] >= low) & (window.spans[:, 0] < high))
        for window, low, high in zip(windows, bounds, [*bounds[1:], np.iinfo(np.int32).max], strict=True)
    ]
    return TokenVectors(
        np.concatenate([window.vectors[own] for window, own in kept]),
        np.concatenate([window.spans[own] for window, own in kept]),
        windows[0].pooled,
        np.concatenate([window.lengths[own] for window, own in kept]),
    )
