"""What cells cost and what their chunks are like, put together from the figures that earlier runs left in Dagster's metadata.

Each part of a build was measured once, by the asset that did it; here it is attributed to the cells that need it.
"""

import dagster as dg
import polars as pl

from lawrag_assets.chunking.cells import Cell
from lawrag_assets.chunking.propositions import PROPOSITION
from lawrag_assets.defs.partitions import cell_key


class History:
    """The newest materialization of each asset partition."""

    def __init__(self, instance: dg.DagsterInstance) -> None:
        self._instance = instance
        self._known: dict[tuple[str, str | None], dg.AssetMaterialization | None] = {}

    def of(self, asset: str, cell: Cell | None = None, partition: str | None = None) -> dg.AssetMaterialization | None:
        """What Dagster recorded of it; None if it was never materialized."""
        key = cell_key(cell) if cell else partition
        if (asset, key) not in self._known:
            wanted = dg.AssetRecordsFilter(asset_key=dg.AssetKey(asset), asset_partitions=[key] if key else None)
            records = self._instance.fetch_materializations(wanted, limit=1).records
            self._known[asset, key] = records[0].asset_materialization if records else None
        return self._known[asset, key]

    def text(self, name: str, asset: str) -> str:
        """A text in the metadata of an unpartitioned asset; "" where there is none."""
        materialization = self.of(asset)
        return str(materialization.metadata[name].value) if materialization and name in materialization.metadata else ""

    def number(self, name: str, asset: str, cell: Cell | None = None, partition: str | None = None) -> float:
        """A number in the metadata; 0 where there is none."""
        return self.known_number(name, asset, cell, partition) or 0.0

    def known_number(self, name: str, asset: str, cell: Cell | None = None, partition: str | None = None) -> float | None:
        """A number in the metadata; None where there is none."""
        materialization = self.of(asset, cell, partition)
        value = materialization.metadata[name].value if materialization and name in materialization.metadata else None
        return float(value) if isinstance(value, int | float) else None


def cell_costs(history: History, cell: Cell, parse_seconds: float) -> dict[str, object]:
    """A row of `reporting.frames.COSTS_SCHEMA`, but for search times. Building is the sum of all that the cell needs, as if nothing had
    been there before."""
    pooled = history.number("pooled", "chunk_index", cell) > 0  # made of the units' own vectors instead of a text's
    written = ["enrichment", *(["propositions"] if cell.base_unit == PROPOSITION else [])]
    parts = {
        "parse_seconds": parse_seconds
        + history.number("seconds", "units", partition=cell.base_unit)
        + history.number("seconds", "chunks", cell),
        "generate_seconds": _sum(history, "generation seconds", written, cell),
        "embed_seconds": history.number("seconds", "chunk_index", cell)
        + history.number("embedding seconds", "enrichment", cell)
        + (history.number("seconds", "unit_embeddings", partition=cell.base_unit) if pooled else 0.0),
        "cluster_seconds": history.number("own seconds", "enrichment", cell),
        "index_seconds": history.number("write seconds", "chunk_index", cell),
    }
    return {
        "base_unit": cell.base_unit,
        "strategy": cell.strategy,
        "chunks": int(history.number("chunks", "chunk_index", cell)),
        "build_seconds": sum(parts.values()),
        **parts,
        "warm_seconds": parts["parse_seconds"] + parts["cluster_seconds"] + parts["index_seconds"],
        "calls": int(_sum(history, "calls", written, cell)),
        "input_tokens": int(_sum(history, "input tokens", written, cell)),
        "output_tokens": int(_sum(history, "output tokens", written, cell)),
        "cost_usd": _sum(history, "cost in US dollars", written, cell),
        "index_bytes": int(history.number("index bytes", "chunk_index", cell)),
    }


def with_latency(costs: pl.DataFrame, figures: pl.DataFrame) -> pl.DataFrame:
    """The costs with the search times of `retrieval.latency.latency_figures`, where they are known."""
    known = figures.select(cell="index", search_ms="p50_ms", search_p95_ms="p95_ms", search_mean_ms="mean_ms", scan_ms="scan_ms")
    cell = pl.concat_str("base_unit", "strategy", separator="/")
    timed = costs.drop(set(known.columns) & set(costs.columns)).with_columns(cell=cell)
    return timed.join(known, on="cell", how="left", maintain_order="left").select(costs.columns)


def cell_chunking(history: History, cell: Cell) -> dict[str, object]:
    """A row of `reporting.frames.CHUNKING_SCHEMA`."""
    cut = history.known_number("share cut", "chunk_index", cell)  # of the chunks' own texts, where any was embedded
    return {
        "base_unit": cell.base_unit,
        "strategy": cell.strategy,
        "chunks": int(history.number("chunks", "chunks", cell)),
        "tokens_median": history.known_number("tokens, median", "chunks", cell),
        "tokens_p95": history.known_number("tokens, 95th percentile", "chunks", cell),
        "indexed_twice": history.known_number("share of text indexed twice", "chunks", cell),
        "broken": history.known_number("share that begins or ends inside a sentence", "chunks", cell),
        "parents": history.known_number("parents a chunk", "chunks", cell),
        "cut": history.known_number("share cut", "unit_embeddings", partition=cell.base_unit) if cut is None else cut,
    }


def _sum(history: History, name: str, written: list[str], cell: Cell) -> float:
    """A figure of all that was written for the cell; a proposition's writing counts for each cell that is made of propositions."""
    return sum(
        history.number(name, asset, partition=PROPOSITION) if asset == "propositions" else history.number(name, asset, cell)
        for asset in written
    )
