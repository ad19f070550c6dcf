"""Assets that judge a cell: `retrieval_run[cell]`, `question_measures[cell]` and `cell_metrics[cell]`."""

import dagster as dg
import polars as pl

from lawrag_assets.chunking.units import sections_in_force
from lawrag_assets.defs.embedding import as_matrix
from lawrag_assets.defs.laws import OWNERS
from lawrag_assets.defs.partitions import GRID, cell_of
from lawrag_assets.defs.versions import Metadata
from lawrag_assets.evaluation.measures import ALL, PRIMARY, evaluate, summarize_subsets
from lawrag_assets.evaluation.qrels import Qrels, qrels
from lawrag_assets.laws.citations import CitationIndex
from lawrag_assets.retrieval.aggregation import AGGREGATIONS, DEFAULT_AGGREGATION
from lawrag_assets.retrieval.index import SEARCH_PATH, open_index
from lawrag_assets.retrieval.run import RUN_SCHEMA, latency_figures, measure_latency, retrieve, retrievers_of
from lawrag_assets.storage import Storage

GROUP = "evaluation"


def gold_of(questions: pl.DataFrame, corpus: pl.DataFrame) -> Qrels:
    """The questions' gold among the sections that are indexed; a citation of a repealed section names none of them."""
    return qrels(questions, CitationIndex(sections_in_force(corpus)))


@dg.asset(partitions_def=GRID, group_name=GROUP, kinds={"numpy"}, owners=OWNERS, code_version="2", deps=["chunk_index"])
def retrieval_run(
    context: dg.AssetExecutionContext, question_embeddings: pl.DataFrame, paths: dg.ResourceParam[Storage]
) -> dg.MaterializeResult[pl.DataFrame]:
    """What the cell finds for every question: the ranked sections of its 100 nearest chunks, by every way of aggregating."""
    index = open_index(paths.lancedb, cell_of(context.partition_key).table)
    runs = [
        retrieve(
            index,
            as_matrix(asked["vector"]),
            asked["id"].to_list(),
            question_set=str(question_set),
            aggregations=tuple(AGGREGATIONS),
            retriever=retriever,
        )
        for retriever in retrievers_of(index)
        for (question_set,), asked in question_embeddings.group_by("question_set", maintain_order=True)
    ]
    frame = pl.concat([RUN_SCHEMA.to_frame(), *runs])
    latency = latency_figures(measure_latency(index, as_matrix(question_embeddings["vector"])))
    return dg.MaterializeResult(
        value=frame, metadata={"questions": question_embeddings.height, "served by": SEARCH_PATH, **latency}
    )


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
