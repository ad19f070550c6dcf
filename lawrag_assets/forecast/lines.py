"""What a forecast says: a line for each thing that an asset would ask a model for, and their sum."""

from collections.abc import Sequence
from dataclasses import dataclass, replace


@dataclass(frozen=True)
class Line:
    """What one asset's partition would ask one model for.

    `needed` are distinct requests or texts; `kept` those of them whose answers or vectors are there already, or come with a line before.
    `calls` are requests to a service if no answer has to be asked for twice. `cost` (US dollars) and `seconds` are None where there is
    nothing to reckon with. `guessed`: the figures follow from answers or vectors that were stood in for.
    """

    asset: str
    partition: str
    task: str
    model: str
    needed: int
    kept: int
    calls: int
    input_tokens: int
    output_tokens: int
    cost: float | None
    seconds: float | None
    guessed: bool


@dataclass(frozen=True)
class Total:
    """Lines together. `cost` and `seconds` sum up what is known of them; `unpriced` and `untimed` count the lines without."""

    needed: int
    kept: int
    calls: int
    input_tokens: int
    output_tokens: int
    cost: float
    unpriced: int
    seconds: float
    untimed: int
    guessed: bool


@dataclass(frozen=True)
class Forecast:
    """Lines in the order of a run, and in words how they were reckoned."""

    lines: list[Line]
    notes: list[str]

    @property
    def total(self) -> Total:
        """All lines together."""
        return Total(
            needed=sum(line.needed for line in self.lines),
            kept=sum(line.kept for line in self.lines),
            calls=sum(line.calls for line in self.lines),
            input_tokens=sum(line.input_tokens for line in self.lines),
            output_tokens=sum(line.output_tokens for line in self.lines),
            cost=sum(line.cost or 0.0 for line in self.lines),
            unpriced=sum(line.cost is None for line in self.lines),
            seconds=sum(line.seconds or 0.0 for line in self.lines),
            untimed=sum(line.seconds is None for line in self.lines),
            guessed=any(line.guessed for line in self.lines),
        )


def merged(lines: Sequence[Line]) -> list[Line]:
    """One line an asset's partition and task: what is asked level by level was noted level by level."""
    together: dict[tuple[str, str, str], Line] = {}
    for line in lines:
        key = (line.asset, line.partition, line.task)
        together[key] = _sum(together[key], line) if key in together else line
    return list(together.values())


def _sum(one: Line, other: Line) -> Line:
    return replace(
        one,
        needed=one.needed + other.needed,
        kept=one.kept + other.kept,
        calls=one.calls + other.calls,
        input_tokens=one.input_tokens + other.input_tokens,
        output_tokens=one.output_tokens + other.output_tokens,
        cost=None if one.cost is None or other.cost is None else one.cost + other.cost,
        seconds=None if one.seconds is None or other.seconds is None else one.seconds + other.seconds,
        guessed=one.guessed or other.guessed,
    )
