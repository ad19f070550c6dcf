"""Asking a profile's index a question: what `lawrag search` prints and a service can return. No Dagster is needed to read."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cached_property, partial
from threading import Lock
from typing import TypedDict

import polars as pl

from lawrag_assets.chunking.cells import Cell, parse_cells
from lawrag_assets.embedding.cached import CachedEmbedder
from lawrag_assets.embedding.factory import open_embedder
from lawrag_assets.embedding.protocol import Embedder
from lawrag_assets.errors import InputError
from lawrag_assets.evaluation.language import guess_language
from lawrag_assets.retrieval.asked import Asked
from lawrag_assets.retrieval.calibration import QuestionMeans
from lawrag_assets.retrieval.hits import Floats
from lawrag_assets.retrieval.index import IndexReplacedError, open_index, read_chunks, read_texts
from lawrag_assets.retrieval.names import BEST, LEARNED
from lawrag_assets.retrieval.reranking import CrossEncoderModel
from lawrag_assets.retrieval.retriever import Retriever, Scorer
from lawrag_assets.retrieval.retrievers import Retrievers, Sources
from lawrag_assets.retrieval.run import search_once
from lawrag_assets.settings import BEST_THERE_IS, Settings
from lawrag_assets.tables import TableStore

_ATTEMPTS = 10


class FoundSection(TypedDict):
    """One ranked section. `score` is the retriever's; `chunk` is the text of the chunk that speaks for it best, from the law's build of
    the date `build` (YYYY-MM-DD)."""

    rank: int
    citation: str
    section_id: str
    score: float
    heading: str
    chunk: str
    build: str


class Searcher:
    """A cell of a profile with all that answering needs held in memory; many threads may ask it at a time.

    Made by `open_searcher`.
    """

    def __init__(
        self,
        settings: Settings,
        cell: Cell,
        retrievers: Retrievers,
        embedder: CachedEmbedder,
        corpus: pl.DataFrame,
        say: Callable[[str], None],
    ) -> None:
        self._settings = settings
        self._cell = cell
        self._retrievers = retrievers
        self._embedder = embedder
        self._corpus = corpus
        self._say = say
        self._lock = Lock()

    def embed(self, question: str) -> Floats:
        """The question's vector, (d,). One thread at a time."""
        with self._lock:
            vector: Floats = self._embedder.embed([question], "query").vectors[0]
        return vector

    def asked(self, question: str) -> Asked:
        """The question as retrievers see it. Raises InputError for an empty one."""
        if not question.strip():
            raise InputError("the question is empty")
        return Asked.one(question, guess_language(question), self.embed(question))

    def search(self, question: str, *, k: int, laws: Sequence[str] = (), retriever: str = "") -> list[FoundSection]:
        """The k sections that fit the question best, of the named laws only where any are named.

        Without `retriever` it is the settings'. Raises InputError for an empty question, a law that is not in the corpus, and a
        retriever that there is not; IndexReplacedError where the cell was made anew since it was opened.
        """
        _require_laws(laws, self._corpus)
        name = retriever or self._settings.retriever
        found = search_once(self._chosen(name, laws), self.asked(question), limit=k)
        sections = found.join(self._corpus, left_on="section", right_on="section_id", how="left", maintain_order="left")
        if sections["citation"].has_nulls():
            raise InputError(f"cell {self._cell} was built from another corpus than this profile's laws: {again(self._cell)}")
        lancedb, version = self._settings.paths.lancedb, self._retrievers.index.version
        texts = read_chunks(lancedb, self._cell.table, found["chunk_id"].to_list(), version=version)
        return [
            FoundSection(
                rank=row["rank"],
                citation=row["citation"],
                section_id=row["section"],
                score=row["score"],
                heading=row["heading"] or "",
                chunk=text,
                build=build,
            )
            for row, text, build in zip(sections.iter_rows(named=True), texts["text"], texts["build"], strict=True)
        ]

    def _chosen(self, name: str, laws: Sequence[str]) -> Retriever:
        """The retriever of this name; `best` is the learned one, where a ranker was fitted for just this law, model and questions."""
        if name == LEARNED or (name == BEST_THERE_IS and self._settings.training_questions):
            reason = self._why_not_learned(laws)
            if reason is None:
                return self._learned
            if name == LEARNED:
                raise InputError(f"the retriever {LEARNED} cannot be used: {reason}")
            self._say(f"searching without the labelled questions: {reason}")
        retrievers = self._retrievers.of_laws(laws) if laws else self._retrievers
        return retrievers[BEST if name == BEST_THERE_IS else name]

    def _why_not_learned(self, laws: Sequence[str]) -> str | None:
        from lawrag_assets.learned import why_not_learned

        if laws:
            return "it ranks all laws of the profile, not some"
        return why_not_learned(self._settings, self._embedder.embedder.identity)

    @cached_property
    def _learned(self) -> Retriever:
        from lawrag_assets.learned import open_learned

        shown = self._retrievers["dense_centred"]
        assert isinstance(shown, Scorer)
        return open_learned(self._settings, shown)


