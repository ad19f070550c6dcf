"""From figures to pixels: linear and logarithmic axes with round ticks."""

import math
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Axis:
    """Maps figures of one kind to pixels."""

    low: float
    high: float
    ticks: tuple[tuple[float, str], ...]
    """Where a line is drawn, and what is written to it."""
    log: bool = False

    def share(self, value: float) -> float:
        """Return where between both ends a figure lies, 0 to 1."""
        if self.log:
            return (math.log(value) - math.log(self.low)) / (math.log(self.high) - math.log(self.low))
        return (value - self.low) / (self.high - self.low)


def linear_axis(values: Sequence[float], *, from_zero: bool, ticks: int = 5) -> Axis:
    """Make an axis with about so many ticks at 1, 2 or 5 times a power of ten."""
    low, high = (0.0 if from_zero else min(values)), max(values)
    if high <= low:  # a single figure
        low, high = (0.0, high or 1.0) if from_zero else (max(0.0, low - 0.05), high + 0.05)
    raw = (high - low) / ticks
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= raw * 0.999)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    decimals = max(0, -math.floor(math.log10(step) + 1e-9))
    marked = tuple((count * step, f"{count * step:,.{decimals}f}") for count in range(first, last + 1))
    return Axis(first * step, last * step, marked)


_DURATIONS = (0.001, 0.01, 0.1, 1.0, 10.0, 60.0, 600.0, 3600.0, 36_000.0, 360_000.0, 3_600_000.0)
_NAMES: dict[float, str] = {
    60.0: "1 m",
    600.0: "10 m",
    3600.0: "1 h",
    36_000.0: "10 h",
    360_000.0: "100 h",
    3_600_000.0: "1000 h",
}


def duration_axis(values: Sequence[float]) -> Axis:
    """Make a logarithmic axis for seconds, all above 0."""
    lowest, highest = min(values), max(values)
    low = max((tick for tick in _DURATIONS if tick <= lowest), default=lowest)
    high = min((tick for tick in _DURATIONS if tick >= highest and tick > low), default=highest * 2)
    marked = tuple((tick, _NAMES.get(tick) or f"{tick:g} s") for tick in _DURATIONS if low <= tick <= high)
    return Axis(low, high, marked, log=True)
