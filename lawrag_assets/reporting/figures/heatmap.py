"""R@10 by base unit and strategy, as a table of shades."""

import math

from lawrag_assets.reporting.benchmark import PRIMARY
from lawrag_assets.reporting.figures.svg import NARROW, WIDE, Figure, element, picture, shortened, text, titled, width_of
from lawrag_assets.reporting.layout import Row
from lawrag_assets.reporting.words import NOTHING

_PALEST, _DEEPEST = 0.06, 0.78
"""Opacities; the deepest still lets the writing be read, light or dark."""


def heat_map(rows: list[Row], of: str) -> Figure | None:
    """Draw the rows of one question set; None where there are not two base units and two strategies to compare."""
    units = list(dict.fromkeys(row["base_unit"] for row in rows))
    strategies = list(dict.fromkeys(row["strategy"] for row in rows))
    known = [row[PRIMARY] for row in rows if row[PRIMARY] is not None]
    if len(units) < 2 or len(strategies) < 2 or len(known) < 2:
        return None
    values = {(row["base_unit"], row["strategy"]): row[PRIMARY] for row in rows}
    title = f"Base unit by strategy{of}"
    caption = f"R@10; the deeper, the more is found. Outlined: the most. {NOTHING}: not measured."
    return Figure(title, caption, *(_drawn(title, units, strategies, values, width) for width in (WIDE, NARROW)))


def _drawn(title: str, units: list[str], strategies: list[str], values: dict[tuple[str, str], float | None], width: float) -> str:
    left = min(max(width_of(unit) for unit in units), 0.36 * width) + 10
    longest = max(width_of(strategy) for strategy in strategies)
    cell = min((width - left - 4) / len(strategies), 92)
    turn = 0 if longest < cell - 6 else 35 if width == WIDE else 90
    if turn == 35:  # the last heading leans over the edge of the last column
        cell = min(cell, (width - left - 60) / len(strategies))
    room = min(longest, 120)
    top = room * math.sin(math.radians(turn)) + (16 if turn else 22)
    height = 30
    known = [value for value in values.values() if value is not None]
    low, high = min(known), max(known)

    parts = []
    for column, strategy in enumerate(strategies):
        x = left + cell * (column + 0.5)
        turned = {"transform": f"rotate({-turn} {x:.1f} {top - 7:.1f})"} if turn else {"text_anchor": "middle"}
        parts.append(
            text(shortened(strategy, room), x - (4 if turn == 35 else 0), top - (3 if turn == 90 else 7), class_="soft", **turned)
        )
    for row, unit in enumerate(units):
        y = top + height * row
        parts.append(text(shortened(unit, left - 10), left - 8, y + 19, text_anchor="end"))
        for column, strategy in enumerate(strategies):
            value = values.get((unit, strategy))
            x = left + cell * column
            shade = (
                _PALEST + (_DEEPEST - _PALEST) * ((value - low) / (high - low) if high > low else 1) if value is not None else 0
            )
            kind = "nothing" if value is None else "heat most" if value == high else "heat"
            box = element("rect", x=x + 1, y=y + 1, width=cell - 2, height=height - 2, class_=kind, fill_opacity=f"{shade:.2f}")
            words = NOTHING if value is None else f"{value:.3f}"
            written = text(words, x + cell / 2, y + 19, text_anchor="middle", class_="soft" if value is None else "value")
            parts.append(titled(f"{unit}/{strategy}: {words}", box, written))
    return picture(width, top + height * len(units) + 4, title, *parts)
