"""Run tables: what a retriever returned for every question of a question set, section by section.

The table's layout and making one from an index belong here; timing that (`latency`) and judging it (`evaluation`) do not.
"""

from collections.abc import Callable, Sequence

import polars as pl

from lawrag_assets.retrieval.aggregation import DEFAULT_AGGREGATION, aggregation_named, rank_sections
from lawrag_assets.retrieval.hits import Floats, Hits
from lawrag_assets.retrieval.index import Index

CANDIDATES = 100
"""Chunks retrieved before aggregation (paper, section 4, Figure 1)."""

RUN_SCHEMA = pl.Schema(
    {
        "question_set": pl.String,  # name of the question set
        "retriever": pl.String,  # what ranked: see RETRIEVERS
        "aggregation": pl.String,  # how similarities became scores of sections
        "query": pl.String,  # the question's id
        "section": pl.String,  # section id
        "rank": pl.Int32,  # from 1, without gaps
        "score": pl.Float32,  # strictly falling with the rank: ordering by score gives this ranking in every tool
    }
)

RETRIEVERS: dict[str, Callable[[Index, Floats, int], Hits]] = {
    "dense": Index.search,  # the paper's vector search; in a tree of summaries, routed down to its leaves
    "dense_collapsed": Index.search_all,  # all nodes of such a tree at once
}

_BLOCK = 256
"""Questions searched at once: 256 × 65,000 chunks take 66 MB of similarities."""


def retrieve(
    index: Index,
    query_vectors: Floats,
    query_ids: Sequence[str],
    *,
    question_set: str,
    aggregations: Sequence[str] = (DEFAULT_AGGREGATION,),
    candidates: int = CANDIDATES,
    retriever: str = "dense",
) -> pl.DataFrame:
    """Search every question once and rank all parent sections of its candidates, once an aggregation: a table of `RUN_SCHEMA`.

    `retriever` is a name in RETRIEVERS.

    `query_vectors` is (questions, d), normalised. Rows are ordered by aggregation, question (as given) and rank. InputError
    where an aggregation is unknown.
    """
    named = {name: aggregation_named(name) for name in aggregations}
    ids = pl.Series(query_ids, dtype=pl.String)
    sections = pl.Series(index.section_ids, dtype=pl.String)
    tables: dict[str, list[pl.DataFrame]] = {name: [] for name in named}
    for begin in range(0, len(query_vectors), _BLOCK):
        hits = RETRIEVERS[retriever](index, query_vectors[begin : begin + _BLOCK], candidates)
        for name, aggregation in named.items():
            ranking = rank_sections(hits, index.parents, aggregation)
            columns = {
                "question_set": pl.repeat(question_set, len(ranking.queries), dtype=pl.String, eager=True),
                "retriever": pl.repeat(retriever, len(ranking.queries), dtype=pl.String, eager=True),
                "aggregation": pl.repeat(name, len(ranking.queries), dtype=pl.String, eager=True),
                "query": ids.gather(ranking.queries + begin),
                "section": sections.gather(ranking.sections),
                "rank": ranking.ranks,
                "score": ranking.scores,
            }
            tables[name].append(pl.DataFrame(columns).cast(RUN_SCHEMA))
    parts = [table for name in named for table in tables[name]]
    return pl.concat(parts) if parts else RUN_SCHEMA.to_frame()


def retrievers_of(index: Index) -> tuple[str, ...]:
    """The names of the retrievers that differ on this index."""
    return tuple(RETRIEVERS) if index.tree else ("dense",)


def search_once(index: Index, query_vector: Floats, *, aggregation: str = DEFAULT_AGGREGATION, limit: int = 10) -> pl.DataFrame:
    """Rank sections for one question (d,): rank, section, score and the id of the section's best chunk."""
    ranking = rank_sections(index.search(query_vector[None, :], CANDIDATES), index.parents, aggregation_named(aggregation))
    top = slice(0, limit)
    return pl.DataFrame(
        {
            "rank": ranking.ranks[top],
            "section": [index.section_ids[section] for section in ranking.sections[top]],
            "score": ranking.scores[top],
            "chunk_id": [index.chunk_ids[chunk] for chunk in ranking.chunks[top]],
        },
        schema={"rank": pl.Int32, "section": pl.String, "score": pl.Float32, "chunk_id": pl.String},
    )
