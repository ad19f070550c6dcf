"""The benchmark's main table for a terminal of 80 columns: the primary measure and what it costs."""

import polars as pl
from rich.console import Console
from rich.table import Table
from rich.text import Text

from lawrag_assets.reporting.sections.cells import benchmark_layouts

_SHOWN = ("cell", "R@10", "95 % interval", "chunks", "build s", "search ms", "index MB")


def print_report(table: pl.DataFrame, console: Console) -> None:
    """Print the report's table (`benchmark.benchmark_table`), one part a question set."""
    for part in terminal_tables(table):
        console.print(part)
        console.print()


def terminal_tables(figures: pl.DataFrame) -> list[Table]:
    """Make the tables; the other columns are in the report's files."""
    tables = []
    for layout in benchmark_layouts(figures):
        chosen = [i for i, column in enumerate(layout.columns) if column.title in _SHOWN]
        table = Table(title=Text(layout.title), title_justify="left", box=None, pad_edge=False, header_style="bold")
        for i in chosen:
            column = layout.columns[i]
            heading = "\n".join(column.title.rsplit(" ", 1))
            table.add_column(heading, justify="left" if column.text else "right", no_wrap=True)
        for row in layout.rows:
            table.add_row(*(Text(row[i].text, style="bold green" if row[i].best else "") for i in chosen))
        tables.append(table)
    return tables
