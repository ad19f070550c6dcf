"""Writing SVG: elements with everything escaped, coordinates rounded, and how wide a text will be. What is drawn: the other modules."""

from dataclasses import dataclass
from html import escape

TEXT = 7.2
"""Width of a letter at the figures' 12 pixels; generous, for fonts differ."""

WIDE, NARROW = 600, 340
"""Each figure is drawn for both widths, in pixels; the page shows the one that fits."""


@dataclass(frozen=True)
class Figure:
    """A picture with its words."""

    title: str
    caption: str
    """How to read it."""
    wide: str
    narrow: str


def element(name: str, *children: str, **attributes: str | float) -> str:
    """Write an element around children that are markup already; class_ for class, text_anchor for text-anchor."""
    written = "".join(f' {key.rstrip("_").replace("_", "-")}="{_value(value)}"' for key, value in attributes.items())
    return f"<{name}{written}>{''.join(children)}</{name}>" if children else f"<{name}{written}/>"


def text(words: str, x: float, y: float, **attributes: str | float) -> str:
    """Write words, their baseline's beginning (or as text_anchor says) at x, y."""
    return element("text", escape(words), x=x, y=y, **attributes)


def titled(words: str, *children: str) -> str:
    """Group children under words that a pointer resting on them shows."""
    return element("g", element("title", escape(words)), *children)


def picture(width: float, height: float, label: str, *children: str) -> str:
    """Write a whole picture; `label` is read to those who do not see it."""
    return element("svg", *children, viewBox=f"0 0 {_value(width)} {_value(height)}", role="img", aria_label=label)


def width_of(words: str) -> float:
    """Estimate the width of words in pixels."""
    return TEXT * len(words)


def shortened(words: str, width: float) -> str:
    """Cut words off with … where they are wider than `width`."""
    room = max(2, int(width / TEXT))
    return words if len(words) <= room else words[: room - 1] + "…"


def _value(value: str | float) -> str:
    return escape(value) if isinstance(value, str) else f"{round(value, 1):g}"
