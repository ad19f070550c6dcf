"""Assets that judge a cell: `retrieval_run[cell]`, `question_measures[cell]`, `cell_metrics[cell]` and `failures[cell]`."""

import time

import dagster as dg
import polars as pl

from lawrag_assets.chunking import Tokenize
from lawrag_assets.chunking.units import sections_in_force
from lawrag_assets.defs.embedding import as_matrix
from lawrag_assets.defs.laws import OWNERS
from lawrag_assets.defs.partitions import GRID, cell_of
from lawrag_assets.defs.versions import Metadata
from lawrag_assets.evaluation.failures import CAUSES, find_failures
from lawrag_assets.evaluation.language import guess_language
from lawrag_assets.evaluation.measures import ALL, PRIMARY, evaluate, summarize_subsets
from lawrag_assets.question_sets import gold_of
from lawrag_assets.retrieval.aggregation import AGGREGATIONS, DEFAULT_AGGREGATION
from lawrag_assets.retrieval.asked import Asked
from lawrag_assets.retrieval.dense import SEARCHES
from lawrag_assets.retrieval.index import SEARCH_PATH
from lawrag_assets.retrieval.run import RUN_SCHEMA, retrieve
from lawrag_assets.search import open_retrievers
from lawrag_assets.settings import Settings

GROUP = "evaluation"


@dg.asset(
    partitions_def=GRID,
    group_name=GROUP,
    kinds={"numpy"},
    owners=OWNERS,
    code_version="4",
    deps=["chunk_index", "lexical_index", "calibration", "corpus_references", "reranker"],
)
def retrieval_run(
    context: dg.AssetExecutionContext,
    questions: pl.DataFrame,
    question_embeddings: pl.DataFrame,
    settings: dg.ResourceParam[Settings],
) -> dg.MaterializeResult[pl.DataFrame]:
    """What the cell finds for every question, by every retriever: ranked sections; of `dense` by every way of aggregating."""
    retrievers = open_retrievers(settings, cell_of(context.partition_key))
    asked = asked_questions(questions, question_embeddings)
    runs, metadata = [RUN_SCHEMA.to_frame()], Metadata()
    for name in retrievers.names():
        ways = tuple(AGGREGATIONS) if name in SEARCHES else (DEFAULT_AGGREGATION,)
        started = time.perf_counter()
        runs += [retrieve(retrievers[name], of_set, question_set=label, aggregations=ways) for label, of_set in asked.items()]
        metadata[f"seconds {name}"] = time.perf_counter() - started
    return dg.MaterializeResult(
        value=pl.concat(runs), metadata={"questions": questions.height, "served by": SEARCH_PATH, **metadata}
    )


def asked_questions(questions: pl.DataFrame, question_embeddings: pl.DataFrame) -> dict[str, Asked]:
    """The questions of each question set, as retrievers see them; a language that a file does not say is guessed."""
    frame = questions.with_columns(vector=question_embeddings["vector"])
    return {
        str(name): Asked(
            ids=asked["id"].to_list(),
            texts=asked["question"].to_list(),
            languages=[lang or guess_language(text) for lang, text in asked.select("lang", "question").iter_rows()],
            vectors=as_matrix(asked["vector"]),
        )
        for (name,), asked in frame.group_by("question_set", maintain_order=True)
    }


@dg.asset(partitions_def=GRID, group_name=GROUP, kinds={"polars"}, owners=OWNERS, code_version="1")
def question_measures(
    retrieval_run: pl.DataFrame, questions: pl.DataFrame, corpus: pl.DataFrame
) -> dg.MaterializeResult[pl.DataFrame]:
    """The cell's measures question by question, of the answerable ones: what cells are compared on."""
    gold = gold_of(questions, corpus)
    metadata: Metadata = {
        "gold citations that name no section": dg.MetadataValue.json(gold.unknown.head(50).to_dicts()),
        "gold not in the corpus": gold.unknown.height,
    }
    return dg.MaterializeResult(value=evaluate(retrieval_run, gold.table), metadata=metadata)


@dg.asset(partitions_def=GRID, group_name=GROUP, kinds={"polars"}, owners=OWNERS, code_version="2")
def cell_metrics(question_measures: pl.DataFrame, questions: pl.DataFrame) -> dg.MaterializeResult[pl.DataFrame]:
    """The cell's measures with bootstrap intervals, averaged over the answerable questions of each question set and language."""
    frame = summarize_subsets(question_measures, questions)
    shown = frame.filter(pl.col("aggregation") == DEFAULT_AGGREGATION, pl.col("retriever") == "dense", pl.col("subset") == ALL)
    metadata: Metadata = {
        f"{measure} {question_set}": mean
        for question_set, measure, mean in shown.select("question_set", "measure", "mean").iter_rows()
    }
    first = shown.filter(pl.col("measure") == PRIMARY).head(1)
    if first.height:
        metadata[PRIMARY] = first["mean"].item()
    return dg.MaterializeResult(value=frame, metadata=metadata)


@dg.asset(partitions_def=GRID, group_name=GROUP, kinds={"polars"}, owners=OWNERS, code_version="1")
def failures(
    retrieval_run: pl.DataFrame,
    questions: pl.DataFrame,
    corpus: pl.DataFrame,
    corpus_references: pl.DataFrame,
    tokenize: dg.ResourceParam[Tokenize],
) -> dg.MaterializeResult[pl.DataFrame]:
    """Every gold section that the cell misses: how far it got, what was found in its place, and to what cause that is put down."""
    run = retrieval_run.filter(pl.col("aggregation") == DEFAULT_AGGREGATION, pl.col("retriever") == "dense")
    frame = find_failures(
        run,
        gold_of(questions, corpus).table,
        questions,
        sections_in_force(corpus),
        corpus_references,
        lambda texts: [len(tokens) for tokens in tokenize(texts)],
    )
    counts = dict(frame.group_by("cause").len().iter_rows())
    causes = {cause: counts.get(cause, 0) for cause in CAUSES}
    return dg.MaterializeResult(value=frame, metadata={"missed": frame.height, **causes})
