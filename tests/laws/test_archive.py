"""The history of a law: which builds were seen, when, and which was known on a day."""

from datetime import UTC, date, datetime

import pytest
from laws.made import document, norm

from lawrag_assets.errors import InputError
from lawrag_assets.laws.archive import ArchiveSource, build_known_on, builds, former_build, keep, kept
from lawrag_assets.laws.law_file import LawFile, law_file


def a_build(text: str, stamp: str) -> LawFile:
    return law_file("testg", document(norm(f"<P>{text}</P>"), stamp=stamp))


BUILDS = [a_build("A.", "20240101120000"), a_build("B.", "20240601120000"), a_build("C.", "20240601180000")]


@pytest.fixture
def folder(tmp_path):
    for file in reversed(BUILDS):
        keep(tmp_path, file, "here")
    return tmp_path


def test_builds_are_listed_oldest_first_with_when_and_where_they_were_seen(folder):
    listed = builds(folder, "testg")
    assert [build.sha256 for build in listed] == [file.sha256 for file in BUILDS]
    assert [build.date for build in listed] == ["2024-01-01", "2024-06-01", "2024-06-01"]
    assert {build.source for build in listed} == {"here"}
    assert abs(datetime.fromisoformat(listed[0].first_seen) - datetime.now(UTC)).total_seconds() < 60
    assert kept(folder, "testg", listed[1].sha256) == BUILDS[1]
    assert builds(folder, "other") == []


def test_seeing_a_build_again_does_not_change_when_it_was_first_seen(folder):
    before = builds(folder, "testg")
    keep(folder, BUILDS[0], "elsewhere")
    assert builds(folder, "testg") == before


def test_builds_kept_before_their_history_was_written_down(folder):
    for description in (folder / "testg").glob("*.json"):
        description.unlink()
    listed = builds(folder, "testg")
    assert [build.date for build in listed] == ["2024-01-01", "2024-06-01", "2024-06-01"]
    assert {build.source for build in listed} == {""}


@pytest.mark.parametrize(
    ("day", "text"), [("2024-01-01", "A."), ("2024-05-31", "A."), ("2024-06-01", "C."), ("2030-01-01", "C.")]
)
def test_the_law_as_of_a_day(folder, day, text):
    source = ArchiveSource(folder, date.fromisoformat(day))
    assert f"<P>{text}</P>".encode() in source.fetch("testg").xml


def test_a_day_before_the_oldest_build_is_refused(folder):
    with pytest.raises(InputError, match="the oldest is of 2024-01-01"):
        build_known_on(builds(folder, "testg"), "testg", date(2023, 12, 31))
    with pytest.raises(InputError, match="none was ever seen"):
        ArchiveSource(folder, date(2024, 1, 1)).fetch("other")


def test_the_build_before(folder):
    assert former_build(folder, BUILDS[2]).sha256 == BUILDS[1].sha256  # type: ignore[union-attr]
    assert former_build(folder, BUILDS[0]) is None
