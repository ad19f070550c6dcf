"""The regression gate's file of expected figures, and the table of what has changed. What is measured stands in the test."""

import csv
from collections.abc import Mapping
from decimal import ROUND_HALF_UP, Decimal
from io import StringIO
from pathlib import Path

EXPECTED = Path(__file__).parent / "expected.csv"
"""R@10 of each cell on the sample law's answerable questions, to three decimals."""
ANSWERS = Path(__file__).parent / "expected_answers.csv"
"""What routing, reranking, refusing, attributing and citing come to on the sample law."""

ACCEPT = "make accept-benchmark"


def read_expected(file: Path) -> dict[str, str]:
    """The expected figures by name."""
    with file.open(encoding="utf-8", newline="") as text:
        return {row["figure"]: row["expected"] for row in csv.DictReader(text)}


def write_expected(file: Path, figures: Mapping[str, str]) -> None:
    """Make these the expected figures."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerows([("figure", "expected"), *figures.items()])
    file.write_text(text.getvalue(), encoding="utf-8")


def changes(expected: Mapping[str, str], now: Mapping[str, str]) -> str:
    """A table of the figures that are others now, or that are there on one side only; empty where nothing has changed."""
    names = [name for name in {**expected, **now} if expected.get(name) != now.get(name)]
    if not names:
        return ""
    rows = [(name, expected.get(name, "–"), now.get(name, "–"), _difference(expected.get(name), now.get(name))) for name in names]
    width = max(map(len, names))
    lines = [f"{name:<{width}}  {before:>8}  {after:>6}  {difference:>10}" for name, before, after, difference in rows]
    head = f"{'':<{width}}  {'expected':>8}  {'now':>6}  {'difference':>10}"
    return "\n".join(["Figures on the sample law have changed:", "", head, *lines, "", f"If this is meant: {ACCEPT}"])


def three_decimals(mean: float) -> str:
    """The mean to three decimals, a half upwards: 102/160 is 0.638, whichever side of 0.6375 the last bit of a sum falls on."""
    return str(Decimal(str(round(mean, 6))).quantize(Decimal("0.001"), ROUND_HALF_UP))


def _difference(before: str | None, after: str | None) -> str:
    return f"{float(after) - float(before):+.3f}" if before and after else ""
