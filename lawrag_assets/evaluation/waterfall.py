"""From one retriever to the next, what each step gains: a chain of comparisons on the same questions.

The tests are those of `significance`; here each step is held against the one before it, not against one reference.
"""

from collections.abc import Sequence

import polars as pl

from lawrag_assets.evaluation.significance import LEVEL, compare, holm

WATERFALL_SCHEMA = pl.Schema(
    {
        "step": pl.String,
        "mean": pl.Float64,  # of the step's values
        "gain": pl.Float64,  # over the step before; null in the first row, like all that follows
        "low": pl.Float64,  # ends of its 95 % bootstrap interval over questions
        "high": pl.Float64,
        "p": pl.Float64,
        "p_holm": pl.Float64,  # corrected for the number of steps
        "significant": pl.Boolean,
        "won": pl.Int64,
        "tied": pl.Int64,
        "lost": pl.Int64,
    }
)


def waterfall(values: pl.DataFrame, steps: Sequence[str]) -> pl.DataFrame:
    """Compare each step with the one before it: `WATERFALL_SCHEMA`, a row a step, in their order.

    `values` has query, step and value, a row for every query in every step. InputError as in `significance.compare`.
    """
    rows: list[dict[str, object]] = []
    labelled = values.rename({"step": "cell"})
    for before, step in zip([None, *steps[:-1]], steps, strict=True):
        names = [step] if before is None else [before, step]
        found = compare(labelled.filter(pl.col("cell").is_in(names)), reference=names[0]).table
        row = found.row(by_predicate=pl.col("cell") == step, named=True)
        rows.append(row | {"step": step, "gain": row["difference"]})
    table = pl.DataFrame(rows, schema_overrides=WATERFALL_SCHEMA).select(WATERFALL_SCHEMA.names())
    tested = table["p"].drop_nulls()
    corrected = pl.Series([None, *holm(tested.to_numpy()).tolist()] if len(steps) else [], dtype=pl.Float64)
    return table.with_columns(p_holm=corrected, significant=corrected <= LEVEL)
