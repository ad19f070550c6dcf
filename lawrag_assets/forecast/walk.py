"""The way of a run, from the corpus to the last index, without the asking: the strategies run as they are, on the caches as they are.

What is not there yet is stood in for (answers by the rules of `extractive`, vectors by the texts' wording), and whatever follows from
that is marked as guessed. No Dagster is needed: what is up to date is told by whoever calls.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from lawrag_assets.cache import CacheRoom, UnwrittenCache, open_cache
from lawrag_assets.chunking import BASE_UNITS, STRATEGIES, Material, Tokenize
from lawrag_assets.chunking.cells import Cell
from lawrag_assets.chunking.late import parts_read
from lawrag_assets.chunking.propositions import PROPOSITION, write_propositions
from lawrag_assets.chunking.tables import ENRICHMENT_SCHEMA
from lawrag_assets.embedding.cached import CachedEmbedder
from lawrag_assets.embedding.factory import open_embedder
from lawrag_assets.embedding.foresight import STAND_IN_DIMENSION, ForeseeingEmbedder, Foreseen
from lawrag_assets.embedding.late import Part
from lawrag_assets.embedding.protocol import Kind, Vectors
from lawrag_assets.forecast.lines import Forecast, Line, merged
from lawrag_assets.forecast.rates import AnswerRates, TextRates
from lawrag_assets.generation.answers import AnswerStore
from lawrag_assets.generation.cached import CachedGenerator, CacheMode
from lawrag_assets.generation.factory import open_generator
from lawrag_assets.generation.foresight import Doubt, ForeseeingGenerator
from lawrag_assets.generation.protocol import Task
from lawrag_assets.services import litellm_module
from lawrag_assets.settings import Settings
from lawrag_assets.tables import TableStore

EMBEDDING = "vectors"
"""The task of a line about an embedding model."""


@dataclass(frozen=True)
class Profile:
    """What lies in the profile already: whether an asset's partition is up to date, and what a cell's enrichment was before."""

    up_to_date: Callable[[str, str | Cell | None], bool]
    former_enrichment: Callable[[Cell], pl.DataFrame | None]


NEW_PROFILE = Profile(lambda _asset, _partition: False, lambda _cell: None)


@dataclass(frozen=True)
class _Units:
    """A base unit's units and their vectors; `guessed`: the units, `stood_in`: some of the vectors."""

    frame: pl.DataFrame
    vectors: Vectors
    guessed: bool
    stood_in: bool


