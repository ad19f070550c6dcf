"""What a chunking is like in itself, before any question is asked."""

import polars as pl

from lawrag_assets.reporting.benchmark import BenchmarkReport
from lawrag_assets.reporting.layout import CELL, Column, Section, lay_out, number, percent

_COLUMNS = (
    CELL,
    Column("chunks", "Indexed texts.", "chunks", number("chunks", ",d")),
    Column("tokens, median", "Of a chunk.", "tokens_median", number("tokens_median", ",.0f")),
    Column("tokens, p95", "19 of 20 chunks are at most that long.", "tokens_p95", number("tokens_p95", ",.0f")),
    Column("indexed twice", "Share of the text that is in more than one chunk.", "indexed_twice", percent("indexed_twice")),
    Column("broken sentences", "Share of chunks that begin or end inside a sentence.", "broken", percent("broken")),
    Column("sections a chunk", "Mean number of sections that a chunk belongs to.", "parents", number("parents", ".2f")),
    Column(
        "cut by the model",
        "Share of embedded texts longer than the 512 tokens that the model reads: of the chunks, or of the units whose mean they are.",
        "cut",
        percent("cut"),
    ),
)


def chunking_section(report: BenchmarkReport) -> Section | None:
    """Lay it out; None where it was not measured."""
    if report.chunking is None:
        return None
    table = report.chunking.with_columns(pl.concat_str("base_unit", "strategy", separator="/").alias("cell"))
    return Section("chunking", "What a chunking is like", "No question is needed for these.", (lay_out("", _COLUMNS, table),))
