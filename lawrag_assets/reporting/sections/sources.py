"""Where the figures come from, so that each can be computed again: run tables, and the Dagster runs that wrote them."""

import polars as pl

from lawrag_assets.reporting.benchmark import BenchmarkReport
from lawrag_assets.reporting.layout import CELL, Column, Section, lay_out, words

_COLUMNS = (
    CELL,
    Column("run", "Every question's ranked sections.", "retrieval_run", words("retrieval_run"), text=True),
    Column("question by question", "The measures of each question.", "question_measures", words("question_measures"), text=True),
    Column("made by", "Dagster's run, as its web UI lists it, that made the run table.", "run_id", words("run_id"), text=True),
)


def sources_section(report: BenchmarkReport) -> Section | None:
    """Lay the files of each cell out; None where nothing was measured."""
    if report.sources is None or report.sources.is_empty():
        return None
    of_cells = report.sources.drop_nulls("cell")
    files = of_cells.pivot("table", index="cell", values="file", maintain_order=True)
    runs = of_cells.filter(pl.col("table") == "retrieval_run").select("cell", "run_id")
    shared = dict(report.sources.filter(pl.col("cell").is_null()).select("table", "file").iter_rows())
    timed = f" Search times, one by one, are in {shared['search_latency']}." if "search_latency" in shared else ""
    text = (
        "Measures are computed by ir_measures from the run tables and the gold labels; “lawrag report --trec DIR” writes both in the "
        f"formats of TREC, from which any evaluation tool gives the same figures. Paths are in the profile’s folder.{timed} Times, sizes "
        "and figures of chunkings are metadata that the assets left in Dagster, whose web UI “lawrag ui” opens."
    )
    return Section(
        "sources",
        "Where the figures come from",
        text,
        (lay_out("", _COLUMNS, files.join(runs, on="cell", how="left", maintain_order="left")),),
    )
