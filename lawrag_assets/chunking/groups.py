"""Units put together: the ids of groups, and chunks made of them. Which units belong together is each strategy's own business."""

import hashlib
from collections.abc import Sequence

import polars as pl

from lawrag_assets.chunking.tables import CHUNKS_SCHEMA, ENRICHMENT_SCHEMA


def group_id(members: Sequence[str], texts: Sequence[str]) -> str:
    """A group's id: its first member, how many more there are, and a fingerprint of all members and their texts.

    Groups may share their first member; two of the same members are the same group. A changed text makes another group.
    """
    digest = hashlib.sha256("\0".join([*members, *texts]).encode("utf-8", "surrogatepass")).hexdigest()
    return f"{members[0]}+{len(members) - 1}~{digest[:8]}"


def groups_table(level: int, groups: Sequence[tuple[str, Sequence[str]]], texts: Sequence[str] | None = None) -> pl.DataFrame:
    """Groups of one level, (id, members) each, with what was written about them, as an enrichment."""
    return pl.DataFrame(
        {
            "node_id": [name for name, _ in groups],
            "level": [level] * len(groups),
            "members": [list(members) for _, members in groups],
            "text": [None] * len(groups) if texts is None else list(texts),
        },
        schema=ENRICHMENT_SCHEMA,
    )


def group_chunks(units: pl.DataFrame, groups: pl.DataFrame) -> pl.DataFrame:
    """A chunk a group: `groups` has node_id and members (unit ids in document order). Its vector is the mean of its units' vectors.

    Text, parents and units are the members', one after the other; the citation is the first member's, with "u. a." where it has more
    than one section. Rows are ordered by the first member's place.
    """
    members = groups.select(chunk_id="node_id", unit_id="members").explode("unit_id")
    joined = members.join(units, on="unit_id", how="left", maintain_order="left")
    merged = joined.group_by("chunk_id", maintain_order=True).agg(
        pl.first("slug", "build", "position", "citation"),
        pl.col("text").str.join(" "),
        pl.col("parents").explode().unique(maintain_order=True),
        units=pl.col("unit_id"),
    )
    several = pl.col("parents").list.len() > 1
    chunks = merged.sort("position", "chunk_id").with_columns(
        pl.when(several).then(pl.col("citation") + " u. a.").otherwise("citation").alias("citation"),
        embedded=pl.lit(None, dtype=pl.String),
        children=pl.lit([], dtype=pl.List(pl.String)),
        position=pl.int_range(pl.len()),
    )
    return chunks.select(CHUNKS_SCHEMA.names()).cast(CHUNKS_SCHEMA)
