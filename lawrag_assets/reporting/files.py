"""Writing the benchmark report, to disk or an object store, each file in one step."""

import io
from dataclasses import dataclass

import polars as pl

from lawrag_assets.files import Place, atomic_write_bytes
from lawrag_assets.reporting.benchmark import BenchmarkReport
from lawrag_assets.reporting.markdown import to_markdown
from lawrag_assets.reporting.page import to_html

FRAMES = ("costs", "subsets", "chunking", "comparisons", "friedman", "failures", "sources", "multi_hop")
"""The report's further frames, each in files of its own."""
_LARGE = ("failures",)
"""Those whose texts would make a CSV file of a hundred megabytes: Parquet only."""


@dataclass(frozen=True)
class ReportPaths:
    """Where a report lies."""

    html: Place
    markdown: Place
    csv: Place
    parquet: Place


def write_report(report: BenchmarkReport, folder: Place, name: str = "benchmark") -> ReportPaths:
    """Write `name`.html and .md, `name`.csv and .parquet (the main table), and `name`-FRAME.csv and .parquet for each of FRAMES.

    Figures in tables are unrounded. A frame that the report does not have leaves no file, not even an earlier report's. The page
    is written last, so that its presence means a whole report.
    """
    paths = ReportPaths(*(folder / f"{name}.{kind}" for kind in ("html", "md", "csv", "parquet")))
    paths.html.unlink(missing_ok=True)
    _write_frame(report.table, folder, name)
    for frame in FRAMES:
        table: pl.DataFrame | None = getattr(report, frame)
        if table is None or table.is_empty():
            for kind in ("csv", "parquet"):
                (folder / f"{name}-{frame}.{kind}").unlink(missing_ok=True)
        else:
            _write_frame(table, folder, f"{name}-{frame}", csv=frame not in _LARGE)
    atomic_write_bytes(paths.markdown, to_markdown(report).encode())
    atomic_write_bytes(paths.html, to_html(report).encode())
    return paths


def _write_frame(table: pl.DataFrame, folder: Place, name: str, *, csv: bool = True) -> None:
    data = io.BytesIO()
    table.write_parquet(data)
    atomic_write_bytes(folder / f"{name}.parquet", data.getvalue())
    if csv:
        atomic_write_bytes(folder / f"{name}.csv", table.write_csv().encode())
