"""Tables as rows of short texts, ready for Markdown, page and terminal: columns, rounding, best values. What is in them: `sections`."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, Literal

import polars as pl

from lawrag_assets.reporting.words import MINUS, NOTHING, duration

Row = dict[str, Any]


@dataclass(frozen=True)
class Column:
    """A column as a reader sees it."""

    title: str
    note: str
    """What it means, in a sentence or two."""
    key: str
    """The figure that the column sorts by, and that is compared for the best value."""
    show: Callable[[Row], str]
    best: Literal["max", "min"] | None = None
    """Which end is best; None where neither is."""
    text: bool = False
    """Left-aligned words; numbers are aligned right."""


@dataclass(frozen=True)
class Shown:
    """One cell of a table."""

    text: str
    best: bool = False
    sort: float | str | None = None
    """The unrounded figure; None where there is none."""


@dataclass(frozen=True)
class Layout:
    """A table."""

    title: str
    """What tells it from the other tables of its section; may be empty."""
    columns: tuple[Column, ...]
    rows: tuple[tuple[Shown, ...], ...]
    text: str = ""
    """Sentences above it."""


@dataclass(frozen=True)
class Section:
    """A part of the report: sentences and tables."""

    anchor: str
    title: str
    text: str
    layouts: tuple[Layout, ...]
    sources: tuple[tuple[str, str], ...] = ()
    """Name and address of what the section cites."""
    details: str = ""
    """Further sentences below the tables."""

    @property
    def notes(self) -> list[Column]:
        """The columns whose meaning is to be told, each once."""
        told = {column.title: column for layout in self.layouts for column in layout.columns if column.note}
        return list(told.values())


def number(key: str, form: str, unit: float = 1) -> Callable[[Row], str]:
    """Show a figure in Python's format `form`, in units of `unit`."""
    return lambda row: (
        NOTHING if row[key] is None else format(row[key] / unit if unit != 1 else row[key], form).replace("-", MINUS)
    )


def percent(key: str) -> Callable[[Row], str]:
    """Show a share of 0 to 1."""
    return lambda row: NOTHING if row[key] is None else f"{100 * row[key]:.1f} %"


def interval(low: str, high: str, form: str) -> Callable[[Row], str]:
    """Show two ends; "to" between them where a sign might be taken for the dash."""
    between = " to " if "+" in form else "–"
    return lambda row: (
        NOTHING if row[low] is None or row[high] is None else f"{row[low]:{form}}{between}{row[high]:{form}}".replace("-", MINUS)
    )


def seconds(key: str) -> Callable[[Row], str]:
    """Show a time as `words.duration` does."""
    return lambda row: NOTHING if row[key] is None else duration(row[key])


def words(key: str) -> Callable[[Row], str]:
    """Show a text."""
    return lambda row: NOTHING if row[key] is None else str(row[key])


CELL = Column(
    "cell",
    "Base unit (what the law is cut into) / strategy (how chunks are made of it).",
    "cell",
    words("cell"),
    text=True,
)


def lay_out(title: str, columns: Sequence[Column], table: pl.DataFrame | Iterable[Row], text: str = "") -> Layout:
    """Round the figures, and mark the best of each column where not all read the same; leave out columns without any figure."""
    figures = tuple(table.iter_rows(named=True) if isinstance(table, pl.DataFrame) else table)
    columns = [column for column in columns if column.text or any(row[column.key] is not None for row in figures)]
    best: dict[str, str] = {}
    if len(figures) > 1:
        for column in columns:
            known = [row for row in figures if column.best and row[column.key] is not None]
            if len({column.show(row) for row in known}) > 1:
                chosen = (max if column.best == "max" else min)(known, key=itemgetter(column.key))
                best[column.title] = column.show(chosen)
    rows = tuple(tuple(_shown(column, row, best.get(column.title)) for column in columns) for row in figures)
    return Layout(title, tuple(columns), rows, text)


def _shown(column: Column, row: Row, best: str | None) -> Shown:
    """Show one figure; all that read like the best one are marked."""
    text = column.show(row)
    return Shown(text, text == best, row[column.key])


def by_question_set(table: pl.DataFrame) -> Iterator[tuple[str, pl.DataFrame]]:
    """Part a table by its question sets, in their order."""
    for (name,), part in table.group_by(["question_set"], maintain_order=True):
        yield str(name), part
