"""What cells cost: latency, build time and size, a figure each."""

from collections.abc import Callable

from lawrag_assets.reporting.figures.axis import Axis, duration_axis, linear_axis
from lawrag_assets.reporting.figures.marks import Look
from lawrag_assets.reporting.figures.ranking import Ranked, Ranking, ranking, written
from lawrag_assets.reporting.figures.svg import Figure
from lawrag_assets.reporting.layout import Row
from lawrag_assets.reporting.words import NOTHING, duration


def latency_figure(rows: list[Row], looks: dict[str, Look], reference: str) -> Figure | None:
    """Draw the time of a search: median, 95th percentile, and the bare scan; None where fewer than two cells were timed."""
    caption = "Median time of a search with ranking its sections."
    if any(row["search_p95_ms"] is not None for row in rows):
        caption += " Line: up to the 95th percentile."
    if any(row["scan_ms"] is not None for row in rows):
        caption += " Stroke: the bare scan."
    return _figure(
        ("Latency", caption, "ms"),
        rows,
        looks,
        reference,
        "search_ms",
        lambda values: linear_axis(values, from_zero=True),
        lambda row: written(row["search_ms"], ".2f"),
        ("search_p95_ms", "scan_ms"),
    )


def build_figure(rows: list[Row], looks: dict[str, Look], reference: str) -> Figure | None:
    """Draw the time that building takes, on a logarithmic axis; None where fewer than two cells were timed."""
    caption = "Everything that the cell needs, as if nothing had been cached; logarithmic axis."
    if any(row["warm_seconds"] is not None for row in rows):
        caption += " Stroke: with answers and vectors cached."
    rows = [row | {key: row[key] or None for key in ("build_seconds", "warm_seconds")} for row in rows]  # no logarithm of 0
    return _figure(
        ("Build time", caption, "time"),
        rows,
        looks,
        reference,
        "build_seconds",
        duration_axis,
        lambda row: NOTHING if row["build_seconds"] is None else duration(row["build_seconds"]),
        (None, "warm_seconds"),
    )


def size_figure(rows: list[Row], looks: dict[str, Look], reference: str) -> Figure | None:
    """Draw the size of the index as bars; None where it is known of fewer than two cells."""
    rows = [row | {"index_mb": None if row["index_bytes"] is None else row["index_bytes"] / 1e6} for row in rows]
    return _figure(
        ("Size of the index", "Vectors, ids and citations on disk, without the chunks’ text.", "MB"),
        rows,
        looks,
        reference,
        "index_mb",
        lambda values: linear_axis(values, from_zero=True),
        lambda row: written(row["index_mb"], ",.2f"),
        (None, None),
        bars=True,
    )


def _figure(
    words: tuple[str, str, str],
    rows: list[Row],
    looks: dict[str, Look],
    reference: str,
    key: str,
    axis: Callable[[list[float]], Axis],
    show: Callable[[Row], str],
    further: tuple[str | None, str | None],
    *,
    bars: bool = False,
) -> Figure | None:
    """Draw the least first; `words` are title, caption and unit, `further` the keys of a range's end and of a stroke."""
    known = [row for row in rows if row[key] is not None]
    if len(known) < 2:
        return None
    end, stroke = further
    held = next((row[key] for row in known if row["cell"] == reference), None)
    ordered = sorted(rows, key=lambda row: (row[key] is None, row[key] or 0, row["cell"]))
    ranked = [
        Ranked(
            row["cell"],
            looks[row["strategy"]],
            row[key],
            show(row),
            low=row[key] if end and row[end] is not None else None,
            high=row[end] if end else None,
            beside=row[stroke] if stroke else None,
        )
        for row in ordered
    ]
    values = [row[name] for row in known for name in (key, end, stroke) if name and row[name] is not None]
    title, caption, unit = words
    if held is not None:
        caption += f" Dashed: {reference}."
    used = {row["strategy"]: looks[row["strategy"]] for row in rows}
    return ranking(Ranking(title, caption, unit, axis(values), ranked, used, held, bars))
