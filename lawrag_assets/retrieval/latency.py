"""Timing searches of single questions: many indexes under the same conditions, beside the bare scan that none can beat.

As in the paper (section 4, "Query performance and build time"): what is timed is the search for 100 chunks and their aggregation to
sections, five times over, without embedding the question and without reading text. What the times say of indexes is not known here.
"""

import gc
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager

import numpy as np
import polars as pl
from threadpoolctl import threadpool_limits

from lawrag_assets.retrieval.aggregation import DEFAULT_AGGREGATION, aggregation_named, rank_sections
from lawrag_assets.retrieval.dense import CANDIDATES
from lawrag_assets.retrieval.hits import Floats, Ints
from lawrag_assets.retrieval.index import Index

RUNS = 5
QUESTIONS = 100
"""Five hundred searches an index make a 95th percentile; more would take long for the 45 cells of a code of law."""
_WARM_UP = 10
"""Searches at the beginning of each turn that do not count."""

LATENCY_SCHEMA = pl.Schema(
    {
        "index": pl.String,
        "run": pl.Int32,  # from 1
        "question": pl.Int32,  # position among the questions
        "search_ms": pl.Float64,  # search and aggregation
        "scan_ms": pl.Float64,  # the bare scan of the same vectors
    }
)


def spread(count: int, limit: int = QUESTIONS) -> Ints:
    """Positions of at most `limit` things out of `count`, at even distances."""
    return np.linspace(0, count - 1, min(limit, count)).astype(np.int64)


def measure_latency(
    indexes: Mapping[str, Callable[[], Index]],
    query_vectors: Floats,
    *,
    runs: int = RUNS,
    aggregation: str = DEFAULT_AGGREGATION,
    candidates: int = CANDIDATES,
    progress: Callable[[int, int], None] = lambda _done, _total: None,
) -> pl.DataFrame:
    """Time every question on every index, `runs` times: a table of `LATENCY_SCHEMA`.

    `indexes` opens each index by its name, so that one at a time is in memory; `query_vectors` is (questions, d), normalised. In each
    run every index has a turn; the order is rotated from run to run, so that a machine that grows slow or busy favours none. Search
    and bare scan of a question follow one another, on one thread: threads that wait for a core which another process holds would
    time that process. A turn begins with searches that do not count, and Python's collector of garbage does not interrupt it.
    `progress` is told how many of how many turns are done.
    """
    aggregate = aggregation_named(aggregation)
    names = list(indexes)
    tables = [LATENCY_SCHEMA.to_frame()]
    for run in range(runs if len(query_vectors) else 0):
        first = run * len(names) // runs
        for name in names[first:] + names[:first]:
            index = indexes[name]()

            def search(query: Floats, index: Index = index) -> object:
                return rank_sections(index.search(query, candidates), index.parents, aggregate)

            def scan(query: Floats, vectors: Floats = index.vectors) -> object:
                return bare_scan(vectors, query, candidates)

            with threadpool_limits(1), _no_garbage_collected():
                for place in range(_WARM_UP):
                    query = query_vectors[place % len(query_vectors)][None, :]
                    search(query), scan(query)
                times = [(_ms(search, query[None, :]), _ms(scan, query[None, :])) for query in query_vectors]
            searched, scanned = zip(*times, strict=True)
            columns = {"index": name, "run": run + 1, "question": range(len(times)), "search_ms": searched, "scan_ms": scanned}
            tables.append(pl.DataFrame(columns, schema=LATENCY_SCHEMA))
            progress(len(tables) - 1, runs * len(names))
    return pl.concat(tables)


def bare_scan(vectors: Floats, query: Floats, k: int) -> Ints:
    """Find the `k` nearest vectors of one question (1, d), in no order: a matrix product and a partition, the least a search can be."""
    similarities = (query @ vectors.T)[0]
    return np.argpartition(similarities, len(similarities) - min(k, len(similarities)))[-k:]


def latency_figures(latency: pl.DataFrame) -> pl.DataFrame:
    """Sum a table of `LATENCY_SCHEMA` up, over all questions and runs: index, p50_ms, p95_ms, mean_ms, and scan_ms (median)."""
    return latency.group_by("index", maintain_order=True).agg(
        p50_ms=pl.col("search_ms").median(),
        p95_ms=pl.col("search_ms").quantile(0.95, "linear"),
        mean_ms=pl.col("search_ms").mean(),
        scan_ms=pl.col("scan_ms").median(),
    )


def _ms(work: Callable[[Floats], object], query: Floats) -> float:
    begin = time.perf_counter()
    work(query)
    return (time.perf_counter() - begin) * 1000


@contextmanager
def _no_garbage_collected() -> Iterator[None]:
    """As the standard library's timeit: a collection would fall on whichever search is under way."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
