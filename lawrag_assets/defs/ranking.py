"""Assets of what is learned from labelled questions, from `training_questions` to `supervised_metrics`. The learning is `ranking`'s.

Only a profile that names training questions has them. What is measured is always fitted without the measured questions: sets that are
also learned from are cross-validated, others are ranked by a fit from which their likes were taken out.
"""

import time
from collections.abc import Iterator

import dagster as dg
import numpy as np
import polars as pl

from lawrag_assets.chunking.units import sections_in_force
from lawrag_assets.defs.embedding import EMBEDDING_POOL, as_matrix, embed_column
from lawrag_assets.defs.evaluation import asked_questions
from lawrag_assets.defs.laws import OWNERS
from lawrag_assets.defs.partitions import cell_key
from lawrag_assets.defs.progress import Progress
from lawrag_assets.defs.versions import Metadata, table_result
from lawrag_assets.embedding.cached import CachedEmbedder
from lawrag_assets.evaluation.measures import evaluate, summarize_subsets
from lawrag_assets.learned import RANKER_CELLS, feature_runs, passages
from lawrag_assets.question_sets import gold_of, read_training_sets
from lawrag_assets.ranking.features import SectionFacts
from lawrag_assets.ranking.labelled import LabelledQuestions
from lawrag_assets.ranking.measured import Measured, cross_validated, measure_split
from lawrag_assets.ranking.ranker import Memories, fit_ranker, training_features
from lawrag_assets.ranking.split import QuestionPool, Split
from lawrag_assets.ranking.store import save_ranker
from lawrag_assets.ranking.tables import features_table, read_features_table
from lawrag_assets.retrieval.asked import Asked
from lawrag_assets.settings import Settings
from lawrag_assets.storage import Storage
from lawrag_assets.tables import TableStore, content_hash

GROUP = "ranking"

_CELLS = dg.SpecificPartitionsPartitionMapping([cell_key(cell) for cell in RANKER_CELLS])
_INDEXES = [
    dg.AssetDep("chunk_index", partition_mapping=_CELLS),
    dg.AssetDep("lexical_index", partition_mapping=_CELLS),
    dg.AssetDep("calibration"),
]


@dg.asset(group_name=GROUP, kinds={"polars"}, owners=OWNERS)
def training_questions(settings: dg.ResourceParam[Settings]) -> dg.MaterializeResult[pl.DataFrame]:
    """The labelled questions that the profile learns from, gold mapped like that of the measured ones."""
    sets = read_training_sets(settings)
    by_set = sets.table.group_by("question_set", maintain_order=True).len()
    metadata: Metadata = {"questions": sets.table.height, **{str(name): count for name, count in by_set.iter_rows()}}
    return table_result(sets.table, metadata)


@dg.asset(group_name=GROUP, kinds={"torch"}, owners=OWNERS, code_version="1", pool=EMBEDDING_POOL, deps=["embedding_model"])
def training_embeddings(
    training_questions: pl.DataFrame, embedder: dg.ResourceParam[CachedEmbedder], progress: dg.ResourceParam[Progress]
) -> dg.MaterializeResult[pl.DataFrame]:
    """The training questions' vectors."""
    vectors, metadata = embed_column(training_questions["question"], "query", embedder, progress, "training questions")
    return dg.MaterializeResult(value=training_questions.select("question_set", "id", vector=vectors), metadata=metadata)


@dg.asset(group_name=GROUP, kinds={"numpy"}, owners=OWNERS, code_version="1", deps=_INDEXES)
def training_run(
    training_questions: pl.DataFrame, training_embeddings: pl.DataFrame, settings: dg.ResourceParam[Settings]
) -> dg.MaterializeResult[pl.DataFrame]:
    """What the retrievers without labels find for the training questions."""
    started = time.perf_counter()
    frame = _run(settings, training_questions, training_embeddings)
    return dg.MaterializeResult(value=frame, metadata={"rows": frame.height, "seconds": time.perf_counter() - started})


