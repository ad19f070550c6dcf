"""What an amendment of the real Civil Code costs: how many answers a generator is asked for again, by strategy and base unit."""

from pathlib import Path

import polars as pl
import pytest
from chunking.made_material import EXTRACTIVE, cut, enrich

from lawrag_assets.chunking.propositions import write_propositions
from lawrag_assets.generation.answers import AnswerStore
from lawrag_assets.generation.cached import CachedGenerator
from lawrag_assets.laws.gii_xml import parse_law
from lawrag_assets.laws.source import law_source
from lawrag_assets.laws.tables import sections_table


def corpus_of(folder: Path, name: str) -> pl.DataFrame:
    return sections_table([parse_law(law_source(str(folder)).fetch(name).xml, slug="bgb", references=False)])


@pytest.fixture(scope="module")
def builds(shared: Path) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The builds of 2024-08-16 and 2025-02-06."""
    return corpus_of(shared / "gii-history" / "bgb", "20240816"), corpus_of(shared / "gii", "bgb")


def changed_units(base_unit: str, old: pl.DataFrame, new: pl.DataFrame) -> int:
    """Units of the new build whose text the old build did not have."""
    return cut(base_unit, new).join(cut(base_unit, old), on="text", how="anti")["text"].n_unique()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("strategy", "base_unit", "at_most"),
    [
        *(("contextual", base_unit, 0.02) for base_unit in ("subsection", "sentence", "proposition")),
        *(("lumber", base_unit, 0.03) for base_unit in ("subsection", "sentence", "proposition")),
        ("raptor", "subsection", 0.12),  # a unit is in about two clusters, and each of these below two summaries
    ],
)
def test_an_amendment_is_asked_about_and_little_else(
    builds: tuple[pl.DataFrame, pl.DataFrame], strategy: str, base_unit: str, at_most: float, tmp_path: Path
) -> None:
    old, new = builds
    store = AnswerStore(tmp_path)
    former = enrich(strategy, cut(base_unit, old), old, generator=CachedGenerator(EXTRACTIVE, store))
    generator = CachedGenerator(EXTRACTIVE, store)
    now = enrich(strategy, cut(base_unit, new), new, former, generator)
    asked = generator.tally.answers - generator.tally.cached
    print(f"{base_unit}/{strategy}: {asked} of {generator.tally.answers} asked; {changed_units(base_unit, old, new)} units new")
    assert 0 < asked <= at_most * generator.tally.answers
    if strategy == "raptor":  # just the summaries of other members, or of members with other texts
        assert asked <= now.join(former, on="node_id", how="anti").height


@pytest.mark.slow
def test_propositions_are_asked_for_amended_subsections_only(builds: tuple[pl.DataFrame, pl.DataFrame], tmp_path: Path) -> None:
    old, new = builds
    store = AnswerStore(tmp_path)
    write_propositions(old, CachedGenerator(EXTRACTIVE, store))
    generator = CachedGenerator(EXTRACTIVE, store)
    write_propositions(new, generator)
    assert generator.tally.answers - generator.tally.cached == changed_units("subsection", old, new)
