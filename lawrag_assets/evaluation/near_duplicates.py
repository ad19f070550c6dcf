"""Pairs of texts that are nearly the same, by the cosine of their tf-idf vectors over the 4-grams of characters within words.

Character n-grams see through inflection and typing errors. At `THRESHOLD` a long question stays a near-duplicate with one word in ten
replaced, not with one in five. Which texts to compare, and what it means that two are alike, is the callers' concern.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

THRESHOLD = 0.9
"""The similarity from which two texts are near-duplicates."""

MOST_PAIRS = 10_000
"""How many pairs are kept, the most similar ones; the rest is only counted."""

_BLOCK = 256
_DIMENSIONS = 2**20
_RARE = 0.01
_SLACK = 1e-4


@dataclass(frozen=True)
class SimilarPairs:
    """How many pairs were found, and the most similar of them as (place in the first texts, place in the second, cosine)."""

    found: int
    pairs: list[tuple[int, int, float]]


def vectors(texts: Sequence[str]) -> Any:
    """The texts' vectors as a scipy CSR matrix, rows of length 1. Compare only what was vectorised together: the idf is of these texts."""
    from sklearn.feature_extraction.text import HashingVectorizer, TfidfTransformer

    # Hashed, so that no vocabulary of millions of n-grams is held; at 2^20 dimensions clashes do not show.
    counts = HashingVectorizer(
        analyzer="char_wb", ngram_range=(4, 4), n_features=_DIMENSIONS, alternate_sign=False, norm=None, dtype=np.float32
    ).transform(texts)
    return TfidfTransformer(sublinear_tf=True).fit_transform(counts).astype(np.float32)


def similar_pairs(first: Any, second: Any | None = None, threshold: float = THRESHOLD) -> SimilarPairs:
    """All pairs of a row of `first` and one of `second`, or of two rows of `first`, whose cosine is at least the threshold.

    Exact, and no more than a block of rows by all of `second` is held at a time. Frequent n-grams, which cost the most and say the least,
    are first taken at their upper bound (Cauchy-Schwarz): only pairs that may reach the threshold even so are worked out.
    """
    within = second is None
    other = first if second is None else second
    frequent = (_document_counts(first) + _document_counts(other)) > _RARE * (first.shape[0] + other.shape[0])
    rare, rest = _split(first, frequent)
    other_rare, other_rest = _split(other, frequent)
    transposed = other_rare.T.tocsr()
    found, pairs = 0, list[tuple[int, int, float]]()
    for start in range(0, first.shape[0], _BLOCK):
        bound = (rare[start : start + _BLOCK] @ transposed).toarray() + np.outer(rest[start : start + _BLOCK], other_rest)
        rows, columns = np.nonzero(bound >= threshold - _SLACK)
        rows += start
        if within:
            rows, columns = rows[columns > rows], columns[columns > rows]
        for some_rows, some_columns, cosines in _worked_out(first, other, rows, columns):
            near = cosines >= threshold
            found += int(near.sum())
            pairs += zip(some_rows[near].tolist(), some_columns[near].tolist(), cosines[near].tolist(), strict=True)
            if len(pairs) > 2 * MOST_PAIRS:
                pairs = _most_similar(pairs)
    return SimilarPairs(found, _most_similar(pairs))


def _document_counts(matrix: Any) -> NDArray[np.int64]:
    """In how many rows each dimension occurs."""
    return np.bincount(matrix.indices, minlength=matrix.shape[1])


def _split(matrix: Any, frequent: NDArray[np.bool_]) -> tuple[Any, NDArray[np.float32]]:
    """The rows without frequent dimensions, and the length of what was left out of each."""
    from scipy.sparse import csr_matrix

    kept = np.where(frequent[matrix.indices], np.float32(0), matrix.data)
    rare = csr_matrix((kept, matrix.indices.copy(), matrix.indptr.copy()), shape=matrix.shape)
    rare.eliminate_zeros()
    left_out = 1 - np.asarray(rare.multiply(rare).sum(axis=1)).ravel()
    return rare, np.sqrt(np.clip(left_out, 0, None)).astype(np.float32)


def _worked_out(
    first: Any, second: Any, rows: NDArray[np.int64], columns: NDArray[np.int64]
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float32]]]:
    """The cosines of the given pairs, a part at a time."""
    for start in range(0, len(rows), 2000):
        some_rows, some_columns = rows[start : start + 2000], columns[start : start + 2000]
        products = first[some_rows].multiply(second[some_columns])
        yield some_rows, some_columns, np.asarray(products.sum(axis=1)).ravel()


def _most_similar(pairs: list[tuple[int, int, float]]) -> list[tuple[int, int, float]]:
    return sorted(pairs, key=lambda pair: (-pair[2], pair[:2]))[:MOST_PAIRS]