@dg.asset(group_name=GROUP, kinds={"polars"}, owners=OWNERS, code_version="3", deps=_INDEXES)
def ranker_features(
    training_questions: pl.DataFrame,
    training_embeddings: pl.DataFrame,
    training_run: pl.DataFrame,
    corpus: pl.DataFrame,
    settings: dg.ResourceParam[Settings],
) -> dg.MaterializeResult[pl.DataFrame]:
    """Folds and out-of-fold features: each fold's questions with their candidates, described by what the other folds remember."""
    started = time.perf_counter()
    split = _learning_from_all(training_questions, training_embeddings, corpus)
    facts = SectionFacts.of(sections_in_force(corpus))
    made = training_features(split, _by_retriever(training_run), Memories(facts, passages(settings)))
    frame = features_table(split, made)
    metadata: Metadata = {
        "questions": len(split.training),
        "pairs": frame.height,
        "relevant": int(frame["relevant"].sum()),
        "folds": dg.MetadataValue.json(np.bincount(split.folds).tolist()),
        "questions that are nearly another": len(split.training) - len(np.unique(split.pool.groups)),
        "seconds": time.perf_counter() - started,
    }
    return dg.MaterializeResult(value=frame, metadata=metadata)


@dg.asset(group_name=GROUP, kinds={"lightgbm"}, owners=OWNERS, code_version="3", deps=_INDEXES)
def ranker(
    training_questions: pl.DataFrame,
    training_embeddings: pl.DataFrame,
    ranker_features: pl.DataFrame,
    embedding_model: pl.DataFrame,
    corpus: pl.DataFrame,
    paths: dg.ResourceParam[Storage],
    tables: dg.ResourceParam[TableStore],
    settings: dg.ResourceParam[Settings],
) -> dg.MaterializeResult[pl.DataFrame]:
    """The fitted ranker, for `lawrag search`. What is returned is its card: what it was fitted on, for whoever asks whether it is stale."""
    started = time.perf_counter()
    split = _learning_from_all(training_questions, training_embeddings, corpus)
    facts = SectionFacts.of(sections_in_force(corpus))
    made = read_features_table(split, ranker_features)
    fitted = fit_ranker(split, {}, Memories(facts, passages(settings)), made)
    tables.remove("ranker")  # a process that dies from here on leaves a ranker without a card, which counts as none
    save_ranker(fitted, paths.ranker)
    seen = len(fitted.remembered.memory.labels.sections)
    card = pl.DataFrame(
        {
            "training": [content_hash(training_questions)],
            "questions": [len(split.training)],
            "corpus": [facts.version],
            "model": [embedding_model["version"].item()],
        }
    )
    return dg.MaterializeResult(
        value=card,
        metadata={
            "questions": len(split.training),
            "sections with training questions": seen,
            "sections": len(facts.ids),
            "seconds": time.perf_counter() - started,
            "ranker": dg.MetadataValue.path(str(paths.ranker)),
        },
    )


