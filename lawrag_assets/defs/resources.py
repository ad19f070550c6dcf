"""What is handed to the assets: settings, folders, the law source, the models, the tokenizer. Built once a process, loaded late."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import dagster as dg

from lawrag_assets.chunking import Tokenize
from lawrag_assets.defs.progress import LogProgress
from lawrag_assets.defs.storage import TableIOManager
from lawrag_assets.embedding.bundled import bundled_tokenizer
from lawrag_assets.embedding.cached import CachedEmbedder
from lawrag_assets.embedding.factory import open_embedder
from lawrag_assets.generation.answers import AnswerStore
from lawrag_assets.generation.cached import CacheMode
from lawrag_assets.generation.factory import Generation, open_generator
from lawrag_assets.laws.archive import ArchiveSource
from lawrag_assets.laws.source import LawSource, law_source
from lawrag_assets.settings import Settings
from lawrag_assets.tables import TableStore


def bundled_tokens(models_dir: Path) -> Tokenize:
    """The bundled model's tokenizer as character offsets, without special tokens; loaded at the first call."""
    tokenizer = cache(lambda: bundled_tokenizer(models_dir))

    def tokenize(texts: Sequence[str]) -> list[list[tuple[int, int]]]:
        return [encoding.offsets for encoding in tokenizer().encode_batch(list(texts), add_special_tokens=False)]

    return tokenize


def open_cached_embedder(settings: Settings) -> CachedEmbedder:
    """The profile's embedding model behind the shared cache."""
    model = open_embedder(settings.embedding_model, models_dir=settings.paths.models, device=settings.device)
    return CachedEmbedder(model, settings.paths.cache_room)


def open_generation(settings: Settings) -> Generation:
    """The profile's generator and the shared store of answers. Opens neither a file nor a connection."""
    generator = open_generator(settings.llm, api_base=settings.llm_api_base, concurrency=settings.llm_concurrency)
    return Generation(generator, AnswerStore(settings.paths.cache_room), CacheMode(settings.llm_cache))


def open_law_source(settings: Settings) -> LawSource:
    """Where the profile's laws come from: the source as it is now, or the builds kept as of the profile's day."""
    return ArchiveSource(settings.paths.laws, settings.day) if settings.day else law_source(settings.law_source)


def build_resources(settings: Settings) -> dict[str, object]:
    """Every resource by the name that assets ask for. What needs a network or a folder is opened by the run that uses it."""
    store = TableStore(settings.paths.tables)
    return {
        "settings": settings,
        "paths": settings.paths,
        "tables": store,
        "io_manager": TableIOManager(store),
        "law_source": dg.ResourceDefinition(lambda _: open_law_source(settings)),
        "tokenize": bundled_tokens(settings.paths.models),
        "embedder": dg.ResourceDefinition(lambda _: open_cached_embedder(settings)),
        "generation": open_generation(settings),
        "progress": LogProgress(),
    }
