"""A profile's question sets: read as its settings say. No Dagster is needed to read.

What a question holds and what a mapping does is the concern of `evaluation`; only the ways to it are here.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from lawrag_assets.chunking.units import sections_in_force
from lawrag_assets.errors import InputError
from lawrag_assets.evaluation.gold_mapping import GoldMapping, read_gold_mapping
from lawrag_assets.evaluation.hub_questions import SCHEME, fetch
from lawrag_assets.evaluation.question_columns import read_question_columns, require_fields
from lawrag_assets.evaluation.questions import QUESTIONS_SCHEMA, read_questions
from lawrag_assets.laws.citation_lists import citations_in
from lawrag_assets.laws.citations import CitationIndex, comparable
from lawrag_assets.laws.gii_xml import parse_law
from lawrag_assets.laws.source import LawFile
from lawrag_assets.laws.tables import sections_table
from lawrag_assets.settings import Settings
from lawrag_assets.tables import TableStore

_LOOKED_UP = ["section_id", "slug", "law", "designation", "status", "text"]


@dataclass(frozen=True)
class QuestionSets:
    """All question sets in one table of `QUESTIONS_SCHEMA`, gold mapped; how many gold citations the profile's mapping replaced."""

    table: pl.DataFrame
    gold_mapped: int


def read_question_sets(settings: Settings) -> QuestionSets:
    """All question sets of the profile. Raises InputError for a file that cannot be read or a name given twice, WorkFailedError where the
    hub is asked and does not answer."""
    mapping = _mapping(settings)
    files = settings.question_files
    sets = [_read(place, settings.columns).with_columns(question_set=pl.lit(name)) for name, place in files.items()]
    table, mapped = mapping.apply(pl.concat([QUESTIONS_SCHEMA.to_frame(), *sets]), comparable)
    return QuestionSets(table, mapped)


def require_mapping_fits(settings: Settings, files: Mapping[str, LawFile]) -> None:
    """Raise InputError "file:line: reason" where the gold mapping leads to no section in force of the profile's laws.

    `files` are the laws as they were fetched; one that is not there is taken as it was built last.
    """
    mapping = _mapping(settings)
    if mapping.rows:
        mapping.require_known(CitationIndex(sections_in_force(_sections(settings, files))))


def _read(place: str, columns: Mapping[str, str]) -> pl.DataFrame:
    """One question set, from a file's path or an address on the hub. Messages name the place, not the hub's cache."""
    require_fields(columns)
    path = fetch(place) if place.startswith(SCHEME) else Path(place)
    try:
        if path.suffix == ".parquet":
            return read_question_columns(path, columns, citations_in)
        return read_questions(path)
    except InputError as error:
        raise InputError(str(error).replace(str(path), place, 1)) from None


def _mapping(settings: Settings) -> GoldMapping:
    """The profile's mapping; one without rows where it has none."""
    path = Path(settings.gold_mapping)
    return read_gold_mapping(path) if settings.gold_mapping else GoldMapping(path, ())


def _sections(settings: Settings, files: Mapping[str, LawFile]) -> pl.DataFrame:
    """The sections of the profile's laws: as they were built where the law is still the same, else parsed."""
    tables = TableStore(settings.paths.tables)
    found = []
    for slug in settings.laws:
        file = files.get(slug)
        built = tables.exists("law_sections", (slug,)) and tables.exists("law_xml", (slug,))
        if file is None or (built and tables.read("law_xml", [(slug,)])["sha256"].item() == file.sha256):
            found.append(tables.read("law_sections", [(slug,)], columns=_LOOKED_UP))
        else:
            law = parse_law(file.xml, slug=slug, sentences=False, references=False)
            found.append(sections_table([law]).select(_LOOKED_UP))
    return pl.concat(found)