class Walk:
    """One forecast."""

    def __init__(
        self, settings: Settings, profile: Profile, tokenize: Tokenize, progress: Callable[[str, int, int], None]
    ) -> None:
        """Open models and caches, which asks for nothing and writes nothing. `tokenize` is the bundled model's."""
        self._profile = profile
        self._tokenize = tokenize
        self._progress = progress
        self._tables = TableStore(settings.paths.tables)
        self._room = settings.paths.cache_room
        self._caches: dict[str, UnwrittenCache] = {}
        self._generator = open_generator(settings.llm)
        self._answers = AnswerStore(self._room, self._open_cache)
        self._mode = CacheMode.REFRESH if settings.llm_cache == "refresh" else CacheMode.NORMAL
        self._answer_rates = AnswerRates(self._generator.name, self._answers.holdings())
        self._embedder = open_embedder(settings.embedding_model, models_dir=settings.paths.models, device=settings.device)
        pace = CachedEmbedder(self._embedder, self._room, self._open_cache).pace()
        self._dimension = pace.dimension if pace else STAND_IN_DIMENSION
        self._text_rates = TextRates(self._embedder.name, pace)
        self._units: dict[str, _Units] = {}
        self._lines: list[Line] = []

    def forecast(
        self, corpus: pl.DataFrame, references: Callable[[], pl.DataFrame], questions: pl.DataFrame, cells: Sequence[Cell]
    ) -> Forecast:
        """What bringing these cells up to date would ask for, in the order of a run. `references` gives the corpus' own."""
        self._references = references
        if questions.height and not self._profile.up_to_date("question_embeddings", None):
            self._embed("question_embeddings", "", questions["question"].to_list(), "query", Doubt())
        for base_unit in dict.fromkeys(cell.base_unit for cell in cells):
            self._units[base_unit] = self._cut(base_unit, corpus)
        for cell in cells:
            self._cell(cell, corpus)
        return Forecast(merged(self._lines), self._notes())

    def _notes(self) -> list[str]:
        asked = [line for line in self._lines if line.needed > line.kept]
        tasks = [task for task in Task if task in {line.task for line in asked}]
        notes = self._answer_rates.notes(tasks)
        if any(line.task == EMBEDDING for line in asked):
            notes += self._text_rates.notes()
        if any(line.guessed for line in asked):
            notes.append(
                "~ follows from answers that nobody has given yet (in their place: what rules write) or vectors that are not there yet "
                "(in their place: the texts' wording)"
            )
        return notes

    def _cut(self, base_unit: str, corpus: pl.DataFrame) -> _Units:
        unit, doubt = BASE_UNITS[base_unit], Doubt()
        units = unit.cut(self._propositions(corpus, doubt) if unit.source == "propositions" else corpus, self._tokenize)
        if self._profile.up_to_date("unit_embeddings", base_unit):
            vectors = self._tables.read("unit_embeddings", [(base_unit,)])["vector"].to_numpy().astype(np.float32)
            return _Units(units, vectors, guessed=False, stood_in=False)
        vectors, stood_in = self._embed("unit_embeddings", base_unit, units["text"].to_list(), "passage", doubt)
        return _Units(units, vectors, doubt.raised, stood_in)

    def _propositions(self, corpus: pl.DataFrame, doubt: Doubt) -> pl.DataFrame:
        if self._profile.up_to_date("propositions", PROPOSITION) and self._mode is CacheMode.NORMAL:
            return self._tables.read("propositions", [(PROPOSITION,)])
        foreseeing, generator = self._open_generator(doubt, "propositions of subsections")
        propositions = write_propositions(corpus, generator)
        self._note_answers("propositions", PROPOSITION, Task.PROPOSITIONS, foreseeing, generator)
        return propositions

    def _cell(self, cell: Cell, corpus: pl.DataFrame) -> None:
        units = self._units[cell.base_unit]
        doubt = Doubt(units.guessed)
        enrichment = self._enrichment(cell, units, corpus, doubt)
        if self._profile.up_to_date("chunk_index", cell):
            return
        strategy = STRATEGIES[cell.strategy]
        if strategy.pooling == "tokens":
            self._embed_parts(cell, [[Part(*part) for part in unit] for unit in parts_read(units.frame, enrichment)], doubt)
        else:
            chunks = strategy.build(units.frame, enrichment)
            self._embed("chunk_index", str(cell), chunks["embedded"].drop_nulls().to_list(), "passage", doubt)

    def _enrichment(self, cell: Cell, units: _Units, corpus: pl.DataFrame, doubt: Doubt) -> pl.DataFrame:
        strategy = STRATEGIES[cell.strategy]
        if strategy.enrich is None:
            return ENRICHMENT_SCHEMA.to_frame()
        asked_again = self._mode is CacheMode.REFRESH and bool(strategy.tasks)
        if self._profile.up_to_date("enrichment", cell) and not asked_again:
            return self._tables.read("enrichment", [cell]).select(ENRICHMENT_SCHEMA.names())

        def vectors() -> Vectors:
            doubt.raised |= units.stood_in
            return units.vectors

        def embed(texts: Sequence[str]) -> Vectors:
            found, stood_in = self._embed("enrichment", str(cell), list(texts), "passage", doubt)
            doubt.raised |= stood_in
            return found

        foreseeing, generator = self._open_generator(doubt, f"answers for {cell}")
        material = Material(
            units=units.frame,
            corpus=corpus,
            vectors=vectors,
            embed=embed,
            generator=generator,
            tokenize=self._tokenize,
            references=self._references,
            former=self._profile.former_enrichment(cell),
        )
        enrichment = strategy.enrich(material)
        for task in strategy.tasks:
            self._note_answers("enrichment", str(cell), task, foreseeing, generator)
        return enrichment

    def _open_cache(self, room: CacheRoom, name: str) -> UnwrittenCache:
        return self._caches.setdefault(name, UnwrittenCache(open_cache(room, name)))

    def _open_generator(self, doubt: Doubt, what: str) -> tuple[ForeseeingGenerator, CachedGenerator]:
        foreseeing = ForeseeingGenerator(self._generator, self._tokens_of_language_model, doubt)
        return foreseeing, CachedGenerator(
            foreseeing, self._answers, mode=self._mode, progress=lambda done, total: self._progress(what, done, total)
        )

    def _note_answers(
        self, asset: str, partition: str, task: Task, foreseeing: ForeseeingGenerator, generator: CachedGenerator
    ) -> None:
        foreseen, needed = foreseeing.foreseen, generator.tally.answers
        amount = self._answer_rates.of(task, foreseen)
        self._lines.append(
            Line(
                asset=asset,
                partition=partition,
                task=task,
                model=self._generator.name,
                needed=needed,
                kept=needed - foreseen.requests,
                calls=foreseen.requests,
                input_tokens=foreseen.input_tokens,
                output_tokens=amount.output_tokens,
                cost=amount.cost,
                seconds=amount.seconds,
                guessed=foreseen.guessed,
            )
        )

    def _embed(self, asset: str, partition: str, texts: list[str], kind: Kind, doubt: Doubt) -> tuple[Vectors, bool]:
        """The texts' vectors, and whether some of them are stand-ins."""
        what = f"texts of {asset}{f' [{partition}]' if partition else ''}"
        foreseeing, cached = self._open_embedder()
        found = cached.embed(texts, kind, lambda done, total: self._progress(what, done, total))
        self._note_embedding(asset, partition, len(set(texts)), found.embedded, foreseeing.foreseen, doubt)
        return found.vectors, found.embedded > 0

    def _embed_parts(self, cell: Cell, units: list[list[Part]], doubt: Doubt) -> None:
        """Late chunking of a cell's units."""
        foreseeing, cached = self._open_embedder()
        found = cached.embed_parts(units, lambda done, total: self._progress(f"parts of sections for {cell}", done, total))
        needed = len({part for unit in units for part in unit})
        self._note_embedding("chunk_index", str(cell), needed, found.embedded, foreseeing.foreseen, doubt)

    def _open_embedder(self) -> tuple[ForeseeingEmbedder, CachedEmbedder]:
        foreseeing = ForeseeingEmbedder(self._embedder, self._tokens_of_local_model, self._dimension)
        return foreseeing, CachedEmbedder(foreseeing, self._room, self._open_cache)

    def _note_embedding(self, asset: str, partition: str, needed: int, missing: int, foreseen: Foreseen, doubt: Doubt) -> None:
        """`needed` distinct texts, or parts of texts, and how many of them have no vector yet."""
        amount = self._text_rates.of(foreseen)
        if needed:
            self._lines.append(
                Line(
                    asset=asset,
                    partition=partition,
                    task=EMBEDDING,
                    model=self._embedder.name,
                    needed=needed,
                    kept=needed - missing,
                    calls=foreseen.calls,
                    input_tokens=foreseen.tokens,
                    output_tokens=0,
                    cost=amount.cost,
                    seconds=amount.seconds,
                    guessed=doubt.raised and missing > 0,
                )
            )

    def _tokens_of_language_model(self, text: str) -> int:
        return len(litellm_module().encode(model=self._generator.name, text=text))

    def _tokens_of_local_model(self, texts: Sequence[str]) -> int:
        return sum(len(tokens) for tokens in self._tokenize(texts))
