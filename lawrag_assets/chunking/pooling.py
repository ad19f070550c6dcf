"""A chunk's vector from its units': the mean, of length 1 again (paper, section 3, "Semantic clustering")."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from lawrag_assets.chunking.material import Vectors


def pooled(vectors: Vectors, ids: Sequence[str], groups: Sequence[Sequence[str]]) -> Vectors:
    """One vector a group, (groups, d). `vectors` (units, d) are those of `ids`; a group is a list of some of these, never empty."""
    row = {name: number for number, name in enumerate(ids)}
    means = [vectors[[row[name] for name in members]].mean(axis=0, dtype=np.float64) for members in groups]
    matrix = np.array(means).reshape(-1, vectors.shape[1])
    lengths: npt.NDArray[np.float64] = np.linalg.norm(matrix, axis=1, keepdims=True)
    return np.asarray(matrix / lengths, dtype=np.float32)
