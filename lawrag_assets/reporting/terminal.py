"""The benchmark's main table for a terminal of 80 columns: the primary measure and what it costs."""

from rich.console import Console
from rich.table import Table
from rich.text import Text

from lawrag_assets.reporting.benchmark import BenchmarkReport
from lawrag_assets.reporting.layout import benchmark_layouts

_SHOWN = ("cell", "R@10", "95 % interval", "nDCG@10", "chunks", "build s", "search ms", "index MB")


def print_report(report: BenchmarkReport, console: Console) -> None:
    """Print one table a question set."""
    for table in terminal_tables(report):
        console.print(table)
        console.print()


def terminal_tables(report: BenchmarkReport) -> list[Table]:
    """Make the tables; the other columns are in the report's files."""
    tables = []
    for layout in benchmark_layouts(report):
        chosen = [i for i, column in enumerate(layout.columns) if column.title in _SHOWN]
        table = Table(title=Text(layout.title), title_justify="left", box=None, pad_edge=False, header_style="bold")
        for i in chosen:
            column = layout.columns[i]
            heading = "\n".join(column.title.rsplit(" ", 1))
            table.add_column(heading, justify="left" if column.text else "right", no_wrap=not column.text, overflow="fold")
        for row in layout.rows:
            table.add_row(*(Text(row[i].text, style="bold green" if row[i].best else "") for i in chosen))
        tables.append(table)
    return tables