def _silent(_: str) -> None: ...


def open_searcher(settings: Settings, cell: str, say: Callable[[str], None] = _silent) -> Searcher:
    """Open a cell for searching. `say` is told where the learned retriever cannot be used though there are questions to learn from.

    Raises InputError for a cell that is unknown, not built, or built from other laws or with another model.
    """
    chosen = one_cell(cell)
    model = built_model(settings, chosen)
    corpus = TableStore(settings.paths.tables).read("corpus", columns=["section_id", "slug", "citation", "heading"])
    embedder = CachedEmbedder(model, settings.paths.cache_room)
    return Searcher(settings, chosen, open_retrievers(settings, chosen), embedder, corpus, say)


def built_model(settings: Settings, cell: Cell, model: Embedder | None = None) -> Embedder:
    """The model that a cell was built with: `model`, or the settings', opened.

    Raises InputError for a cell that is not built, or built with another.
    """
    tables = TableStore(settings.paths.tables)
    if not tables.exists("chunk_index", cell) or not tables.exists("corpus"):
        raise InputError(f"cell {cell} is not built in profile {settings.profile!r}: {again(cell)}")
    model = model or open_embedder(settings.embedding_model, models_dir=settings.paths.models, device=settings.device)
    if tables.read("chunk_index", [cell])["model"].item() != model.identity:
        raise InputError(f"cell {cell} was built with another model than {settings.embedding_model}: {again(cell)}")
    return model


def open_retrievers(settings: Settings, cell: Cell) -> Retrievers:
    """A built cell's retrievers; each part is read when something needs it. Raises InputError where a part is not built."""
    paths, tables = settings.paths, TableStore(settings.paths.tables)
    index = open_index(paths.lancedb, cell.table)

    def read(table: str, *partition: str) -> pl.DataFrame:
        if not tables.exists(table, partition):
            raise InputError(f"cell {cell} has no {table} yet: {again(cell)}")
        return tables.read(table, [partition])

    return Retrievers(
        Sources(
            index=index,
            question_means=lambda: QuestionMeans.of_table(read("calibration")),
            lexical=lambda: read("lexical_index", *cell),
            references=lambda: read("corpus_references"),
            texts=partial(read_texts, paths.lancedb, cell.table, index.chunk_ids),
            reranker=CrossEncoderModel(settings.reranker) if settings.reranker else None,
        )
    )


def search_sections(
    settings: Settings,
    question: str,
    *,
    cell: str,
    k: int,
    laws: Sequence[str] = (),
    retriever: str = "",
    say: Callable[[str], None] = _silent,
) -> list[FoundSection]:
    """Open a cell and ask it one question: see `open_searcher` and `Searcher.search`.

    A cell that is made anew while it is searched is searched again.
    """
    if not question.strip():
        raise InputError("the question is empty")
    for _ in range(_ATTEMPTS - 1):
        with suppress(IndexReplacedError):
            return open_searcher(settings, cell, say).search(question, k=k, laws=laws, retriever=retriever)
    return open_searcher(settings, cell, say).search(question, k=k, laws=laws, retriever=retriever)


def again(cell: Cell) -> str:
    """The way out where a cell cannot be used as it is."""
    return f"`lawrag run --cells {cell}` builds it"


def one_cell(spec: str) -> Cell:
    """The cell that a user names. Raises InputError where that is none, or several."""
    cells = parse_cells([spec])
    if len(cells) != 1:
        raise InputError(f"cell {spec!r} names {len(cells)} cells: name one, as subsection/flat")
    return cells[0]


def _require_laws(laws: Sequence[str], corpus: pl.DataFrame) -> None:
    there = corpus["slug"].unique(maintain_order=True).to_list()
    for law in laws:
        if law not in there:
            raise InputError(f"law {law!r} is not in this profile; its laws: {', '.join(there)}")