@dg.multi_asset(
    outs={
        "supervised_run": dg.AssetOut(
            group_name=GROUP,
            kinds={"lightgbm"},
            owners=OWNERS,
            code_version="3",
            description="What the retrievers that use labels find for the measured questions, never fitted on these.",
        ),
        "supervised_seen": dg.AssetOut(
            group_name=GROUP,
            kinds={"polars"},
            owners=OWNERS,
            code_version="3",
            description="How many of the training questions each gold section of a measured question answers.",
        ),
    },
    deps=_INDEXES,
)
def supervised(
    training_questions: pl.DataFrame,
    training_embeddings: pl.DataFrame,
    training_run: pl.DataFrame,
    questions: pl.DataFrame,
    question_embeddings: pl.DataFrame,
    corpus: pl.DataFrame,
    settings: dg.ResourceParam[Settings],
) -> Iterator[dg.MaterializeResult[pl.DataFrame]]:
    """Measured questions, ranked by what other questions teach."""
    started = time.perf_counter()
    learned_from = _labelled(training_questions, training_embeddings, corpus)
    others = questions.filter(~pl.col("question_set").is_in(training_questions["question_set"].unique().to_list()))
    vectors = others.join(question_embeddings, on=["question_set", "id"], how="left", maintain_order="left")
    tested = _labelled(others, vectors.select("question_set", "id", "vector"), corpus)
    pool = QuestionPool(LabelledQuestions.concat([learned_from, tested]))
    runs = _by_retriever(pl.concat([training_run, _run(settings, others, vectors)]))
    memories = Memories(SectionFacts.of(sections_in_force(corpus)), passages(settings))
    training, elsewhere = np.arange(len(learned_from)), np.arange(len(learned_from), len(pool.questions))
    parts: list[Measured] = []
    asked = set(questions["question_set"].unique())
    if asked & set(learned_from.sets):
        parts.append(cross_validated(pool.cross_splits(training), runs, memories).of_sets(asked))
    removed = 0
    if len(elsewhere):
        split, removed = pool.split_without_overlap(training, elsewhere)
        parts.append(measure_split(split, fit_ranker(split, runs, memories), runs, memories.cells))
    found = Measured.concat(parts)
    metadata: Metadata = {
        "measured questions cross-validated": len(training) if asked & set(learned_from.sets) else 0,
        "measured questions of other sets": len(elsewhere),
        "training questions left out as near-duplicates": removed,
        "seconds": time.perf_counter() - started,
    }
    yield dg.MaterializeResult(asset_key="supervised_run", value=found.runs, metadata=metadata)
    yield dg.MaterializeResult(asset_key="supervised_seen", value=found.seen)


@dg.asset(group_name=GROUP, kinds={"polars"}, owners=OWNERS, code_version="1")
def supervised_measures(
    supervised_run: pl.DataFrame, questions: pl.DataFrame, corpus: pl.DataFrame
) -> dg.MaterializeResult[pl.DataFrame]:
    """The measures of the retrievers that use labels, question by question."""
    return dg.MaterializeResult(value=evaluate(supervised_run, gold_of(questions, corpus).table))


@dg.asset(group_name=GROUP, kinds={"polars"}, owners=OWNERS, code_version="1")
def supervised_metrics(supervised_measures: pl.DataFrame, questions: pl.DataFrame) -> dg.MaterializeResult[pl.DataFrame]:
    """The same with bootstrap intervals, averaged over the answerable questions of each question set and language."""
    frame = summarize_subsets(supervised_measures, questions)
    shown = frame.filter(pl.col("measure") == "R@10", pl.col("subset") == "all")
    metadata: Metadata = {
        f"R@10 {retriever} {name}": mean
        for name, retriever, mean in shown.select("question_set", "retriever", "mean").iter_rows()
    }
    return dg.MaterializeResult(value=frame, metadata=metadata)


def _labelled(questions: pl.DataFrame, embeddings: pl.DataFrame, corpus: pl.DataFrame) -> LabelledQuestions:
    return LabelledQuestions.of(questions, as_matrix(embeddings["vector"]), gold_of(questions, corpus).table)


def _learning_from_all(questions: pl.DataFrame, embeddings: pl.DataFrame, corpus: pl.DataFrame) -> Split:
    """Everything is learned from and nothing tested: what is asked later is not among these questions."""
    pool = QuestionPool(_labelled(questions, embeddings, corpus))
    everything = np.arange(len(pool.questions))
    return pool.split(everything, everything[:0])


def _run(settings: Settings, questions: pl.DataFrame, embeddings: pl.DataFrame) -> pl.DataFrame:
    named = questions.with_columns(id=pl.concat_str("question_set", "id", separator="/"), question_set=pl.lit(""))
    asked = asked_questions(named, embeddings).get("", Asked((), (), (), np.zeros((0, 0), np.float32)))
    return feature_runs(settings, asked)


def _by_retriever(run: pl.DataFrame) -> dict[str, pl.DataFrame]:
    """A run table parted by its retrievers, in their order."""
    return {str(name): part for (name,), part in run.group_by(["retriever"], maintain_order=True)}
