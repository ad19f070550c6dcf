"""`raptor`: a tree of summaries over the units, level by level (paper, section 3, "RAPTOR").

Units are the leaves; units alike in meaning are put together softly, so that one may have several parents, and summarised; the summaries
are embedded and put together again, until few are left. A failed summary is the generator's documented fallback, never an error's
text. How a question finds its way down the tree belongs to `retrieval.routing`.

A cell that was built before keeps its clusters: what is new is placed at the nearest centre, what is gone leaves, and a summary of
members that changed stands where the former one stood. Where more than a tenth of a level is new, the level is clustered afresh.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from lawrag_assets.chunking.flat import unit_chunks
from lawrag_assets.chunking.groups import group_chunks, group_id, groups_table
from lawrag_assets.chunking.material import Material, Vectors
from lawrag_assets.chunking.registry import STRATEGIES, Strategy
from lawrag_assets.chunking.soft_clusters import Members, bounded, soft_clusters
from lawrag_assets.chunking.tables import CHUNKS_SCHEMA, ENRICHMENT_SCHEMA
from lawrag_assets.generation.protocol import SummaryRequest, Task

FEWEST = 8
"""A level of so few nodes is the top: more levels would only be a staircase."""
MOST_LEVELS = 5
CLUSTER_TOKENS = 3500
"""The most text that is summarised at once, in tokens of the bundled model's tokenizer (the original's bound)."""
_MUCH_NEW = 0.1


@dataclass(frozen=True)
class _Layer:
    """The nodes of one level of one law's tree, in order."""

    ids: list[str]
    texts: list[str]
    vectors: Vectors


@dataclass(frozen=True)
class _Group:
    """Nodes of a layer that are summarised together."""

    law: int
    layer: _Layer
    rows: Members

    @property
    def members(self) -> list[str]:
        return [self.layer.ids[row] for row in self.rows]

    @property
    def texts(self) -> list[str]:
        return [self.layer.texts[row] for row in self.rows]


def enrich_raptor(material: Material) -> pl.DataFrame:
    """All summaries, from the lowest level up, each with the nodes of the level below that it is of."""
    units, vectors = material.units.with_row_index("row"), material.vectors()
    layers = [
        _Layer(of_law["unit_id"].to_list(), of_law["text"].to_list(), vectors[of_law["row"].to_numpy()])
        for _, of_law in units.group_by("slug", maintain_order=True)
    ]
    tables = [ENRICHMENT_SCHEMA.to_frame()]
    successors: dict[str, str] = {}
    for level in range(1, MOST_LEVELS + 1):
        clustered = [(layer, clusters) for layer in layers if (clusters := _clusters(material, layer, level, successors))]
        if not clustered:
            break
        layers = _summarised(material, clustered, level, tables)
    return pl.concat(tables)


def _clusters(material: Material, layer: _Layer, level: int, successors: dict[str, str]) -> list[Members]:
    """Clusters of a layer; none where it is the top. `successors` learns which node stands for which former one."""
    if len(layer.ids) <= FEWEST:
        return []
    tokens = [len(found) for found in material.tokenize(layer.texts)]
    former = {} if material.former is None else dict(_of_level(material.former, level).iter_rows())
    now = {name: [successors.get(member, member) for member in members] for name, members in former.items()}
    kept = keep_clusters(layer.vectors, layer.ids, now)
    if kept is None:
        clusters = soft_clusters(layer.vectors, tokens, CLUSTER_TOKENS)
    else:
        clusters = _within_bound(list(kept.values()), tokens)
        for name, rows in kept.items():
            group = _Group(0, layer, rows)
            successors[name] = group_id(group.members, group.texts)
    return clusters if len(clusters) <= 0.75 * len(layer.ids) else []


def _of_level(enrichment: pl.DataFrame, level: int) -> pl.DataFrame:
    return enrichment.filter(pl.col("level") == level).select("node_id", "members")


def _within_bound(clusters: list[Members], tokens: Sequence[int]) -> list[Members]:
    parts = [part for rows in clusters for part in bounded(rows, tokens, CLUSTER_TOKENS, lambda members: [members])]
    return [list(rows) for rows in sorted({tuple(part) for part in parts})]


def keep_clusters(vectors: Vectors, ids: Sequence[str], former: Mapping[str, Sequence[str]]) -> dict[str, Members] | None:
    """The former clusters, by name, without the members that are gone, each new member at the nearest centre.

    None where there were none, or more than a tenth of the members is new.
    """
    row = {name: number for number, name in enumerate(ids)}
    there = {cluster: sorted({row[name] for name in members if name in row}) for cluster, members in former.items()}
    clusters = {cluster: members for cluster, members in there.items() if members}
    new = sorted(set(range(len(ids))) - {number for members in clusters.values() for number in members})
    if not clusters or len(new) > _MUCH_NEW * len(ids):
        return None
    if new:
        names = list(clusters)
        centres = np.array([vectors[clusters[name]].mean(axis=0) for name in names])
        centres /= np.linalg.norm(centres, axis=1, keepdims=True)
        for number, nearest in zip(new, (vectors[new] @ centres.T).argmax(axis=1), strict=True):
            clusters[names[nearest]] = sorted([*clusters[names[nearest]], number])
    return clusters


def _summarised(
    material: Material, clustered: list[tuple[_Layer, list[Members]]], level: int, tables: list[pl.DataFrame]
) -> list[_Layer]:
    """The layers above, one a law; their nodes go to `tables`. All laws' summaries are asked for at once."""
    groups = [_Group(number, layer, rows) for number, (layer, clusters) in enumerate(clustered) for rows in clusters]
    answers = material.generator.generate([SummaryRequest(tuple(group.texts)) for group in groups])
    summaries = [answer.value for answer in answers]
    ids = [group_id(group.members, group.texts) for group in groups]
    tables.append(groups_table(level, [(name, group.members) for name, group in zip(ids, groups, strict=True)], summaries))
    vectors = material.embed(summaries)
    places = [[at for at, group in enumerate(groups) if group.law == law] for law in range(len(clustered))]
    return [_Layer([ids[at] for at in of_law], [summaries[at] for at in of_law], vectors[of_law]) for of_law in places]


def build_raptor(units: pl.DataFrame, enrichment: pl.DataFrame) -> pl.DataFrame:
    """The leaves, one chunk a unit, and after them the summaries from the lowest level up, each with its leaves' sections."""
    leaves = unit_chunks(units, pl.col("text"))
    tables, below = [leaves], {unit_id: [unit_id] for unit_id in units["unit_id"]}
    for (_,), nodes in enrichment.group_by("level", maintain_order=True):
        all_below = {name: _leaves(members, below) for name, members in nodes.select("node_id", "members").iter_rows()}
        spread = nodes.select("node_id", members=pl.Series([all_below[name] for name in nodes["node_id"]]))
        written = nodes.select(chunk_id="node_id", text="text", embedded="text", children="members")
        chunks = (
            group_chunks(units, spread).drop("text", "embedded", "children").join(written, on="chunk_id", maintain_order="left")
        )
        tables.append(chunks.select(CHUNKS_SCHEMA.names()))
        below = all_below
    chunks = pl.concat(tables)
    return chunks.with_columns(position=pl.int_range(chunks.height, dtype=pl.Int32))


def _leaves(members: Sequence[str], below: dict[str, list[str]]) -> list[str]:
    return list(dict.fromkeys(leaf for member in members for leaf in below[member]))


def register() -> None:
    """Add `raptor` to the registry."""
    STRATEGIES.register(Strategy("raptor", "2", build_raptor, enrich_raptor, (Task.SUMMARY,)))
