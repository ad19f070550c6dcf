"""The regression gate's file of expected figures, and the table of what has changed. What is measured stands in the test."""

import csv
from collections.abc import Mapping
from io import StringIO
from pathlib import Path

EXPECTED = Path(__file__).parent / "expected.csv"
"""R@10 of each cell on the sample law's answerable questions, to three decimals."""

ACCEPT = "make accept-benchmark"


def read_expected() -> dict[str, str]:
    """The expected figures by cell."""
    with EXPECTED.open(encoding="utf-8", newline="") as file:
        return {row["cell"]: row["R@10"] for row in csv.DictReader(file)}


def write_expected(figures: Mapping[str, str]) -> None:
    """Make these the expected figures."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerows([("cell", "R@10"), *figures.items()])
    EXPECTED.write_text(text.getvalue(), encoding="utf-8")


def changes(expected: Mapping[str, str], now: Mapping[str, str]) -> str:
    """A table of the cells whose figure is another one now, or that are there on one side only; empty where nothing has changed."""
    cells = [cell for cell in {**expected, **now} if expected.get(cell) != now.get(cell)]
    if not cells:
        return ""
    rows = [(cell, expected.get(cell, "–"), now.get(cell, "–"), _difference(expected.get(cell), now.get(cell))) for cell in cells]
    width = max(len(cell) for cell in cells)
    lines = [f"{cell:<{width}}  {before:>8}  {after:>6}  {difference:>10}" for cell, before, after, difference in rows]
    head = f"{'cell':<{width}}  {'expected':>8}  {'now':>6}  {'difference':>10}"
    return "\n".join(["R@10 on the sample law has changed:", "", head, *lines, "", f"If this is meant: {ACCEPT}"])


def _difference(before: str | None, after: str | None) -> str:
    return f"{float(after) - float(before):+.3f}" if before and after else ""
