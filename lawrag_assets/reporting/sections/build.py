"""What building a cell consists of: seconds by part, calls, tokens and price of what a model writes, latency in full."""

import polars as pl

from lawrag_assets.reporting.benchmark import BenchmarkReport
from lawrag_assets.reporting.layout import CELL, Column, Section, lay_out, number, seconds

_PARTS = (
    ("parse", "Reading the law's XML."),
    ("generate", "Writing contexts, propositions, boundaries or summaries."),
    ("embed", "Turning texts into vectors."),
    ("cluster", "Grouping units, or building the tree of summaries."),
    ("index", "Writing the table of vectors."),
)
_BUILD = (
    *(Column(part, note, f"{part}_seconds", seconds(f"{part}_seconds")) for part, note in _PARTS),
    Column("build", "The sum, as if nothing had been cached before.", "build_seconds", seconds("build_seconds"), "min"),
    Column("cached", "The same with every answer and vector cached.", "warm_seconds", seconds("warm_seconds"), "min"),
    Column("calls", "Requests to the language model.", "calls", number("calls", ",d")),
    Column("tokens in", "Tokens sent to it.", "input_tokens", number("input_tokens", ",d")),
    Column("tokens out", "Tokens that it wrote.", "output_tokens", number("output_tokens", ",d")),
    Column("USD", "What its provider charges.", "cost_usd", number("cost_usd", ",.2f")),
)
_SEARCH = (
    Column("p50 ms", "Median time of a search, as in the main table.", "search_ms", number("search_ms", ".2f"), "min"),
    Column("p95 ms", "19 of 20 searches are at least that quick.", "search_p95_ms", number("search_p95_ms", ".2f"), "min"),
    Column("mean ms", "Mean time of a search: the paper's figure.", "search_mean_ms", number("search_mean_ms", ".2f"), "min"),
    Column("scan ms", "Median time of the bare scan over all vectors, nothing ranked.", "scan_ms", number("scan_ms", ".2f")),
    Column("chunks", "Indexed texts.", "chunks", number("chunks", ",d")),
    Column("index MB", "Millions of bytes on disk, without text.", "index_bytes", number("index_bytes", ",.2f", 1e6), "min"),
    Column("bytes a chunk", "Index on disk by chunks.", "bytes_a_chunk", number("bytes_a_chunk", ",.0f"), "min"),
)


def build_section(report: BenchmarkReport) -> Section | None:
    """Lay out what the main table has no room for; None where nothing of it was measured."""
    costs = report.costs.with_columns(
        bytes_a_chunk=pl.when(pl.col("chunks") > 0).then(pl.col("index_bytes") / pl.col("chunks")),
    )
    layouts = []
    for title, columns, tell in (
        ("Offline build", _BUILD, [column.key for column in _BUILD if column.key != "build_seconds"]),
        ("Search and size", _SEARCH, ["search_p95_ms", "search_mean_ms", "scan_ms"]),
    ):
        if any(costs[key].is_not_null().any() for key in tell):
            layouts.append(lay_out(title, [CELL, *columns], costs))
    if not layouts:
        return None
    text = "What several cells need is measured once and counted in full for each of them."
    return Section("costs", "Costs in full", text, tuple(layouts))
