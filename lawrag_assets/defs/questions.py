"""Assets of the questions: `questions` and `question_embeddings`."""

import dagster as dg
import polars as pl

from lawrag_assets.defs.embedding import EMBEDDING_POOL, embed_column
from lawrag_assets.defs.laws import OWNERS
from lawrag_assets.defs.progress import Progress
from lawrag_assets.defs.versions import Metadata, table_result
from lawrag_assets.embedding.cached import CachedEmbedder
from lawrag_assets.question_sets import read_question_sets
from lawrag_assets.settings import Settings

GROUP = "evaluation"


@dg.asset(group_name=GROUP, kinds={"polars"}, owners=OWNERS)
def questions(settings: dg.ResourceParam[Settings]) -> dg.MaterializeResult[pl.DataFrame]:
    """The profile's question sets, one row a question, with gold citations as they were written or as the gold mapping has them."""
    sets = read_question_sets(settings)
    frame = sets.table
    by_kind = frame.group_by("question_set", "kind", maintain_order=True).len()
    metadata: Metadata = {
        "questions": frame.height,
        "gold citations mapped": sets.gold_mapped,
        **{f"{question_set} {kind}": count for question_set, kind, count in by_kind.iter_rows()},
    }
    return table_result(frame, metadata)


@dg.asset(group_name=GROUP, kinds={"torch"}, owners=OWNERS, code_version="1", pool=EMBEDDING_POOL, deps=["embedding_model"])
def question_embeddings(
    questions: pl.DataFrame, embedder: dg.ResourceParam[CachedEmbedder], progress: dg.ResourceParam[Progress]
) -> dg.MaterializeResult[pl.DataFrame]:
    """The questions' vectors."""
    vectors, metadata = embed_column(questions["question"], "query", embedder, progress, "questions")
    return dg.MaterializeResult(value=questions.select("question_set", "id", vector=vectors), metadata=metadata)
