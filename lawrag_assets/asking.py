"""Opening the pipeline that answers questions from a profile: what `lawrag ask`, the service and evaluation share. No Dagster is needed."""

from pathlib import Path

import numpy as np
import polars as pl

from lawrag_assets.chunking.cells import Cell
from lawrag_assets.embedding.cached import CachedEmbedder
from lawrag_assets.embedding.protocol import Embedder, TokenEmbedder
from lawrag_assets.errors import InputError
from lawrag_assets.evaluation.language import guess_language
from lawrag_assets.generation.chat_stream import ChatStream
from lawrag_assets.generation.extractive import NAME as EXTRACTIVE
from lawrag_assets.qa.additive import AdditiveReranker, FittedReranker, packaged
from lawrag_assets.qa.attribution import Attributor
from lawrag_assets.qa.extractive_writer import ExtractiveWriter
from lawrag_assets.qa.features import FeatureMaker
from lawrag_assets.qa.finding import Finder
from lawrag_assets.qa.model import Language
from lawrag_assets.qa.model_writer import ModelWriter
from lawrag_assets.qa.passages import Passages, passages_of_chunks
from lawrag_assets.qa.pipeline import Parts, Pipeline
from lawrag_assets.qa.reranking import CrossEncoderReranker, Reranker
from lawrag_assets.qa.routing import Router
from lawrag_assets.qa.views import Views
from lawrag_assets.qa.writing import Writer
from lawrag_assets.retrieval.calibration import default_questions, read_calibration, short_only
from lawrag_assets.retrieval.dense import DenseCentred
from lawrag_assets.retrieval.hits import Floats
from lawrag_assets.retrieval.index import open_index
from lawrag_assets.retrieval.lexical import Lexical
from lawrag_assets.retrieval.reranking import CrossEncoderModel
from lawrag_assets.search import again, built_model, one_cell, open_retrievers
from lawrag_assets.settings import Settings
from lawrag_assets.tables import TableStore

DEFAULT_CELL = "subsection/flat"
RERANKER = "answer_reranker"
"""The table of the reranker that `lawrag fit-reranker` made for this profile: one row, its JSON."""
FALLBACK_LANGUAGE: Language = "de"


def open_pipeline(
    settings: Settings, *, cell: str = DEFAULT_CELL, fitted: FittedReranker | None = None, model: Embedder | None = None
) -> Pipeline:
    """The pipeline over a built cell; cheap but for reading the index. `Pipeline.warm` loads the models.

    `fitted` takes the place of the profile's reranker; `model` is the embedding model where it is open already. Raises InputError for a
    cell that is unknown, not built, or built from other laws or with another model, and for a model that gives no token vectors.
    """
    chosen = one_cell(cell)
    paths, tables = settings.paths, TableStore(settings.paths.tables)
    model = built_model(settings, chosen, model)
    if not isinstance(model, TokenEmbedder):
        raise InputError(
            f"embedding model {settings.embedding_model!r} gives no token vectors, which answering needs: "
            "name a sentence-transformers model"
        )
    corpus = tables.read("corpus")
    passages = Passages.of_corpus(corpus)
    index = open_index(paths.lancedb, chosen.table)
    finder = _finder(settings, chosen, tables, passages)
    calibration = _calibration(settings)
    views = Views(model, passages.all, calibration, cache_dir=paths.cache, identity=model.identity)
    fitted = fitted or fitted_reranker(tables)
    if fitted.embedding_model not in ("", model.identity):
        raise InputError(f"the reranker was fitted with {fitted.embedding_model}: fit anew with `lawrag fit-reranker`")
    usual = _Usual(CachedEmbedder(model, paths.cache_room), calibration, index.vectors)
    return Pipeline(
        Parts(
            embed=views.vector,
            language=language_of,
            finder=finder,
            router=Router(passages.all),
            views=views,
            reranker=_reranker(settings, fitted, finder, views),
            judge=fitted.judge,
            usual=usual.of,
            attributor=Attributor(views, fitted.support_threshold),
            writer=_writer(settings, views),
            fallback=ExtractiveWriter(views.fit),
        )
    )


def language_of(question: str) -> Language:
    """The language to answer in: German where it cannot be told."""
    return guess_language(question) or FALLBACK_LANGUAGE


def fitted_reranker(tables: TableStore) -> FittedReranker:
    """The profile's own reranker, or the one that comes with the package."""
    if not tables.exists(RERANKER):
        return packaged()
    return FittedReranker.from_json(tables.read(RERANKER)["reranker"].item(), str(tables.path(RERANKER)))


class _Usual:
    """How near, on average, calibration questions of a language come to their nearest chunk."""

    def __init__(self, embedder: CachedEmbedder, calibration: dict[str, list[str]], vectors: Floats) -> None:
        self._embedder, self._calibration, self._vectors = embedder, calibration, vectors
        self._known: dict[str, float] = {}

    def of(self, language: Language) -> float:
        if language not in self._known:
            asked = self._calibration.get(language) or [q for questions in self._calibration.values() for q in questions]
            nearest = (
                (self._embedder.embed(asked, "query").vectors @ self._vectors.T).max(axis=1)
                if len(self._vectors)
                else np.zeros(1)
            )
            self._known[language] = float(nearest.mean())
        return self._known[language]


def _calibration(settings: Settings) -> dict[str, list[str]]:
    """The calibration questions by language: short ones, as people ask for an answer, where there are any."""
    table = read_calibration(Path(settings.calibration) if settings.calibration else default_questions())
    short = table.filter(short_only(table))
    chosen = short if short.height else table
    return {str(lang): asked["question"].to_list() for (lang,), asked in chosen.group_by("lang", maintain_order=True)}


def _finder(settings: Settings, cell: Cell, tables: TableStore, passages: Passages) -> Finder:
    retrievers = open_retrievers(settings, cell)
    centred, lexical = retrievers["dense_centred"], retrievers["lexical"]
    assert isinstance(centred, DenseCentred)
    assert isinstance(lexical, Lexical)
    chunks = tables.read("chunks", [cell], columns=["chunk_id", "units", "parents"])
    index = open_index(settings.paths.lancedb, cell.table)
    if tuple(chunks["chunk_id"]) != index.chunk_ids:
        raise InputError(f"cell {cell} is being rebuilt, or its last build was interrupted: {again(cell)}")
    about = passages_of_chunks(chunks["units"].to_list(), chunks["parents"].to_list(), _units(tables, cell), passages)
    return Finder(index, centred, lexical, about, passages)


def _units(tables: TableStore, cell: Cell) -> pl.DataFrame:
    return tables.read("units", [(cell.base_unit,)], columns=["unit_id", "spans"])


def _reranker(settings: Settings, fitted: FittedReranker, finder: Finder, views: Views) -> Reranker:
    if settings.reranker:
        return CrossEncoderReranker(CrossEncoderModel(settings.reranker), settings.reranker)
    return AdditiveReranker(FeatureMaker(finder, views), fitted.weights)


def _writer(settings: Settings, views: Views) -> Writer:
    if settings.llm == EXTRACTIVE:
        return ExtractiveWriter(views.fit)
    return ModelWriter(ChatStream(settings.llm, api_base=settings.llm_api_base))
