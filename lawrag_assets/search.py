"""Asking a profile's index a question: what `lawrag search` prints and a service can return. No Dagster is needed to read."""

from collections.abc import Sequence
from contextlib import suppress
from typing import TypedDict

import polars as pl

from lawrag_assets.chunking.cells import Cell, parse_cells
from lawrag_assets.embedding.cached import CachedEmbedder
from lawrag_assets.embedding.factory import open_embedder
from lawrag_assets.errors import InputError
from lawrag_assets.retrieval.index import IndexReplacedError, open_index, read_chunks
from lawrag_assets.retrieval.run import search_once
from lawrag_assets.settings import Settings
from lawrag_assets.tables import TableStore

_ATTEMPTS = 10


class FoundSection(TypedDict):
    """One ranked section. `score` is the cosine similarity of its best chunk, whose text is `chunk`."""

    rank: int
    citation: str
    section_id: str
    score: float
    heading: str
    chunk: str


def search_sections(settings: Settings, question: str, *, cell: str, k: int, laws: Sequence[str] = ()) -> list[FoundSection]:
    """The k sections that fit the question best, of the named laws only where any are named.

    An index that is made anew while it is searched is searched again. Raises InputError for an empty question, a law that is not in the
    corpus, and a cell that is unknown, not built, or built from other laws or with another model.
    """
    for _ in range(_ATTEMPTS - 1):
        with suppress(IndexReplacedError):
            return _search(settings, question, cell, k, laws)
    return _search(settings, question, cell, k, laws)


def _search(settings: Settings, question: str, cell: str, k: int, laws: Sequence[str]) -> list[FoundSection]:
    if not question.strip():
        raise InputError("the question is empty")
    chosen = _one_cell(cell)
    paths, tables = settings.paths, TableStore(settings.paths.tables)
    again = f"`lawrag run --cells {chosen}`"
    if not tables.exists("chunk_index", chosen) or not tables.exists("corpus"):
        raise InputError(f"cell {chosen} is not built in profile {settings.profile!r}: {again} builds it")
    corpus = tables.read("corpus", columns=["section_id", "slug", "citation", "heading"])
    _require_laws(laws, corpus)
    model = open_embedder(settings.embedding_model, models_dir=paths.models, device=settings.device)
    if tables.read("chunk_index", [chosen])["model"].item() != model.identity:
        raise InputError(f"cell {chosen} was built with another model than {settings.embedding_model}: {again} builds it anew")
    index = open_index(paths.lancedb, chosen.table)
    vector = CachedEmbedder(model, paths.cache_room).embed([question], "query").vectors[0]
    found = search_once(index.of_laws(laws) if laws else index, vector, limit=k)
    sections = found.join(corpus, left_on="section", right_on="section_id", how="left", maintain_order="left")
    if sections["citation"].has_nulls():
        raise InputError(f"cell {chosen} was built from another corpus than this profile's laws: {again} builds it anew")
    texts = read_chunks(paths.lancedb, chosen.table, found["chunk_id"].to_list(), version=index.version)
    return [
        FoundSection(
            rank=row["rank"],
            citation=row["citation"],
            section_id=row["section"],
            score=row["score"],
            heading=row["heading"] or "",
            chunk=text,
        )
        for row, text in zip(sections.iter_rows(named=True), texts["text"], strict=True)
    ]


def _one_cell(spec: str) -> Cell:
    cells = parse_cells([spec])
    if len(cells) != 1:
        raise InputError(f"cell {spec!r} names {len(cells)} cells: name one, as subsection/flat")
    return cells[0]


def _require_laws(laws: Sequence[str], corpus: pl.DataFrame) -> None:
    there = corpus["slug"].unique(maintain_order=True).to_list()
    for law in laws:
        if law not in there:
            raise InputError(f"law {law!r} is not in this profile; its laws: {', '.join(there)}")
