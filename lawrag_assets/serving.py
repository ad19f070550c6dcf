"""Opening what the service serves from a profile. No Dagster is needed; building the index is the command line's concern."""

import importlib.metadata
from functools import partial

from fastapi import FastAPI

from lawrag_assets.asking import DEFAULT_CELL, RERANKER, open_pipeline
from lawrag_assets.embedding.factory import open_embedder
from lawrag_assets.embedding.protocol import Embedder
from lawrag_assets.generation.extractive import NAME as EXTRACTIVE
from lawrag_assets.search import one_cell
from lawrag_assets.service.app import LOOK_EVERY, create_app
from lawrag_assets.service.edition import About, Edition, Shelf
from lawrag_assets.settings import Settings
from lawrag_assets.tables import TableStore


def open_service(settings: Settings, *, cell: str = DEFAULT_CELL, look_every: float = LOOK_EVERY) -> FastAPI:
    """The service over a built cell, its models loaded. Raises InputError as `open_pipeline`."""
    model = open_embedder(settings.embedding_model, models_dir=settings.paths.models, device=settings.device)
    shelf = Shelf(partial(stamp, settings, cell), partial(open_edition, settings, cell, model))
    return create_app(
        shelf,
        limit=settings.service_limit,
        seconds=settings.service_seconds,
        allowed_origins=settings.allowed_origins,
        look_every=look_every,
    )


def open_edition(settings: Settings, cell: str, model: Embedder) -> Edition:
    """A pipeline over the cell as it is now, warm, with `model` that stays from one edition to the next."""
    read = stamp(settings, cell)
    pipeline = open_pipeline(settings, cell=cell, model=model)
    corpus = TableStore(settings.paths.tables).read("corpus")
    pipeline.warm()
    about = About(
        version=importlib.metadata.version("lawrag-assets"),
        profile=settings.profile,
        cell=cell,
        embedding_model=settings.embedding_model,
        sends_to="" if settings.llm == EXTRACTIVE else settings.llm,
    )
    return Edition(read, pipeline, corpus, about)


def stamp(settings: Settings, cell: str) -> str:
    """The runs that made what answers depend on; empty where a part is missing, as while it is being made anew."""
    tables, chosen = TableStore(settings.paths.tables), one_cell(cell)
    parts = [tables.run_id("corpus"), tables.run_id("chunk_index", chosen), tables.run_id("lexical_index", chosen)]
    if None in parts:
        return ""
    return " ".join([*map(str, parts), str(tables.run_id(RERANKER)), str(tables.run_id("calibration"))])
