"""Run tables: what a retriever returned for every question of a question set, section by section.

The table's layout and making one from an index belong here; timing that (`latency`) and judging it (`evaluation`) do not.
"""

from collections.abc import Sequence

import polars as pl

from lawrag_assets.retrieval.aggregation import DEFAULT_AGGREGATION, aggregation_named, rank_sections
from lawrag_assets.retrieval.asked import Asked
from lawrag_assets.retrieval.dense import Dense
from lawrag_assets.retrieval.retriever import Retriever

RUN_SCHEMA = pl.Schema(
    {
        "question_set": pl.String,  # name of the question set
        "retriever": pl.String,  # what ranked: see `retrievers.RETRIEVERS`
        "aggregation": pl.String,  # how similarities became scores of sections
        "query": pl.String,  # the question's id
        "section": pl.String,  # section id
        "rank": pl.Int32,  # from 1, without gaps
        "score": pl.Float32,  # strictly falling with the rank: ordering by score gives this ranking in every tool
    }
)


def retrieve(
    retriever: Retriever, asked: Asked, *, question_set: str, aggregations: Sequence[str] = (DEFAULT_AGGREGATION,)
) -> pl.DataFrame:
    """What a retriever ranks for every question: a table of `RUN_SCHEMA`, ordered by aggregation, question (as given) and rank.

    Only `Dense` knows several aggregations, and searches once for all of them; others are asked for the first only, which names how
    chunks' scores became sections'. InputError where an aggregation is unknown.
    """
    named = {name: aggregation_named(name) for name in aggregations}
    ids = pl.Series(asked.ids, dtype=pl.String)
    sections = pl.Series(retriever.section_ids, dtype=pl.String)
    tables: dict[str, list[pl.DataFrame]] = {name: [] for name in named}
    for begin, block in asked.blocks():
        if isinstance(retriever, Dense):
            hits = retriever.hits(block)
            rankings = {name: rank_sections(hits, retriever.index.parents, way) for name, way in named.items()}
        else:
            rankings = {DEFAULT_AGGREGATION: retriever.rank(block)}
        for name, ranking in rankings.items():
            count = len(ranking.queries)
            columns = {
                "question_set": pl.repeat(question_set, count, dtype=pl.String, eager=True),
                "retriever": pl.repeat(retriever.name, count, dtype=pl.String, eager=True),
                "aggregation": pl.repeat(name, count, dtype=pl.String, eager=True),
                "query": ids.gather(ranking.queries + begin),
                "section": sections.gather(ranking.sections),
                "rank": ranking.ranks,
                "score": ranking.scores,
            }
            tables[name].append(pl.DataFrame(columns).cast(RUN_SCHEMA))
    parts = [table for name in named for table in tables[name]]
    return pl.concat(parts) if parts else RUN_SCHEMA.to_frame()


def search_once(retriever: Retriever, asked: Asked, limit: int = 10) -> pl.DataFrame:
    """Rank sections for one question: rank, section, score and the id of the section's best chunk."""
    ranking = retriever.rank(asked)
    top = slice(0, limit)
    return pl.DataFrame(
        {
            "rank": ranking.ranks[top],
            "section": [retriever.section_ids[section] for section in ranking.sections[top]],
            "score": ranking.scores[top],
            "chunk_id": [retriever.chunk_ids[chunk] for chunk in ranking.chunks[top]],
        },
        schema={"rank": pl.Int32, "section": pl.String, "score": pl.Float32, "chunk_id": pl.String},
    )
