"""A strategy of somebody else's package, as it lies when installed: pairs of neighbouring units, one pooled vector a pair."""

import polars as pl

from lawrag_assets.chunking import Material, Strategy
from lawrag_assets.chunking.groups import group_chunks, groups_table


def enrich(material: Material) -> pl.DataFrame:
    """Two units a group, in document order."""
    ids = material.units["unit_id"].to_list()
    pairs = [ids[start : start + 2] for start in range(0, len(ids), 2)]
    return groups_table(1, [(pair[0], pair) for pair in pairs])


STRATEGY = Strategy("pairs", "1", group_chunks, enrich)
