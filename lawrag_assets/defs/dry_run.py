"""What `lawrag run --dry-run` does: look at laws, questions and profile as a run would, then forecast. Writes nothing.

How a forecast is made is `forecast`'s concern.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack

from lawrag_assets.chunking.cells import Cell
from lawrag_assets.definitions import build_definitions
from lawrag_assets.defs.driver import fetch_laws, require_token_vectors
from lawrag_assets.defs.generation import former_enrichment
from lawrag_assets.defs.instance import open_instance
from lawrag_assets.defs.outside import take_look
from lawrag_assets.defs.partitions import cell_key
from lawrag_assets.defs.progress import Progress
from lawrag_assets.defs.resources import bundled_tokens, open_cached_embedder
from lawrag_assets.forecast.lines import Forecast
from lawrag_assets.forecast.walk import NEW_PROFILE, Profile, Walk
from lawrag_assets.generation.factory import open_generator
from lawrag_assets.laws.archive import kept, parsed
from lawrag_assets.laws.edges import references_table
from lawrag_assets.laws.law_file import LawFile
from lawrag_assets.laws.model import Law
from lawrag_assets.laws.tables import sections_table
from lawrag_assets.question_sets import read_question_sets, require_mapping_fits
from lawrag_assets.settings import Settings
from lawrag_assets.tables import TableStore


def dry_run(settings: Settings, cells: Sequence[Cell], *, progress: Progress, say: Callable[[str], None]) -> Forecast:
    """What a run of these cells would ask of models. Raises what the run would raise for bad input."""
    laws = fetch_laws(settings, say)
    questions = read_question_sets(settings).table
    require_mapping_fits(settings, laws)
    require_token_vectors(cells, open_cached_embedder(settings).embedder)
    with ExitStack() as stack:
        profile = _profile(settings, laws, stack)
        walk = Walk(settings, profile, bundled_tokens(settings.paths.models), progress)
        parsed_laws = _laws(settings, laws)
        return walk.forecast(sections_table(parsed_laws), lambda: references_table(parsed_laws), questions, cells)


def _profile(settings: Settings, laws: Mapping[str, LawFile], stack: ExitStack) -> Profile:
    """What the profile holds. Its Dagster storage is read, and only where it was made by a run before."""
    if not settings.paths.has_history:
        return NEW_PROFILE
    tables, generator = TableStore(settings.paths.tables), open_generator(settings.llm)
    instance = stack.enter_context(open_instance(settings.paths))
    freshness = take_look(build_definitions(settings, laws), settings, laws, instance)

    def up_to_date(asset: str, partition: str | Cell | None) -> bool:
        return not freshness.is_stale(asset, cell_key(partition) if isinstance(partition, Cell) else partition)

    return Profile(up_to_date, lambda cell: former_enrichment(tables, cell, generator))


def _laws(settings: Settings, laws: Mapping[str, LawFile]) -> list[Law]:
    """The laws as they were fetched; one that could not be, as it was built last."""
    tables, folder = TableStore(settings.paths.tables), settings.paths.laws

    def file(slug: str) -> LawFile:
        return laws[slug] if slug in laws else kept(folder, slug, tables.read("law_xml", [(slug,)])["sha256"].item())

    return [parsed(file(slug)) for slug in sorted(settings.laws)]
