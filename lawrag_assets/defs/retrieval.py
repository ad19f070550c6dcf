"""What retrievers need beside a cell's vectors: `calibration`, `reranker` and `lexical_index[cell]`."""

import time

import dagster as dg
import polars as pl

from lawrag_assets.defs.embedding import EMBEDDING_POOL, as_matrix, embed_column
from lawrag_assets.defs.laws import OWNERS
from lawrag_assets.defs.partitions import GRID
from lawrag_assets.defs.progress import Progress
from lawrag_assets.defs.versions import Metadata, number, table_version
from lawrag_assets.embedding.cached import CachedEmbedder
from lawrag_assets.embedding.factory import weights_revision
from lawrag_assets.question_sets import read_calibration_questions
from lawrag_assets.retrieval.calibration import question_means
from lawrag_assets.retrieval.lexical import lexical_index as invert
from lawrag_assets.settings import Settings

GROUP = "retrieval"


def calibration_version(calibration: pl.DataFrame, model: str) -> str:
    """The version of question means: of which questions, by which model."""
    return f"{table_version(calibration).value}; {model}"


@dg.asset(group_name=GROUP, kinds={"torch"}, owners=OWNERS, code_version="2", pool=EMBEDDING_POOL, deps=["embedding_model"])
def calibration(
    questions: pl.DataFrame,
    settings: dg.ResourceParam[Settings],
    embedder: dg.ResourceParam[CachedEmbedder],
    progress: dg.ResourceParam[Progress],
) -> dg.MaterializeResult[pl.DataFrame]:
    """What questions of a language and length have in common: the mean vectors of a set of questions, none of which is measured."""
    asked = read_calibration_questions(settings, questions)
    vectors, metadata = embed_column(asked["question"], "query", embedder, progress, "calibration questions")
    means = question_means(asked, as_matrix(vectors))
    version = calibration_version(asked, embedder.embedder.identity)
    by_language: Metadata = {f"questions {kind}": count for kind, count in means.select("kind", "questions").iter_rows()}
    return dg.MaterializeResult(value=means, data_version=dg.DataVersion(version), metadata={**metadata, **by_language})


@dg.asset(group_name=GROUP, kinds={"huggingface"}, owners=OWNERS)
def reranker(settings: dg.ResourceParam[Settings]) -> dg.MaterializeResult[pl.DataFrame]:
    """The profile's cross-encoder, by name and revision; nothing where it has none."""
    version = reranker_version(settings)
    value = pl.DataFrame({"name": [settings.reranker], "version": [version]})
    return dg.MaterializeResult(value=value, data_version=dg.DataVersion(version), metadata={"version": version})


def reranker_version(settings: Settings) -> str:
    """Which weights rerank."""
    return f"{settings.reranker} {weights_revision(settings.reranker)}" if settings.reranker else "none"


@dg.asset(partitions_def=GRID, group_name=GROUP, kinds={"polars"}, owners=OWNERS, code_version="1")
def lexical_index(chunks: pl.DataFrame, corpus: pl.DataFrame) -> dg.MaterializeResult[pl.DataFrame]:
    """The cell's words: for each term the chunks it is in, with BM25 weights."""
    started = time.perf_counter()
    headings = dict(corpus.select("section_id", pl.col("heading").fill_null("")).iter_rows())
    above = [" ".join(headings[parent] for parent in parents) for parents in chunks["parents"]]
    texts = chunks.select(pl.coalesce("embedded", "text")).to_series()
    frame = invert(chunks["chunk_id"].to_list(), texts.to_list(), above)
    by_field = dict(frame.group_by("field").len().iter_rows())
    metadata: Metadata = {f"terms: {field}": count for field, count in sorted(by_field.items()) if field != "of"}
    return dg.MaterializeResult(
        value=frame,
        metadata={**metadata, "postings": number(frame["chunks"].list.len().sum()), "seconds": time.perf_counter() - started},
    )
