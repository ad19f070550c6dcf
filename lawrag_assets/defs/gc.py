"""What `lawrag gc` removes: which partitions, models and generators the profiles use stands here, finding the rest is `garbage`'s."""

import tomllib
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import dagster as dg
import polars as pl

from lawrag_assets.definitions import build_definitions
from lawrag_assets.defs.instance import Holder, held
from lawrag_assets.defs.partitions import parts_of
from lawrag_assets.embedding.factory import model_identity
from lawrag_assets.errors import InputError
from lawrag_assets.garbage import Litter, local_folder, profile_litter, remove, shared_litter
from lawrag_assets.generation.answers import AnswerStore
from lawrag_assets.generation.factory import open_generator
from lawrag_assets.generation.protocol import Origin, Task
from lawrag_assets.settings import Settings, load_settings
from lawrag_assets.storage import Storage
from lawrag_assets.tables import Partition

_OF_ONE_LAW = {"law_xml", "law_sections"}
"""Tables of a law that hold its newest build only, so that those of a law no longer in the profile tell nothing more."""


@dataclass
class Collected:
    """What was found, or removed."""

    litter: list[Litter] = field(default_factory=list)
    answers: int = 0
    answer_bytes: int = 0

    @property
    def bytes(self) -> int:
        """How much it is in all."""
        return self.answer_bytes + sum(piece.bytes for piece in self.litter)


def collect(settings: Settings, *, answers: bool, dry_run: bool, say: Callable[[str], None]) -> Collected:
    """Find what no profile of the storage folder uses, and remove it unless `dry_run`. A profile that is being worked on is left out."""
    if settings.artefacts or settings.paths.database:
        raise InputError(
            "gc cleans the storage folder of one machine; it cannot see who else uses an object store or a database "
            "(LAWRAG_ARTEFACTS, LAWRAG_POSTGRES_URL)"
        )
    collected = Collected()
    identities: set[str] = set()
    origins: set[Origin] = set()
    with ExitStack() as locks:
        for profile in _profiles(settings.paths):
            own = load_settings(storage=settings.storage, profile=profile)
            identities |= _identities(own)
            origins |= _origins(own)
            try:
                for holder in Holder:
                    locks.enter_context(held(own.paths, holder))
            except InputError as error:
                say(f"profile {profile} is left out: {error}")
                continue
            collected.litter += profile_litter(own.paths, known_partitions(own))
        collected.litter += shared_litter(
            settings.paths, identities, lambda identity: not identity.startswith("litellm--"), answers=answers
        )
        if answers:
            store = AnswerStore(settings.paths.cache_room)
            unused = store.of_others(origins)
            collected.answers, collected.answer_bytes = len(unused), sum(unused.values())
            if not dry_run:
                store.remove(list(unused))
        if not dry_run:
            remove(collected.litter)
    return collected


def known_partitions(settings: Settings) -> dict[str, set[Partition]]:
    """The partitions that each partitioned table of a profile can have."""
    graph = build_definitions(settings).resolve_asset_graph()
    known: dict[str, set[Partition]] = {table: {(law,) for law in settings.laws} for table in _OF_ONE_LAW}
    for key in graph.get_all_asset_keys():
        partitions = graph.get(key).partitions_def
        if partitions is not None and not isinstance(partitions, dg.DynamicPartitionsDefinition):
            known[key.to_user_string()] = {parts_of(partition) for partition in partitions.get_partition_keys()}
    return known


def _profiles(paths: Storage) -> list[str]:
    folder = paths.profile_folder.parent
    return sorted(path.name for path in folder.iterdir() if path.is_dir()) if folder.is_dir() else []


def _own_file(settings: Settings) -> dict[str, Any]:
    """What the profile's file says, whatever the environment says now."""
    file = settings.paths.profile_file
    return tomllib.loads(file.read_text("utf-8")) if file.is_file() else {}


def _identities(settings: Settings) -> set[str]:
    """The models that the profile names, and those that its indexes were made with."""
    found = set()
    for model in {settings.embedding_model, str(_own_file(settings).get("embedding_model", settings.embedding_model))}:
        with suppress(InputError):  # a model that is gone: what was made with it is on the cards
            found.add(model_identity(model, device=settings.device))
    cards = sorted((local_folder(settings.paths.tables) / "chunk_index").rglob("*.parquet"))
    return found | {identity for card in cards for identity in _models_on(card)}


def _models_on(card: Path) -> list[str]:
    return pl.read_parquet(card, columns=["model"])["model"].to_list()


def _origins(settings: Settings) -> set[Origin]:
    """Whose answers the profile's cells are made of."""
    named = {settings.llm, str(_own_file(settings).get("llm", settings.llm))}
    return {open_generator(llm).origin(task) for llm in named for task in Task}
