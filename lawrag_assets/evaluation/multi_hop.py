"""Questions whose answer stands in two sections, one of which refers to the other: is all of it found?

A question counts where at least two of its gold sections are linked by a reference, in either direction. All of its gold sections have to
be among the first ten; that is R@10 = 1, so nothing is measured anew.
"""

import polars as pl

from lawrag_assets.evaluation.measures import PRIMARY

MULTI_HOP_SCHEMA = pl.Schema(
    {
        "question_set": pl.String,
        "cell": pl.String,
        "retriever": pl.String,
        "questions": pl.Int64,  # with linked gold
        "recall": pl.Float64,  # mean R@10 of these questions
        "all_gold": pl.Float64,  # share of these questions of which all gold sections are among the first ten
        "low": pl.Float64,  # ends of that share's 95 % interval (Wilson)
        "high": pl.Float64,
    }
)


def linked_questions(qrels: pl.DataFrame, references: pl.DataFrame) -> pl.DataFrame:
    """The questions with linked gold: question_set, query. `qrels` as `qrels.Qrels.table`, `references` has source and target."""
    pairs = qrels.join(qrels, on=["question_set", "query"], suffix="_other").filter(pl.col("section") != pl.col("section_other"))
    links = references.select(section="source", section_other="target")
    linked = pairs.join(links, on=["section", "section_other"], how="semi").select("question_set", "query").unique()
    return (
        qrels.select("question_set", "query")
        .unique(maintain_order=True)
        .join(linked, on=["question_set", "query"], how="semi", maintain_order="left")
    )


def multi_hop(measures: pl.DataFrame, linked: pl.DataFrame) -> pl.DataFrame:
    """How cells and retrievers do on linked questions: `MULTI_HOP_SCHEMA`.

    `measures` is question by question (`measures.PER_QUESTION_SCHEMA` and cell), of one aggregation a retriever.
    """
    asked = measures.join(linked, on=["question_set", "query"], how="semi", maintain_order="left")
    figures = asked.group_by("question_set", "cell", "retriever", maintain_order=True).agg(
        questions=pl.len(), recall=pl.col(PRIMARY).mean(), found=(pl.col(PRIMARY) == 1).sum()
    )
    ends = [_wilson(found, of) for found, of in figures.select("found", "questions").iter_rows()]
    return (
        figures.with_columns(
            all_gold=pl.col("found") / pl.col("questions"),
            low=pl.Series([low for low, _ in ends], dtype=pl.Float64),
            high=pl.Series([high for _, high in ends], dtype=pl.Float64),
        )
        .select(MULTI_HOP_SCHEMA.names())
        .cast(MULTI_HOP_SCHEMA)
    )


def _wilson(found: int, of: int) -> tuple[float, float]:
    from scipy.stats import binomtest

    ends = binomtest(found, of).proportion_ci(method="wilson")
    return float(ends.low), float(ends.high)
