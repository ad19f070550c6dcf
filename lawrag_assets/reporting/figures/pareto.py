"""Recall against what building costs, with the cells that no other beats on both counts."""

from dataclasses import dataclass

from lawrag_assets.reporting.benchmark import PRIMARY
from lawrag_assets.reporting.figures.axis import Axis, duration_axis, linear_axis
from lawrag_assets.reporting.figures.marks import Look, legend, mark
from lawrag_assets.reporting.figures.svg import NARROW, WIDE, Figure, element, picture, text, titled, width_of
from lawrag_assets.reporting.layout import Row
from lawrag_assets.reporting.words import duration, listed


def pareto_figure(rows: list[Row], looks: dict[str, Look], of: str) -> Figure | None:
    """Draw the rows of one question set; None where recall and build time are known of fewer than two cells."""
    known = [row for row in rows if row[PRIMARY] is not None and row["build_seconds"]]
    if len(known) < 2:
        return None
    best = front(known)
    axes = (
        duration_axis([row["build_seconds"] for row in known]),
        linear_axis([row[PRIMARY] for row in known], from_zero=False),
    )
    caption = (
        f"R@10 by build time (logarithmic). No cell finds more in less time than {listed([row['cell'] for row in best])}, "
        "which the line joins."
    )
    title = f"Recall against build time{of}"
    used = {row["strategy"]: looks[row["strategy"]] for row in rows}
    return Figure(
        title,
        caption,
        *(_drawn(title, known, best, axes, used, width) for width in (WIDE, NARROW)),
    )


def front(rows: list[Row]) -> list[Row]:
    """Choose the rows that no other beats on recall and build time, quickest first; of equal ones all."""
    chosen: list[Row] = []
    for row in sorted(rows, key=lambda row: (row["build_seconds"], -row[PRIMARY], row["cell"])):
        last = chosen[-1] if chosen else None
        same = last and (last["build_seconds"], last[PRIMARY]) == (row["build_seconds"], row[PRIMARY])
        if last is None or row[PRIMARY] > last[PRIMARY] or same:
            chosen.append(row)
    return chosen


@dataclass(frozen=True)
class _Box:
    """A rectangle that is taken."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: "_Box") -> bool:
        return self.left < other.right and other.left < self.right and self.top < other.bottom and other.top < self.bottom


def _drawn(title: str, rows: list[Row], best: list[Row], axes: tuple[Axis, Axis], looks: dict[str, Look], width: float) -> str:
    across, up = axes
    key, top = legend(looks, width)
    left, right = max(width_of(words) for _, words in up.ticks) + 14, width - 16
    high, low = top + 22, top + 22 + (300 if width == WIDE else 260)

    def at(row: Row) -> tuple[float, float]:
        return left + (right - left) * across.share(row["build_seconds"]), low - (low - high) * up.share(row[PRIMARY])

    parts = [key, text("R@10", 2, top + 10, class_="soft")]
    for value, words in across.ticks:
        x = left + (right - left) * across.share(value)
        parts.append(element("path", d=f"M{x:.1f} {high:.1f}V{low:.1f}", class_="grid"))
        parts.append(text(words, x, low + 17, text_anchor="middle", class_="soft"))
    for value, words in up.ticks:
        y = low - (low - high) * up.share(value)
        parts.append(element("path", d=f"M{left:.1f} {y:.1f}H{right:.1f}", class_="grid"))
        parts.append(text(words, left - 7, y + 4, text_anchor="end", class_="soft"))
    parts.append(text("build time", right, low + 34, text_anchor="end", class_="soft"))

    steps = [at(row) for row in best]
    line = "".join(f"H{x:.1f}V{y:.1f}" for x, y in steps[1:])
    parts.append(element("path", d=f"M{steps[0][0]:.1f} {steps[0][1]:.1f}{line}H{right:.1f}", class_="front"))
    beaten = [row for row in rows if row not in best]
    for row in [*beaten, *best]:
        words = f"{row['cell']}: R@10 {row[PRIMARY]:.3f}, built in {duration(row['build_seconds'])}"
        parts.append(
            titled(words, element("g", mark(looks[row["strategy"]], *at(row)), class_="beaten" if row in beaten else "best"))
        )
    taken = [_Box(x - 6, y - 6, x + 6, y + 6) for x, y in (at(row) for row in rows)]
    for row, (x, y) in zip(best, steps, strict=True):
        label = _label(row["cell"], x, y, taken, _Box(left, high - 8, width, low))
        parts += [label] if label else []
    return picture(width, low + 40, title, *parts)


def _label(words: str, x: float, y: float, taken: list[_Box], within: _Box) -> str | None:
    """Write a name beside its mark where there is room, and take the room; the caption has the names that find none."""
    wide = width_of(words)
    for anchor, dx, dy in (
        ("end", -9, -5), ("start", 9, 14), ("middle", 0, -11), ("middle", 0, 21), ("start", 9, -5), ("end", -9, 14),
        ("start", 12, 4), ("end", -12, 4), ("end", -9, -18), ("start", 9, 27), ("end", -9, 27), ("start", 9, -18),
    ):  # fmt: skip
        begin = x + dx - {"start": 0, "middle": wide / 2, "end": wide}[anchor]
        box = _Box(begin, y + dy - 11, begin + wide, y + dy + 3)
        inside = box.left >= within.left and box.right <= within.right and box.top >= within.top and box.bottom <= within.bottom
        if inside and not any(box.meets(other) for other in taken):
            taken.append(box)
            return text(words, x + dx, y + dy, text_anchor=anchor, class_="halo")
    return None
