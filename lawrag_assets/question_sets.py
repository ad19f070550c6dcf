"""A profile's question sets: read as its settings say, and checked against its laws. No Dagster is needed to read.

What a question holds, what is checked and what a mapping does is the concern of `evaluation`; only the ways to it are here.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from lawrag_assets.chunking.units import sections_in_force
from lawrag_assets.errors import InputError
from lawrag_assets.evaluation.gold_mapping import GoldMapping, read_gold_mapping, write_gold_mapping
from lawrag_assets.evaluation.hub_questions import SCHEME, fetch
from lawrag_assets.evaluation.qrels import Qrels, qrels
from lawrag_assets.evaluation.question_checks import NearDuplicates, SetFindings, check_question_sets
from lawrag_assets.evaluation.question_columns import read_question_columns, require_fields
from lawrag_assets.evaluation.questions import QUESTIONS_SCHEMA, read_questions
from lawrag_assets.laws.archive import parsed
from lawrag_assets.laws.citation_lists import citations_in
from lawrag_assets.laws.citations import CitationIndex, comparable
from lawrag_assets.laws.law_file import LawFile
from lawrag_assets.laws.source import law_source
from lawrag_assets.laws.tables import sections_table
from lawrag_assets.retrieval.calibration import default_questions, read_calibration, require_unseen
from lawrag_assets.settings import Settings, question_set_of
from lawrag_assets.tables import TableStore

_LOOKED_UP = ["section_id", "slug", "law", "designation", "status", "text"]


@dataclass(frozen=True)
class QuestionSets:
    """All question sets in one table of `QUESTIONS_SCHEMA`, gold mapped; how many gold citations the profile's mapping replaced."""

    table: pl.DataFrame
    gold_mapped: int


@dataclass(frozen=True)
class CheckedFile:
    """A question set as it was named, and what was found in it; `gold_mapped` as in `QuestionSets`."""

    file: str
    gold_mapped: int
    findings: SetFindings


@dataclass(frozen=True)
class Checked:
    """Question sets checked against the corpus of these laws."""

    laws: list[str]
    sections: int
    files: list[CheckedFile]
    between: dict[tuple[str, str], NearDuplicates]
    """Near-duplicates between each two files."""


def read_question_sets(settings: Settings) -> QuestionSets:
    """All question sets that the profile is measured on. Raises InputError for a file that cannot be read or a name given twice,
    WorkFailedError where the hub is asked and does not answer."""
    return _sets(settings, settings.question_files)


def read_training_sets(settings: Settings) -> QuestionSets:
    """All question sets that the profile learns from, likewise."""
    return _sets(settings, settings.training_files)


def _sets(settings: Settings, files: Mapping[str, str]) -> QuestionSets:
    mapping = _mapping(settings)
    sets = [_read(place, settings.columns).with_columns(question_set=pl.lit(name)) for name, place in files.items()]
    table, mapped = mapping.apply(pl.concat([QUESTIONS_SCHEMA.to_frame(), *sets]), comparable)
    return QuestionSets(table, mapped)


def read_calibration_questions(settings: Settings, asked: pl.DataFrame) -> pl.DataFrame:
    """The calibration questions (`retrieval.calibration.CALIBRATION_SCHEMA`). Raises InputError for a file that cannot be read, or holds
    one of the questions that are asked (`QUESTIONS_SCHEMA`)."""
    calibration = read_calibration(Path(settings.calibration) if settings.calibration else default_questions())
    require_unseen(calibration, asked["question"])
    return calibration


def require_mapping_fits(settings: Settings, files: Mapping[str, LawFile]) -> None:
    """Raise InputError "file:line: reason" where the gold mapping leads to no section in force of the profile's laws.

    `files` are the laws as they were fetched; one that is not there is taken as it was built last.
    """
    mapping = _mapping(settings)
    if mapping.rows:
        mapping.require_known(CitationIndex(sections_in_force(_sections(settings, files))))


def check_question_files(
    settings: Settings, question_sets: Sequence[str], *, fetch_laws: bool, say: Callable[[str], None]
) -> Checked:
    """Check question sets, named as in the settings, against the profile's laws. The gold mapping is applied first.

    The laws are those of the corpus that the profile has built; where it has none of just these laws, or with `fetch_laws`, they are
    fetched and parsed, and nothing is kept. Raises InputError for a set or a law that cannot be read.
    """
    names = list(dict.fromkeys(question_sets))
    mapping = _mapping(settings)
    read = [mapping.apply(_read(question_set_of(name)[1], settings.columns), comparable) for name in names]
    sections = None if fetch_laws else _built_corpus(settings)
    if sections is None:
        say(f"fetching and parsing {', '.join(settings.laws)}")
        source = law_source(settings.law_source)
        sections = _sections(settings, {slug: source.fetch(slug) for slug in settings.laws})
    findings, between = check_question_sets([table for table, _ in read], CitationIndex(sections))
    return Checked(
        laws=settings.laws,
        sections=sections.height,
        files=[CheckedFile(name, mapped, found) for name, (_, mapped), found in zip(names, read, findings, strict=True)],
        between={(names[i], names[j]): pairs for (i, j), pairs in between.items()},
    )


def write_mapping(checked: Checked, path: Path) -> int:
    """Write the gold citations that name no section in force to a mapping for a person to fill in; return how many there are."""
    found = [gold for file in checked.files for gold in (*file.findings.unknown_gold, *file.findings.gold_not_in_force)]
    citations: dict[str, str] = {}
    for gold in found:
        citations.setdefault(comparable(gold.citation), gold.citation)
    write_gold_mapping(path, citations.values())
    return len(citations)


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


def _built_corpus(settings: Settings) -> pl.DataFrame | None:
    """The corpus as it was built last; None where there is none of just the profile's laws."""
    tables = TableStore(settings.paths.tables)
    if not tables.exists("corpus"):
        return None
    corpus = tables.read("corpus", columns=_LOOKED_UP)
    return corpus if set(corpus["slug"].unique()) == set(settings.laws) else None


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
            found.append(sections_table([parsed(file)]).select(_LOOKED_UP))
    return pl.concat(found)


def gold_of(questions: pl.DataFrame, corpus: pl.DataFrame) -> Qrels:
    """The questions' gold among the sections that are indexed; a citation of a repealed section names none of them."""
    return qrels(questions, CitationIndex(sections_in_force(corpus)))
