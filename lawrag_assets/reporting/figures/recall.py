"""R@10 of every cell with its interval."""

from lawrag_assets.reporting.benchmark import PRIMARY
from lawrag_assets.reporting.figures.axis import linear_axis
from lawrag_assets.reporting.figures.marks import Look
from lawrag_assets.reporting.figures.ranking import Ranked, Ranking, ranking, written
from lawrag_assets.reporting.figures.svg import Figure
from lawrag_assets.reporting.layout import Row


def recall_figure(rows: list[Row], looks: dict[str, Look], reference: str, of: str) -> Figure | None:
    """Draw the rows of one question set; None where fewer than two cells were measured."""
    known = [row for row in rows if row[PRIMARY] is not None]
    if len(known) < 2:
        return None
    ends = [row[key] for row in known for key in (PRIMARY, "R@10 low", "R@10 high") if row[key] is not None]
    held = next((row[PRIMARY] for row in known if row["cell"] == reference), None)
    ordered = sorted(rows, key=lambda row: (row[PRIMARY] is None, -(row[PRIMARY] or 0), row["cell"]))
    ranked = [
        Ranked(row["cell"], looks[row["strategy"]], row[PRIMARY], written(row[PRIMARY], ".3f"), row["R@10 low"], row["R@10 high"])
        for row in ordered
    ]
    caption = "Mean over the questions and its 95 % interval; the axis need not begin at 0."
    if held is not None:
        caption += f" Dashed: {reference}."
    used = {row["strategy"]: looks[row["strategy"]] for row in rows}
    axis = linear_axis(ends, from_zero=False)
    return ranking(Ranking(f"Recall{of}", caption, PRIMARY, axis, ranked, used, held))
