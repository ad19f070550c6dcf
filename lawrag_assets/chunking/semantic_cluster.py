"""`semantic_cluster`: units alike in meaning, wherever they stand in a law, share one pooled vector (paper, section 3).

KMeans on vectors of length 1, where squared distance is twice one minus the cosine; about one cluster for each 2.5 sections, which is
the paper's 1,000 on the BGB, whatever the base unit. Each law is clustered by itself, so that an amendment leaves other laws alone.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import polars as pl

from lawrag_assets.chunking.groups import group_chunks, group_id, groups_table
from lawrag_assets.chunking.material import Material, Vectors
from lawrag_assets.chunking.registry import STRATEGIES, Strategy

SECTIONS_A_CLUSTER = 2.5
_TOLERANCE = 0.1
"""How far, relatively, the number of former clusters may be off before the clusters are sought afresh."""


def enrich_semantic_cluster(material: Material) -> pl.DataFrame:
    """The clusters as groups of units. Where the cell had clusters before, their centres are where the search starts."""
    units = material.units.with_row_index("row")
    vectors = material.vectors()
    former = [] if material.former is None else material.former["members"].to_list()
    groups = []
    for _, of_law in units.group_by("slug", maintain_order=True):
        ids, texts = of_law["unit_id"].to_list(), of_law["text"].to_list()
        sections = of_law["parents"].explode().n_unique()
        labels = cluster_labels(vectors[of_law["row"].to_numpy()], ids, texts, round(sections / SECTIONS_A_CLUSTER), former)
        for label in dict.fromkeys(labels.tolist()):
            members = np.flatnonzero(labels == label)
            names = [ids[place] for place in members]
            groups.append((group_id(names, [texts[place] for place in members]), names))
    return groups_table(1, groups)


def cluster_labels(
    vectors: Vectors, ids: Sequence[str], texts: Sequence[str], count: int, former: Sequence[Sequence[str]]
) -> npt.NDArray[np.int64]:
    """The cluster of each unit, (units,). Equal texts are one point of more weight and so stay together.

    `count` is the number of clusters sought, at least one and at most that of the distinct texts. `former` are clusters as lists of
    unit ids, some of them perhaps gone; the same units then stay in the same clusters.
    """
    place_of: dict[str, int] = {}
    points = np.array([place_of.setdefault(text, len(place_of)) for text in texts], dtype=np.int64)
    first = np.unique(points, return_index=True)[1]
    distinct = vectors[first].astype(np.float64)
    weights = np.bincount(points).astype(np.float64)
    count = max(1, min(count, len(distinct)))
    start = _former_centres(vectors, ids, former)
    if abs(len(start) - count) > _TOLERANCE * count or len(start) > len(distinct):
        return _kmeans(distinct, weights, count, "k-means++")[points]
    return _kmeans(distinct, weights, len(start), start)[points]


def _former_centres(vectors: Vectors, ids: Sequence[str], former: Sequence[Sequence[str]]) -> npt.NDArray[np.float64]:
    """The centres, (clusters, d), of the former clusters by those of their units that are still there."""
    row = {name: number for number, name in enumerate(ids)}
    there = [[row[name] for name in members if name in row] for members in former]
    centres = [vectors[rows].astype(np.float64).mean(axis=0) for rows in there if rows]
    return np.array(centres).reshape(-1, vectors.shape[1])


def _kmeans(
    points: npt.NDArray[np.float64], weights: npt.NDArray[np.float64], count: int, start: "str | npt.NDArray[np.float64]"
) -> npt.NDArray[np.int64]:
    import warnings

    from sklearn.cluster import KMeans
    from sklearn.exceptions import ConvergenceWarning
    from threadpoolctl import threadpool_limits

    # Two threads add up in whichever order they finish, and a last bit can decide to which of two clusters a point goes.
    with threadpool_limits(1, "openmp"), warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # vectors of different texts may be the same
        found = KMeans(count, init=start, n_init=1, max_iter=300, random_state=0).fit(points, sample_weight=weights)
    labels: npt.NDArray[np.int64] = found.labels_.astype(np.int64)
    return labels


def build_semantic_cluster(units: pl.DataFrame, enrichment: pl.DataFrame) -> pl.DataFrame:
    """One chunk a cluster."""
    return group_chunks(units, enrichment)


def register() -> None:
    """Add `semantic_cluster` to the registry."""
    STRATEGIES.register(Strategy("semantic_cluster", "1", build_semantic_cluster, enrich_semantic_cluster))
