"""Measures of a run, computed by ir_measures: per question, and averaged with bootstrap intervals.

Averages run over all answerable questions; one for which a run has nothing counts 0. Comparing cells does not belong here.
"""

from collections.abc import Iterator

import numpy as np
import polars as pl

PRIMARY = "R@10"
MEASURES = ("R@1", "R@5", "R@10", "R@25", "R@100", "RR@10", "nDCG@10", "Success@10")
"""Names as ir_measures prints and parses them. R@10 is the paper's; a cutoff counts distinct sections."""

_GROUP = ["question_set", "retriever", "aggregation"]

PER_QUESTION_SCHEMA = pl.Schema(
    {
        "question_set": pl.String,
        "retriever": pl.String,
        "aggregation": pl.String,
        "query": pl.String,
        **dict.fromkeys(MEASURES, pl.Float64),  # one column a measure, in [0, 1]
    }
)
SUMMARY_SCHEMA = pl.Schema(
    {
        "question_set": pl.String,
        "retriever": pl.String,
        "aggregation": pl.String,
        "measure": pl.String,
        "mean": pl.Float64,  # over the answerable questions
        "low": pl.Float64,  # ends of the 95 % bootstrap interval over questions; null for a single question
        "high": pl.Float64,
        "questions": pl.Int64,  # answerable ones
    }
)

ALL = "all"
"""The subset of a question set that is the whole of it."""

_RESAMPLES = 2000
_SEED = 20260608


def evaluate(run: pl.DataFrame, qrels: pl.DataFrame) -> pl.DataFrame:
    """Measure a run question by question: a table of `PER_QUESTION_SCHEMA`.

    `run` is a run table (`retrieval.run.RUN_SCHEMA`; any number of question sets, retrievers and aggregations), `qrels` has
    question_set, query, section. Every query of `qrels` gets a row in each group of its question set, in their order; queries
    without qrels (unanswerable questions) get none.
    """
    import ir_measures

    measures = [ir_measures.parse_measure(name) for name in MEASURES]
    deepest = max(measure["cutoff"] for measure in measures)
    tables = [PER_QUESTION_SCHEMA.to_frame()]
    for question_set, gold in _by_question_set(qrels):
        evaluator = ir_measures.evaluator(measures, _nested(gold.with_columns(value=pl.lit(1))))
        queries = gold.select("query").unique(maintain_order=True)
        judged = run.filter(pl.col("question_set") == question_set, pl.col("rank") <= deepest)
        for group, ranking in judged.group_by(_GROUP, maintain_order=True):
            found = ranking.join(queries, on="query", how="semi").rename({"score": "value"})
            values = [(m.query_id, str(m.measure), float(m.value)) for m in evaluator.iter_calc(_nested(found))]
            wide = pl.DataFrame(values, schema=["query", "measure", "value"], orient="row").cast(
                {"query": pl.String, "measure": pl.String, "value": pl.Float64}
            )
            wide = wide.pivot("measure", index="query", values="value")
            labels = [pl.lit(value, dtype=pl.String).alias(name) for name, value in zip(_GROUP, group, strict=True)]
            missing = [pl.lit(0.0).alias(name) for name in MEASURES if name not in wide.columns]
            full = queries.join(wide, on="query", how="left", maintain_order="left").with_columns(*labels, *missing)
            tables.append(full.with_columns(pl.col(MEASURES).fill_null(0.0)).select(PER_QUESTION_SCHEMA.names()))
    return pl.concat(tables)


def summarize_subsets(per_question: pl.DataFrame, questions: pl.DataFrame) -> pl.DataFrame:
    """`summarize`, once over all questions and once over those of each language where a set has several.

    `questions` is a table of `evaluation.questions.QUESTIONS_SCHEMA`. The table has the column `subset` besides: "all", "lang=de".
    """
    languages = questions.select("question_set", pl.col("id").alias("query"), "lang")
    several = languages.group_by("question_set").agg(pl.col("lang").drop_nulls().n_unique()).filter(pl.col("lang") > 1)
    spoken = per_question.join(several.select("question_set"), on="question_set", how="semi").join(
        languages.drop_nulls("lang"), on=["question_set", "query"], maintain_order="left"
    )
    parts = [summarize(per_question).with_columns(subset=pl.lit(ALL))]
    for (language,), asked in spoken.group_by("lang", maintain_order=True):
        parts.append(summarize(asked.drop("lang")).with_columns(subset=pl.lit(f"lang={language}")))
    return pl.concat(parts)


def summarize(per_question: pl.DataFrame) -> pl.DataFrame:
    """Average the measures of each group over its questions, with intervals: a table of `SUMMARY_SCHEMA`.

    The intervals are percentile bootstrap intervals (2,000 resamples of the questions, fixed seed: the same questions in the same
    order give the same interval to the digit).
    """
    rows = []
    for group, table in per_question.group_by(_GROUP, maintain_order=True):
        values = table.select(MEASURES).to_numpy()
        low, high = _interval(values)
        for column, name in enumerate(MEASURES):
            rows.append((*group, name, values[:, column].mean(), low[column], high[column], len(values)))
    return pl.DataFrame(rows, schema=SUMMARY_SCHEMA, orient="row")


def _interval(values: np.ndarray) -> tuple[list[float | None], list[float | None]]:
    """95 % interval of each column's mean; (questions, measures) → low and high of each measure."""
    if len(values) < 2:
        nothing: list[float | None] = [None] * values.shape[1]
        return nothing, nothing
    from scipy import stats

    generator = np.random.default_rng(_SEED)
    result = stats.bootstrap(
        (values,), np.mean, axis=0, n_resamples=_RESAMPLES, batch=50, method="percentile", confidence_level=0.95, rng=generator
    )
    return result.confidence_interval.low.tolist(), result.confidence_interval.high.tolist()


def _by_question_set(qrels: pl.DataFrame) -> Iterator[tuple[str, pl.DataFrame]]:
    for (question_set,), gold in qrels.group_by(["question_set"], maintain_order=True):
        yield str(question_set), gold


def _nested(table: pl.DataFrame) -> dict[str, dict[str, float]]:
    """Turn query, section, value into a dictionary of dictionaries, as trec_eval's tools want it."""
    grouped = table.group_by("query", maintain_order=True).agg("section", "value")
    return {query: dict(zip(sections, values, strict=True)) for query, sections, values in grouped.iter_rows()}
