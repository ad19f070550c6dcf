"""The index on a plane: principal components of the passages' vectors, each passage's nearest neighbour, and questions put among them.

For looking only: ranking uses the whole vectors, of which two components keep a small share.
"""

from dataclasses import dataclass

import numpy as np

from lawrag_assets.retrieval.hits import Floats

_BLOCK = 1024


@dataclass(frozen=True)
class Plane:
    """A fitted projection. `points` is (passages, 2)."""

    points: Floats
    nearest: np.ndarray
    """(passages,): the place of each passage's nearest other one by cosine; its own where there is none."""
    cosines: Floats
    """(passages,): how near that is."""
    shares: tuple[float, float]
    """Shares of the vectors' variance that the two components keep."""
    _mean: Floats
    _axes: Floats

    def place(self, vector: Floats) -> tuple[float, float]:
        """Where the same transform puts another vector, (d,)."""
        x, y = (vector - self._mean) @ self._axes.T
        return float(x), float(y)


def fit_plane(vectors: Floats) -> Plane:
    """Fit it to the passages' vectors, (passages, d), normalised. The same vectors give the same plane."""
    from sklearn.decomposition import PCA

    count, dimension = vectors.shape
    nearest, cosines = _neighbours(vectors)
    if count < 3:  # a line at most: nothing to fit
        nothing = np.zeros((count, 2), np.float32)
        return Plane(nothing, nearest, cosines, (0.0, 0.0), np.zeros(dimension, np.float32), np.zeros((2, dimension), np.float32))
    pca = PCA(n_components=2, svd_solver="covariance_eigh").fit(vectors)
    first, second = pca.explained_variance_ratio_
    points = np.asarray((vectors - pca.mean_) @ pca.components_.T)
    return Plane(points, nearest, cosines, (float(first), float(second)), pca.mean_, pca.components_)


def _neighbours(vectors: Floats) -> tuple[np.ndarray, Floats]:
    count = len(vectors)
    nearest, cosines = np.arange(count), np.zeros(count, np.float32)
    if count < 2:
        return nearest, cosines
    for start in range(0, count, _BLOCK):
        block = vectors[start : start + _BLOCK] @ vectors.T
        rows = np.arange(len(block))
        block[rows, start + rows] = -np.inf
        nearest[start : start + len(block)] = block.argmax(axis=1)
        cosines[start : start + len(block)] = block.max(axis=1)
    return nearest, cosines
