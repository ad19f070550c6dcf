"""Assets of the questions: `questions` and `question_embeddings`."""

import dagster as dg
import polars as pl

from lawrag_assets.defs.embedding import EMBEDDING_POOL, embed_column
from lawrag_assets.defs.laws import OWNERS
from lawrag_assets.defs.progress import Progress
from lawrag_assets.defs.versions import Metadata, table_result
from lawrag_assets.embedding.cached import CachedEmbedder
from lawrag_assets.evaluation.questions import QUESTIONS_SCHEMA, read_questions
from lawrag_assets.settings import Settings

GROUP = "evaluation"


def read_question_sets(settings: Settings) -> pl.DataFrame:
    """All question sets of the profile in one table. Raises InputError for a file that cannot be read or a name given twice."""
    sets = [read_questions(path).with_columns(question_set=pl.lit(name)) for name, path in settings.question_files.items()]
    return pl.concat([QUESTIONS_SCHEMA.to_frame(), *sets])


@dg.asset(group_name=GROUP, kinds={"polars"}, owners=OWNERS)
def questions(settings: dg.ResourceParam[Settings]) -> dg.MaterializeResult[pl.DataFrame]:
    """The profile's question sets, one row a question, with gold citations as they were written."""
    frame = read_question_sets(settings)
    by_kind = frame.group_by("question_set", "kind", maintain_order=True).len()
    metadata: Metadata = {
        "questions": frame.height,
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
