"""Soft clusters of vectors, as RAPTOR's tree is built of them: first coarse ones, then fine ones within each (paper, section 3).

After the original (Gaussian mixtures on reduced vectors, a member wherever its probability is above 0.1), without its faults: one seed
everywhere, the number of clusters sought over the whole range, few points and equal points are no special case, a point always
belongs to its likeliest cluster, and a cluster with too much text is cut up in bounded steps.

Principal components stand in for UMAP. Over the BGB's subsections (GerLayQA's 2,154 questions, extractive summaries, routed search)
R@10 was .081 [.071–.091] with 40 of them and .081 [.070–.091] with UMAP to 10 dimensions, in 44 s and 272 s; .079 with 20 components,
.067 with 10. All nodes at once: .105 and .101.
"""

import math
import warnings
from collections.abc import Callable, Sequence

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Members = list[int]
"""Rows of one cluster, rising."""

MEMBERSHIP = 0.1
DIMENSIONS = 40
_COARSE_SIZES = (100, 200, 400)
_FINE_SIZES = (5, 8, 12, 20)
"""Members a cluster that are tried; the Bayesian information criterion chooses among the numbers of clusters that follow."""


def soft_clusters(vectors: npt.NDArray[np.float32], tokens: Sequence[int], most_tokens: int) -> list[Members]:
    """Clusters of the rows of (n, d) vectors, ordered by their first members, each row in at least one, no two the same.

    No cluster of more than one row has more than `most_tokens`.
    """
    from threadpoolctl import threadpool_limits

    everything = list(range(len(vectors)))
    points = vectors.astype(np.float64)
    with threadpool_limits(1):  # many small fits: threads cost seven times more time than they save, and the last bits of a sum
        coarse = _split(points, everything, _COARSE_SIZES)
        fine = [cluster for rows in coarse for cluster in _split(points, rows, _FINE_SIZES)]
        parts = [part for cluster in fine for part in bounded(cluster, tokens, most_tokens, lambda rows: _halves(points, rows))]
    return [list(rows) for rows in sorted({tuple(part) for part in parts})]


def bounded(rows: Members, tokens: Sequence[int], most_tokens: int, halves: Callable[[Members], list[Members]]) -> list[Members]:
    """The cluster itself, or smaller ones of at most `most_tokens` each, or of one row. Ends: each step makes clusters smaller."""
    if len(rows) == 1 or sum(tokens[row] for row in rows) <= most_tokens:
        return [rows]
    parts = halves(rows)
    if max(len(part) for part in parts) == len(rows):
        parts = [rows[: len(rows) // 2], rows[len(rows) // 2 :]]
    return [smaller for part in parts for smaller in bounded(part, tokens, most_tokens, halves)]


def _halves(points: Floats, rows: Members) -> list[Members]:
    return _mixture_clusters(points, rows, [2])


def _split(points: Floats, rows: Members, sizes: Sequence[int]) -> list[Members]:
    """The best of several soft clusterings of the rows."""
    most = max(1, len(rows) // 2)
    return _mixture_clusters(points, rows, sorted({min(most, math.ceil(len(rows) / size)) for size in sizes}))


def _mixture_clusters(points: Floats, rows: Members, counts: Sequence[int]) -> list[Members]:
    from sklearn.decomposition import PCA
    from sklearn.exceptions import ConvergenceWarning
    from sklearn.mixture import GaussianMixture

    here = points[rows]
    distinct = len(np.unique(here, axis=0))
    counts = sorted({min(count, distinct) for count in counts})
    if counts == [1]:
        return [rows]
    reduced = PCA(min(DIMENSIONS, distinct - 1, here.shape[1]), svd_solver="covariance_eigh").fit_transform(here)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # a mixture that still moved a little is good enough
        fits = [
            GaussianMixture(count, covariance_type="diag", reg_covar=1e-4, random_state=0, max_iter=100).fit(reduced)
            for count in counts
        ]
    best = min(fits, key=lambda fit: fit.bic(reduced))
    probabilities = best.predict_proba(reduced)
    belongs = probabilities > MEMBERSHIP
    belongs[np.arange(len(rows)), probabilities.argmax(axis=1)] = True
    clusters = [[rows[place] for place in np.flatnonzero(column)] for column in belongs.T]
    return [cluster for cluster in clusters if cluster]
