"""The figures of the Civil Code that are known from elsewhere."""

import pytest

from lawrag_assets.laws.gii_xml import parse_law
from lawrag_assets.laws.model import Law, Status
from lawrag_assets.laws.source import law_source


@pytest.fixture(scope="module")
def bgb(shared) -> Law:
    return parse_law(law_source(str(shared / "gii")).fetch("bgb").xml, slug="bgb")


def test_sections_by_status(bgb):
    sections = [s for s in bgb.sections if s.kind == "section"]
    repealed = [s.designation for s in sections if s.status is Status.REPEALED]
    assert sum(s.status is Status.IN_FORCE for s in sections) == 2470
    assert sum(not d.startswith("§§") for d in repealed) == 39
    assert sum(d.startswith("§§") for d in repealed) == 24


def test_subsections_in_sections_in_force(bgb):
    units = [a for s in bgb.sections if s.status is Status.IN_FORCE for a in s.subsections]
    assert all(a.status in (Status.IN_FORCE, Status.REPEALED) for a in units)
    repealed = [a for a in units if a.status is Status.REPEALED]
    # Sixteen say "(weggefallen)"; a seventeenth, § 548 Abs. 3, says "(aufgehoben)" and is as dead.
    assert [a.citation for a in repealed if a.text == "(aufgehoben)"] == ["§ 548 Abs. 3 BGB"]
    assert sum(a.text == "(weggefallen)" for a in repealed) == 16
    assert len(units) - sum(a.text == "(weggefallen)" for a in repealed) == 4857


def test_books_and_ids(bgb):
    assert (bgb.abbreviation, bgb.builddate) == ("BGB", "2025-02-06")
    assert {s.hierarchy[0].label for s in bgb.sections} == {f"Buch {n}" for n in range(1, 6)}
    assert len({s.section_id for s in bgb.sections}) == len(bgb.sections)
    assert not bgb.warnings
