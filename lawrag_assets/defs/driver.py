"""What `lawrag run` does, from settings to the finished report: look outside, refuse bad input, then refresh the graph.

Everything is read and checked before the first byte is written, so that bad input changes nothing.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypedDict

import polars as pl

from lawrag_assets.chunking import BASE_UNITS, STRATEGIES
from lawrag_assets.chunking.cells import Cell, grid
from lawrag_assets.definitions import build_definitions
from lawrag_assets.defs.freshness import Freshness, Node
from lawrag_assets.defs.instance import Holder, fail_dead_runs, follow_laws, held, is_held, open_instance
from lawrag_assets.defs.partitions import cell_key
from lawrag_assets.defs.progress import Progress
from lawrag_assets.defs.questions import read_question_sets
from lawrag_assets.defs.refresh import Outcome, Refresher
from lawrag_assets.defs.specs import strategy_spec_version, unit_spec_version
from lawrag_assets.defs.versions import table_version
from lawrag_assets.embedding.cached import CachedEmbedder
from lawrag_assets.errors import InputError, WorkFailedError
from lawrag_assets.laws.archive import is_kept
from lawrag_assets.laws.gii_xml import parse_law
from lawrag_assets.laws.source import LawFile, SourceError, law_source
from lawrag_assets.search import open_cached_embedder
from lawrag_assets.settings import Settings, write_profile
from lawrag_assets.tables import TableStore


@dataclass(frozen=True)
class Finished:
    """What a run did and where its results lie."""

    outcome: Outcome
    report: pl.DataFrame
    """The report's table, one row a question set and cell; empty if there is none."""
    report_file: Path


class FetchedLaws:
    """The laws as they were fetched and checked at the start of a run, so that the run works with just those."""

    def __init__(self, files: dict[str, LawFile]) -> None:
        self._files = files

    def fetch(self, slug: str) -> LawFile:
        """The law's file. Raises InputError for one that was not fetched."""
        if slug not in self._files:
            raise InputError(f"law {slug!r} could not be fetched at the start of this run")
        return self._files[slug]


def drive(
    settings: Settings, cells: list[Cell], *, to_remember: dict[str, Any], progress: Progress, say: Callable[[str], None]
) -> Finished:
    """Bring the cells and the report up to date, and put `to_remember` into the profile's file.

    Raises InputError for bad input, before anything is written; WorkFailedError where a law cannot be fetched and was never built.
    """
    laws = _fetch_laws(settings, say)
    question_sets = read_question_sets(settings)
    embedder = open_cached_embedder(settings)
    paths = settings.paths
    paths.require_writable()
    with held(paths, Holder.DRIVER), open_instance(paths) as instance:
        write_profile(paths, to_remember)
        dead = fail_dead_runs(instance, alive=[Holder.UI] if is_held(paths, Holder.UI) else [])
        if dead:
            say(f"{dead} unfinished run(s) of a process that died are marked as failed; their work goes on now")
        follow_laws(instance, settings.laws)
        definitions = build_definitions(settings, law_source=FetchedLaws(laws), embedder=embedder, progress=progress)
        graph, outside = definitions.resolve_asset_graph(), outside_versions(laws, question_sets, embedder)
        refresher = Refresher(definitions, instance, lambda: Freshness(graph, instance, paths, outside, settings.laws), say)
        outcome = refresher.refresh(settings.laws, cells, evaluate=question_sets.height > 0)
    tables = TableStore(paths.tables)
    report = tables.read("benchmark_report") if tables.exists("benchmark_report") else pl.DataFrame()
    return Finished(outcome, report, paths.reports / "report.html")


class CellState(TypedDict):
    """A cell as `lawrag cells` lists it. `stale`: it, or anything that it is made from, is not up to date."""

    base_unit: str
    strategy: str
    materialized: bool
    stale: bool


def cell_states(settings: Settings) -> list[CellState]:
    """Every cell of the grid with its state. Does not ask the law source, and writes nothing into an empty profile."""
    paths = settings.paths
    if not paths.dagster_home.is_dir():
        return [CellState(base_unit=cell.base_unit, strategy=cell.strategy, materialized=False, stale=False) for cell in grid()]
    question_sets = read_question_sets(settings)
    last = "cell_metrics" if question_sets.height else "chunk_index"
    with open_instance(paths) as instance:
        graph = build_definitions(settings).resolve_asset_graph()
        outside = outside_versions({}, question_sets, open_cached_embedder(settings))
        freshness = Freshness(graph, instance, paths, outside, settings.laws)
        return [
            CellState(
                base_unit=cell.base_unit,
                strategy=cell.strategy,
                materialized=freshness.is_built("chunk_index", cell_key(cell)),
                stale=freshness.is_stale(last, cell_key(cell)),
            )
            for cell in grid()
        ]


def outside_versions(laws: dict[str, LawFile], question_sets: pl.DataFrame, embedder: CachedEmbedder) -> dict[Node, str]:
    """The data version that each root of the graph would have if it were materialized now."""
    return {
        **{("law_xml", slug): file.sha256 for slug, file in laws.items()},
        **{("unit_spec", base_unit): unit_spec_version(base_unit) for base_unit in BASE_UNITS},
        **{("strategy_spec", strategy): strategy_spec_version(strategy) for strategy in STRATEGIES},
        ("questions", None): table_version(question_sets).value,
        ("embedding_model", None): embedder.embedder.identity,
    }


def _fetch_laws(settings: Settings, say: Callable[[str], None]) -> dict[str, LawFile]:
    """The profile's laws as their source serves them now, each seen to be law.

    A law that cannot be fetched just now keeps the build that this profile has of it.
    """
    source = law_source(settings.law_source)
    tables = TableStore(settings.paths.tables)
    files = {}
    for slug in settings.laws:
        try:
            file = source.fetch(slug)
        except SourceError as error:
            if not tables.exists("law_sections", (slug,)):
                raise WorkFailedError(str(error)) from error
            say(f"{error}; going on with the build of {slug} that is there")
            continue
        if not is_kept(settings.paths.laws, slug, file.sha256):
            parse_law(file.xml, slug=slug)
        files[slug] = file
    return files
