"""What labelled questions buy, apart from what is had without them: baselines, exposure, the price of reserved places.

Measuring belongs to `ranking` and `evaluation`; figures with and without labels never stand in one column.
"""

import polars as pl

from lawrag_assets.reporting.labelled import LabelledFigures
from lawrag_assets.reporting.layout import Column, Layout, Section, by_question_set, interval, lay_out, number, words

NOTES = {
    "popularity": "Sections by how many training questions they answer, whatever is asked: the least that labels give.",
    "question_memory": "Sections of the 100 training questions that are most like the one asked.",
    "logistic": "Logistic regression over sections.",
    "learned": "Trees that weigh all of it against what is found without labels.",
}


def labelled_section(figures: LabelledFigures | None) -> Section | None:
    """Lay out what labels buy; None where nothing was learned."""
    if figures is None or figures.supervised.is_empty():
        return None
    layouts = [_supervised(name, table) for name, table in by_question_set(figures.supervised)]
    layouts += [_steps(name, table) for name, table in by_question_set(figures.steps)]
    layouts += [_exposure(name, table) for name, table in by_question_set(figures.exposure)]
    left_out = (
        f" {figures.left_out:,} training questions were left out because a measured one is the same or nearly so."
        if figures.left_out
        else " No training question was the same as a measured one, or nearly so."
    )
    text = (
        "No question was ranked by what had learned from it: sets that are learned from are cross-validated in five folds, and "
        f"near-duplicates are never parted.{left_out} These figures need labelled questions of the same kind and favour what was often "
        "asked: they are no better chunking, and are not to be compared with figures without labels."
    )
    return Section("labelled", "With labelled questions", text, tuple(layouts))


def _supervised(name: str, table: pl.DataFrame) -> Layout:
    citing = max(table["citing"].to_list())
    cite = f"Over the {citing:,} questions that cite a section themselves." if citing else ""
    columns = (
        Column("retriever", "What ranks.", "retriever", words("retriever"), text=True),
        Column("R@10", "Over all measured questions.", "mean", number("mean", ".3f"), "max"),
        Column("95 % interval", "Of R@10.", "low", interval("low", "high", ".3f")),
        Column("citing", cite, "cites", number("cites", ".3f"), "max"),
        Column("others", "Over the questions that cite none.", "others", number("others", ".3f"), "max"),
    )
    told = " ".join(f"{key}: {note}" for key, note in NOTES.items() if key in table["retriever"])
    reserved = (
        " learned_reserving_n keeps n of the ten places for sections without training questions; "
        "what that costs is its distance from learned."
    )
    return lay_out(f"With labels, on {name}", columns, table, told + (reserved if table.height > len(NOTES) else ""))


def _steps(name: str, table: pl.DataFrame) -> Layout:
    form = "+.3f"
    columns = (
        Column("step", "Each on top of the one before.", "step", words("step"), text=True),
        Column("R@10 without labels", "", "without", number("without", ".3f")),
        Column("R@10 with labels", "", "with", number("with", ".3f")),
        Column("gain", "Over the step before, on the same questions.", "gain", number("gain", form)),
        Column("95 % interval", "Of the gain.", "low", interval("low", "high", form)),
        Column("p (Holm)", "Corrected for the number of steps.", "p_holm", number("p_holm", ".4f")),
        Column("significant", "p (Holm) of at most 0.05.", "verdict", words("verdict"), text=True),
    )
    verdict = pl.when(pl.col("significant")).then(pl.lit("yes")).when(~pl.col("significant")).then(pl.lit("no"))
    return lay_out(f"From the paper’s retrieval to the last step, on {name}", columns, table.with_columns(verdict=verdict))


def _exposure(name: str, table: pl.DataFrame) -> Layout:
    sizes = table.group_by("band", maintain_order=True).agg(pl.col("gold").max())
    columns = [Column("retriever", "", "retriever", words("retriever"), text=True)]
    columns += [
        Column(
            band, f"Recall of the {gold:,} gold sections that answer {band} training questions.", band, number(band, ".3f"), "max"
        )
        for band, gold in sizes.iter_rows()
    ]
    wide = table.pivot("band", index="retriever", values="recall")
    return lay_out(f"By how often the gold section was seen in training, on {name}", columns, wide)
