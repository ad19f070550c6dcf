"""The tables that a benchmark report is made from, as whoever measured hands them in. Measuring does not belong here.

A cell is named by two columns, base_unit and strategy, or by one, cell = "base_unit/strategy". What is not known is null.
"""

import polars as pl

SUMMARIES_SCHEMA = pl.Schema(
    {
        "question_set": pl.String,
        "retriever": pl.String,  # the report's own, and "<it>_collapsed" for the other way through a tree of summaries
        "aggregation": pl.String,  # how similarities of chunks became scores of sections; the first one is the report's
        "measure": pl.String,  # R@10, nDCG@10, …
        "mean": pl.Float64,  # over the questions
        "low": pl.Float64,  # ends of its 95 % interval
        "high": pl.Float64,
        "questions": pl.Int64,
        "base_unit": pl.String,
        "strategy": pl.String,
        "subset": pl.String,  # of the question set: ALL, or such as "lang=de"; the column may be left out where all rows are ALL
    }
)
ALL = "all"

COSTS_SCHEMA = pl.Schema(
    {
        "base_unit": pl.String,
        "strategy": pl.String,
        "chunks": pl.Int64,
        "build_seconds": pl.Float64,  # offline, as if nothing had been cached: the sum of the five parts
        "parse_seconds": pl.Float64,
        "generate_seconds": pl.Float64,  # contexts, propositions, boundaries, summaries
        "embed_seconds": pl.Float64,
        "cluster_seconds": pl.Float64,
        "index_seconds": pl.Float64,
        "warm_seconds": pl.Float64,  # the same with every answer and vector cached
        "calls": pl.Int64,  # of the language model
        "input_tokens": pl.Int64,
        "output_tokens": pl.Int64,
        "cost_usd": pl.Float64,
        "search_ms": pl.Float64,  # median over single questions: search and aggregation
        "search_p95_ms": pl.Float64,
        "search_mean_ms": pl.Float64,
        "scan_ms": pl.Float64,  # median of a bare scan over the vectors, no aggregation
        "index_bytes": pl.Int64,  # on disk, without the text payload
    }
)
"""A row a cell; their order is the order of cells in the report."""

CHUNKING_SCHEMA = pl.Schema(
    {
        "base_unit": pl.String,
        "strategy": pl.String,
        "chunks": pl.Int64,
        "tokens_median": pl.Float64,  # of a chunk
        "tokens_p95": pl.Float64,
        "indexed_twice": pl.Float64,  # share of the text that is in more than one chunk, 0 to 1
        "broken": pl.Float64,  # share of chunks that begin or end inside a sentence
        "parents": pl.Float64,  # sections a chunk, mean
        "cut": pl.Float64,  # share of embedded texts longer than the model reads (512 tokens)
    }
)

COMPARISONS_SCHEMA = pl.Schema(
    {
        "question_set": pl.String,
        "measure": pl.String,  # "R@10", or "search_ms", where less is better
        "cell": pl.String,
        "mean": pl.Float64,
        "difference": pl.Float64,  # from the reference cell, whose own row has nothing but its mean
        "low": pl.Float64,  # ends of the difference's 95 % interval
        "high": pl.Float64,
        "p": pl.Float64,
        "p_holm": pl.Float64,
        "significant": pl.Boolean,
        "effect": pl.Float64,
        "won": pl.Int64,
        "tied": pl.Int64,
        "lost": pl.Int64,
    }
)

LATENCY = "search_ms"
"""The measure of which less is better."""

FRIEDMAN_SCHEMA = pl.Schema(
    {
        "question_set": pl.String,
        "measure": pl.String,
        "statistic": pl.Float64,
        "p": pl.Float64,  # 0 where it is smaller than a float can hold
        "kendall_w": pl.Float64,
    }
)

FAILURES_SCHEMA = pl.Schema(
    {
        "question_set": pl.String,
        "cell": pl.String,
        "query": pl.String,  # the question's id
        "question": pl.String,
        "gold": pl.String,  # citation of the missed section; a row each
        "cause": pl.String,  # a name, shown as it is
        "rank": pl.Int64,  # of the missed section; null where it is not among the candidates
        "found": pl.String,  # citation of the section ranked first in its place
        "linked": pl.String,  # citation of a found section that refers to the missed one or is referred to by it
        "overlap": pl.Float64,  # share of the question's words that the missed section has, 0 to 1
        "length": pl.Int64,  # of the missed section, in tokens
        "chapter": pl.String,  # where it stands in the law
        "gold_text": pl.String,
        "found_text": pl.String,
    }
)

MULTI_HOP_SCHEMA = pl.Schema(
    {
        "question_set": pl.String,
        "cell": pl.String,
        "retriever": pl.String,
        "questions": pl.Int64,  # those with at least two gold sections of which one refers to another
        "recall": pl.Float64,  # mean R@10 of these
        "all_gold": pl.Float64,  # share of these of which all gold sections are among the first ten
        "low": pl.Float64,  # ends of that share's 95 % interval
        "high": pl.Float64,
    }
)

SOURCES_SCHEMA = pl.Schema(
    {
        "table": pl.String,  # what lies there: "retrieval_run", "question_measures", …
        "cell": pl.String,  # null for what all cells share
        "file": pl.String,  # path in the profile's folder
        "run_id": pl.String,  # of the Dagster run that wrote it
    }
)
"""Where the figures of a report come from."""
