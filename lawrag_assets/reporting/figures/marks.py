"""How a strategy looks: a colour (Okabe and Ito's, told apart by the colour-blind) and a shape, so that neither is needed alone."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from lawrag_assets.reporting.figures.svg import element, text, width_of

_COLOURS = 7
_SHAPES = 6


@dataclass(frozen=True)
class Look:
    """Colour and shape of a strategy's marks."""

    colour: str
    """A class of the page's style sheet."""
    shape: int


def looks(strategies: Sequence[str]) -> dict[str, Look]:
    """Give each strategy a look, by their order; 42 are told apart."""
    named = dict.fromkeys(strategies)
    return {name: Look(f"c{place % _COLOURS}", place % _SHAPES) for place, name in enumerate(named)}


def mark(look: Look, x: float, y: float, r: float = 4.5) -> str:
    """Draw a strategy's mark around x, y."""
    if look.shape == 0:
        return element("circle", cx=x, cy=y, r=r, class_=look.colour)
    return element("polygon", points=_points(look.shape, x, y, r * 1.15), class_=look.colour)


def _points(shape: int, x: float, y: float, r: float) -> str:
    """Corners of a square, triangle, diamond, triangle on its head, cross."""
    if shape == 5:
        third = r / 2.6
        corners = [
            (-third, -r), (third, -r), (third, -third), (r, -third), (r, third), (third, third),
            (third, r), (-third, r), (-third, third), (-r, third), (-r, -third), (-third, -third),
        ]  # fmt: skip
    else:
        count, first = {1: (4, 45), 2: (3, -90), 3: (4, 0), 4: (3, 90)}[shape]
        angles = [math.radians(first + 360 * corner / count) for corner in range(count)]
        corners = [(r * math.cos(angle), r * math.sin(angle)) for angle in angles]
    return " ".join(f"{round(x + dx, 1):g},{round(y + dy, 1):g}" for dx, dy in corners)


def legend(named: dict[str, Look], width: float) -> tuple[str, float]:
    """Draw what the marks mean, in lines from the top, and return how high that is; nothing for a single strategy."""
    if len(named) < 2:
        return "", 0
    drawn, x, y = [], 6.0, 10.0
    for name, look in named.items():
        needed = 16 + width_of(name) + 12
        if x > 6 and x + needed > width:
            x, y = 6.0, y + 19
        drawn += [mark(look, x, y), text(name, x + 10, y + 4)]
        x += needed
    return element("g", *drawn), y + 14
