"""What `lawrag run` does, from settings to the finished report: look outside, refuse bad input, then refresh the graph.

Everything is read and checked before the first byte is written, so that bad input changes nothing.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from lawrag_assets.chunking import STRATEGIES
from lawrag_assets.chunking.cells import Cell
from lawrag_assets.definitions import build_definitions
from lawrag_assets.defs.dead_runs import fail_dead_runs
from lawrag_assets.defs.generation import asks_again
from lawrag_assets.defs.instance import Holder, follow_laws, held, is_held, open_instance
from lawrag_assets.defs.laws import built_content
from lawrag_assets.defs.looks import record_look
from lawrag_assets.defs.outside import take_look
from lawrag_assets.defs.progress import Progress
from lawrag_assets.defs.refresh import Outcome, Refresher
from lawrag_assets.defs.resources import open_cached_embedder, open_law_source
from lawrag_assets.embedding.late import token_embedder
from lawrag_assets.embedding.protocol import Embedder
from lawrag_assets.errors import InputError
from lawrag_assets.files import Place
from lawrag_assets.laws.archive import is_kept, keep, parsed
from lawrag_assets.laws.law_file import LawFile, SourceError, build_date
from lawrag_assets.laws.watch import is_older, older_build
from lawrag_assets.learned import RANKER_CELLS
from lawrag_assets.question_sets import read_question_sets, read_training_sets, require_mapping_fits
from lawrag_assets.settings import Settings, write_profile
from lawrag_assets.tables import TableStore


@dataclass(frozen=True)
class Finished:
    """What a run did and where its results lie."""

    outcome: Outcome
    report: pl.DataFrame
    """The report's table, one row a question set and cell; empty if there is none."""
    report_file: Place


@dataclass(frozen=True)
class Remembered:
    """What a run's flags change in the profile's file, and what the user is told of it once it is written."""

    values: dict[str, Any]
    notes: tuple[str, ...] = ()


class FetchedLaws:
    """The laws as they were fetched and checked at the start of a run, so that the run works with just those."""

    def __init__(self, files: dict[str, LawFile], location: str) -> None:
        self.location = location
        self._files = files

    def fetch(self, slug: str) -> LawFile:
        """The law's file. Raises InputError for one that was not fetched."""
        if slug not in self._files:
            raise InputError(f"law {slug!r} could not be fetched at the start of this run")
        return self._files[slug]


def drive(
    settings: Settings, cells: list[Cell], *, to_remember: Remembered, progress: Progress, say: Callable[[str], None]
) -> Finished:
    """Bring the cells and the report up to date, and put `to_remember` into the profile's file.

    Raises InputError for bad input, before anything is written; WorkFailedError where a law cannot be fetched and was never built.
    """
    older: list[LawFile] = []
    laws = fetch_laws(settings, say, older.append)
    question_sets = read_question_sets(settings).table
    read_training_sets(settings)
    require_mapping_fits(settings, laws)
    embedder = open_cached_embedder(settings)
    require_token_vectors(cells, embedder.embedder)
    paths = settings.paths
    paths.require_writable()
    with held(paths, Holder.DRIVER), open_instance(paths) as instance:
        write_profile(paths, to_remember.values)
        for note in to_remember.notes:
            say(note)
        dead = fail_dead_runs(instance, alive=_others(settings))
        if dead:
            say(f"{dead} unfinished run(s) of a process that died are marked as failed; their work goes on now")
        follow_laws(instance, settings.laws)
        if len(laws) == len(settings.laws) and not settings.day:
            record_look(instance, settings.law_source, {slug: file.sha256 for slug, file in laws.items()})
        for file in older:
            keep(paths.laws, file, settings.law_source)
        fetched = FetchedLaws(laws, open_law_source(settings).location)
        definitions = build_definitions(settings, laws, law_source=fetched, embedder=embedder, progress=progress)
        refresher = Refresher(
            definitions,
            instance,
            lambda: take_look(definitions, settings, laws, instance),
            say,
            _again(settings),
            lambda: [Holder.DRIVER, *_others(settings)],
        )
        train = bool(settings.training_questions)
        needed = list(dict.fromkeys([*cells, *(RANKER_CELLS if train else ())]))
        outcome = refresher.refresh(settings.laws, needed, evaluate=question_sets.height > 0, train=train)
    tables = TableStore(paths.tables)
    report = tables.read("benchmark_report") if tables.exists("benchmark_report") else pl.DataFrame()
    return Finished(outcome, report, paths.reports / "report.html")


def require_token_vectors(cells: Sequence[Cell], embedder: Embedder) -> None:
    """Raise InputError, with the way out, for cells that need the vectors of single tokens where the model gives none."""
    if any(STRATEGIES[cell.strategy].pooling == "tokens" for cell in cells):
        token_embedder(embedder)


def _others(settings: Settings) -> list[Holder]:
    """Who else is at work on the profile."""
    return [Holder.UI] if is_held(settings.paths, Holder.UI) else []


def _again(settings: Settings) -> Callable[[str, str | None], bool]:
    """What is redone though it is up to date."""
    return asks_again if settings.llm_cache == "refresh" else lambda _asset, _partition: False


def fetch_laws(
    settings: Settings, say: Callable[[str], None], not_taken: Callable[[LawFile], None] = lambda _: None
) -> dict[str, LawFile]:
    """The profile's laws as their source serves them now, each seen to be law.

    A law that cannot be fetched just now keeps the build that this profile has of it; so does one that comes in an
    older build than before, which is handed to `not_taken`.
    """
    source = open_law_source(settings)
    tables = TableStore(settings.paths.tables)
    files = {}
    for slug in settings.laws:
        try:
            file = source.fetch(slug)
        except SourceError as error:
            if not tables.exists("law_sections", (slug,)):
                raise
            say(f"{error}; going on with the build of {slug} that is there")
            continue
        if not is_kept(settings.paths.laws, slug, file.sha256):
            parsed(file)
        built = built_content(tables, slug, source.location)
        if built and is_older(file.build, built.build):
            not_taken(file)
            say(f"{slug}: {older_build(file.build, built.build)}; `--as-of {build_date(file.build)}` takes it")
            continue
        files[slug] = file
    return files
