"""Cells in a row each, best first, with a mark, bar or range on a common axis. Which figure is shown: the modules that call it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from lawrag_assets.reporting.figures.axis import Axis
from lawrag_assets.reporting.figures.marks import Look, legend, mark
from lawrag_assets.reporting.figures.svg import NARROW, WIDE, Figure, element, picture, shortened, text, titled, width_of
from lawrag_assets.reporting.words import NOTHING

_VALUE = 66
"""Room for the written figure at the right."""
_LABELS = 220
"""The most that names get at the left."""


@dataclass(frozen=True)
class Ranked:
    """One row."""

    cell: str
    look: Look
    value: float | None
    written: str
    """The figure in words."""
    low: float | None = None
    """Ends of a range drawn through the mark."""
    high: float | None = None
    beside: float | None = None
    """A second figure, drawn as a small upright stroke."""


@dataclass(frozen=True)
class Ranking:
    """What all rows share."""

    title: str
    caption: str
    unit: str
    """Stands above the written figures."""
    axis: Axis
    rows: Sequence[Ranked]
    strategies: dict[str, Look]
    reference: float | None = None
    """A figure to draw a line at, through all rows."""
    bars: bool = False
    """Bars from the axis's low end, in place of marks."""


def ranking(shown: Ranking) -> Figure:
    """Draw the rows at both widths."""
    return Figure(shown.title, shown.caption, _drawn(shown, WIDE), _drawn(shown, NARROW))


def _drawn(shown: Ranking, width: float) -> str:
    """Draw: names left of the rows where it is wide, above them where it is narrow."""
    beside = width == WIDE
    longest = max(width_of(row.cell) for row in shown.rows)
    left = min(longest, _LABELS) + 12 if beside else 8
    right = width - (_VALUE if beside else 12)
    height = 20 if beside else 40
    key, top = legend(shown.strategies, width)
    first = top + 24
    bottom = first + height * len(shown.rows)

    def at(value: float) -> float:
        return left + (right - left) * shown.axis.share(value)

    parts = [key, text(shown.unit, width - 2, top + 12, text_anchor="end", class_="soft")]
    room = left  # what the tick before has taken
    for value, words in shown.axis.ticks:
        x, half = at(value), width_of(words) / 2
        parts.append(element("path", d=f"M{x:.1f} {first - 4:.1f}V{bottom:.1f}", class_="grid"))
        if x - half >= room - 20 and x + half < width - width_of(shown.unit) - 6:
            parts.append(text(words, x, top + 12, text_anchor="middle", class_="soft"))
            room = x + half + 26
    if shown.reference is not None:
        parts.append(element("path", d=f"M{at(shown.reference):.1f} {first - 4:.1f}V{bottom:.1f}", class_="reference"))
    for place, row in enumerate(shown.rows):
        y = first + height * place
        base, line = (y + 14, y + 10) if beside else (y + 15, y + 27)
        name = shortened(row.cell, (left - 10) if beside else width - _VALUE - 8)
        words = text(name, left - 10 if beside else 2, base, text_anchor="end" if beside else "start", class_="name")
        figure = text(row.written, width - 2, base, text_anchor="end", class_="value name")
        parts.append(titled(f"{row.cell}: {row.written}", words, figure, *_row(shown, row, at, line, left)))
    return picture(width, bottom + 6, shown.title, *parts)


def _row(shown: Ranking, row: Ranked, at: Callable[[float], float], y: float, left: float) -> list[str]:
    """Draw one row's range, bar or mark, and the stroke beside it."""
    if row.value is None:
        return []
    drawn = []
    x = at(row.value)
    if shown.bars:
        drawn.append(element("rect", x=left, y=y - 5, width=max(x - left, 1), height=10, class_=row.look.colour))
    if row.low is not None and row.high is not None:
        drawn.append(element("path", d=f"M{at(row.low):.1f} {y:.1f}H{at(row.high):.1f}", class_=f"range {row.look.colour}"))
    if row.beside is not None:
        drawn.append(element("path", d=f"M{at(row.beside):.1f} {y - 6:.1f}v12", class_="beside"))
    if not shown.bars:
        drawn.append(mark(row.look, x, y))
    return drawn


def written(value: float | None, form: str) -> str:
    """Write a figure, a dash where there is none."""
    return NOTHING if value is None else format(value, form)
