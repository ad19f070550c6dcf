"""How a dry run's forecast is shown."""

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from rich.table import Table

from lawrag_assets.cli.output import results

if TYPE_CHECKING:
    from lawrag_assets.forecast.lines import Forecast, Line


def forecast_json(forecast: "Forecast") -> dict[str, Any]:
    """The forecast as one JSON document."""
    lines = [asdict(line) for line in forecast.lines]
    return {"lines": lines, "total": asdict(forecast.total), "notes": forecast.notes}


def print_forecast(forecast: "Forecast") -> None:
    """A table by asset, partition and task of all that is not there yet, the sum, and how it was reckoned.

    "new" are answers or texts, "in" and "out" tokens.
    """
    asked = [line for line in forecast.lines if line.needed > line.kept]
    if asked:
        results.print(_table(asked))
        results.print()
    results.print(_in_all(forecast), soft_wrap=True, highlight=False)
    for note in forecast.notes:
        results.print(f"- {note}", soft_wrap=True, highlight=False, markup=False)


def _table(lines: "list[Line]") -> Table:
    table = Table(box=None, pad_edge=False)
    table.add_column("", no_wrap=True)
    for column in ("new", "calls", "in", "out", "price", "time"):
        table.add_column(column, justify="right", no_wrap=True)
    for asset in dict.fromkeys(line.asset for line in lines):
        table.add_row(asset)
        for line in lines:
            if line.asset == asset:
                table.add_row(f"  {': '.join(part for part in (line.partition, line.task) if part)}", *_figures(line))
    return table


def _figures(line: "Line") -> list[str]:
    about = "~" if line.guessed else ""
    counts = (line.needed - line.kept, line.calls, line.input_tokens, line.output_tokens)
    return [*(f"{about if count else ''}{_count(count)}" for count in counts), _price(line.cost), _time(line.seconds)]


def _in_all(forecast: "Forecast") -> str:
    total = forecast.total
    about = "about " if total.guessed else ""
    price = _price(total.cost) + (f" and what {total.unpriced} lines of unknown price cost" if total.unpriced else "")
    time = _time(total.seconds) + (f" and what {total.untimed} lines of unknown time take" if total.untimed else "")
    tokens = f"{total.input_tokens:,} tokens in and {total.output_tokens:,} out"
    there = f"{total.kept:,} of {total.needed:,} answers and vectors are there already"
    return f"in all {about}{total.calls:,} calls, {tokens}, {price}, {time} of waiting for models; {there}"


def _count(figure: int) -> str:
    """Four figures at most: a forecast is no more exact."""
    if figure >= 10_000_000:
        return f"{figure / 1e6:,.0f}M"
    if figure >= 1_000_000:
        return f"{figure / 1e6:.1f}M"
    return f"{figure / 1e3:.0f}k" if figure >= 10_000 else str(figure)


def _price(cost: float | None) -> str:
    return "unknown" if cost is None else f"${cost:,.2f}"


def _time(seconds: float | None) -> str:
    """In the unit that a person would say it in."""
    if seconds is None:
        return "unknown"
    if seconds >= 3600:
        return f"{seconds / 3600:.1f} h"
    return f"{seconds / 60:.0f} min" if seconds >= 60 else f"{seconds:.0f} s"
