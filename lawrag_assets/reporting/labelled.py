"""The figures of retrievers that use labels, and of retrievers beside cells, as whoever measured hands them in."""

from dataclasses import dataclass

import polars as pl

SUPERVISED_SCHEMA = pl.Schema(
    {
        "question_set": pl.String,
        "retriever": pl.String,
        "mean": pl.Float64,  # R@10 over the measured questions
        "low": pl.Float64,  # ends of its 95 % interval
        "high": pl.Float64,
        "cites": pl.Float64,  # R@10 over the questions that cite a section themselves; null where there are none
        "others": pl.Float64,  # over the others
        "questions": pl.Int64,
        "citing": pl.Int64,  # questions that cite a section themselves
    }
)
STEPS_SCHEMA = pl.Schema(
    {
        "question_set": pl.String,
        "step": pl.String,
        "without": pl.Float64,  # R@10 of a step without labels; null for the others
        "with": pl.Float64,  # R@10 of a step with labels; null for the others
        "gain": pl.Float64,
        "low": pl.Float64,
        "high": pl.Float64,
        "p": pl.Float64,
        "p_holm": pl.Float64,
        "significant": pl.Boolean,
    }
)
EXPOSURE_SCHEMA = pl.Schema(
    {
        "question_set": pl.String,
        "retriever": pl.String,
        "band": pl.String,  # training questions that the gold section answers
        "gold": pl.Int64,
        "recall": pl.Float64,
    }
)


@dataclass(frozen=True)
class LabelledFigures:
    """What was measured of retrievers that use labels."""

    supervised: pl.DataFrame
    """`SUPERVISED_SCHEMA`."""
    steps: pl.DataFrame
    """`STEPS_SCHEMA`."""
    exposure: pl.DataFrame
    """`EXPOSURE_SCHEMA`."""
    left_out: int
    """Training questions left out because a measured one is the same or nearly so."""


def retriever_figures(summaries: pl.DataFrame) -> pl.DataFrame:
    """question_set, cell, retriever, mean, low, high of R@10, from summaries like `frames.SUMMARIES_SCHEMA`, with the column cell."""
    first = pl.col("aggregation") == pl.col("aggregation").first().over("question_set", "cell", "retriever")
    shown = summaries.filter(pl.col("measure") == "R@10", pl.col("subset") == "all").filter(first)
    return shown.select("question_set", "cell", "retriever", "mean", "low", "high")
