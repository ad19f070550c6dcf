"""A profile's fitted ranker: the retrievers it is fed by, opening it, and saying when it is stale. No Dagster is needed to read.

What is learned and how belongs to `ranking`; when it is fitted to `defs.ranking`.
"""

import polars as pl

from lawrag_assets.chunking.cells import Cell
from lawrag_assets.chunking.units import sections_in_force
from lawrag_assets.question_sets import read_training_sets
from lawrag_assets.ranking.features import SectionFacts
from lawrag_assets.ranking.learned import CellRetrievers, Learned
from lawrag_assets.ranking.store import load_ranker
from lawrag_assets.retrieval.asked import Asked
from lawrag_assets.retrieval.fusion import Fused
from lawrag_assets.retrieval.index import Index, open_index
from lawrag_assets.retrieval.retriever import Scorer
from lawrag_assets.retrieval.run import RUN_SCHEMA, retrieve
from lawrag_assets.search import open_retrievers
from lawrag_assets.settings import Settings
from lawrag_assets.tables import TableStore, content_hash

RANKER_CELLS = (Cell("section", "flat"), Cell("subsection", "flat"))
"""The cells whose retrievers describe a question and a section; `lawrag run` builds them unless it is told which to build."""
FEATURE_RETRIEVERS = ("dense", "dense_centred", "lexical", "fused")


def feature_runs(settings: Settings, asked: Asked) -> pl.DataFrame:
    """What the retrievers without labels find: a run table, in whose column `retriever` the cell stands, too."""
    parts = [RUN_SCHEMA.to_frame()]
    for cell in RANKER_CELLS:
        retrievers = open_retrievers(settings, cell)
        for name in FEATURE_RETRIEVERS:
            run = retrieve(retrievers[name], asked, question_set="")
            parts.append(run.with_columns(retriever=pl.lit(_name(cell, name))))
    return pl.concat(parts)


def passages(settings: Settings) -> dict[str, Index]:
    """The indexes of the ranker's cells, by the cells' names."""
    return {str(cell): open_index(settings.paths.lancedb, cell.table) for cell in RANKER_CELLS}


def _name(cell: Cell, retriever: str) -> str:
    return f"{cell} {retriever}"


def why_not_learned(settings: Settings, model: str) -> str | None:
    """Why the profile's ranker cannot be used with the embedding model of this identity: None where it can."""
    tables = TableStore(settings.paths.tables)
    if not settings.training_questions:
        return "this profile has no training questions (LAWRAG_TRAINING_QUESTIONS)"
    if not tables.exists("ranker") or not settings.paths.ranker.is_file():
        return "no ranker is fitted in this profile yet: `lawrag run` fits it"
    card = tables.read("ranker").row(0, named=True)
    facts = SectionFacts.of(sections_in_force(tables.read("corpus")))
    if card["corpus"] != facts.version:
        return "the ranker was fitted for another state of the law: `lawrag run` fits it anew"
    if card["model"] != model:
        return f"the ranker was fitted with another embedding model than {settings.embedding_model}: `lawrag run` fits it anew"
    if card["training"] != content_hash(read_training_sets(settings).table):
        return "the ranker was fitted on other training questions: `lawrag run` fits it anew"
    return None


def open_learned(settings: Settings, shown: Scorer) -> Learned:
    """The profile's learned retriever; chunks of `shown` are shown. Raises InputError for a file that is no ranker."""
    cells = {}
    for cell in RANKER_CELLS:
        retrievers = open_retrievers(settings, cell)
        fused = retrievers["fused"]
        assert isinstance(fused, Fused)
        cells[str(cell)] = CellRetrievers(retrievers.index, retrievers["dense"], fused)
    return Learned(load_ranker(settings.paths.ranker), cells, shown)
