"""Writing the benchmark report to disk, each file in one step."""

from dataclasses import dataclass
from pathlib import Path

from lawrag_assets.files import atomic_write_bytes
from lawrag_assets.reporting.benchmark import BenchmarkReport
from lawrag_assets.reporting.markdown import to_markdown
from lawrag_assets.reporting.page import to_html


@dataclass(frozen=True)
class ReportPaths:
    """Where a report lies."""

    html: Path
    markdown: Path
    csv: Path


def write_report(report: BenchmarkReport, folder: Path, name: str = "benchmark") -> ReportPaths:
    """Write `name`.html, .md and .csv (all figures unrounded); the page last, so that its presence means a whole report."""
    paths = ReportPaths(html=folder / f"{name}.html", markdown=folder / f"{name}.md", csv=folder / f"{name}.csv")
    atomic_write_bytes(paths.csv, report.table.write_csv().encode())
    atomic_write_bytes(paths.markdown, to_markdown(report).encode())
    atomic_write_bytes(paths.html, to_html(report).encode())
    return paths
