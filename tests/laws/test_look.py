"""Looking at sources politely: what is asked, how often, and what is read of it."""

import os

import pytest
from laws.law_site import LawSite
from laws.made import document, norm
from laws.test_law_source import zipped

from lawrag_assets.laws.archive import builds
from lawrag_assets.laws.look import look
from lawrag_assets.laws.site import SiteSource
from lawrag_assets.laws.source import law_source
from lawrag_assets.laws.watch import Failed, Found, Known, Same


def a_law(text: str, stamp: str = "20250102030405") -> bytes:
    return zipped(("BJNR1.xml", document(norm(f"<P>{text}</P>"), stamp=stamp)))


def looked_at(source, archive, laws, known=None, **kwargs):
    return look(source, archive, laws, known or {}, now=100.0, **{"with_contents": False, "sleep": lambda _: None, **kwargs})


def test_a_second_look_asks_whether_it_is_still_the_same(law_site: LawSite, tmp_path):
    law_site.zips = {"testg": a_law("A.")}
    source = SiteSource(law_site.address)
    first = looked_at(source, tmp_path, ["testg"]).readings["testg"]
    assert isinstance(first, Found)
    assert first.content.build == "20250102030405"
    second = looked_at(source, tmp_path, ["testg"], {"testg": Known(mark=first.mark)})
    assert second.readings == {"testg": Same()}
    assert [status for _, status in law_site.asked] == [200, 304]
    law_site.zips["testg"] = a_law("B.")
    third = looked_at(source, tmp_path, ["testg"], {"testg": Known(mark=first.mark)}).readings["testg"]
    assert isinstance(third, Found)
    assert third.content != first.content
    assert len(builds(tmp_path, "testg")) == 2


def test_a_folder_is_asked_in_the_same_way(tmp_path):
    (tmp_path / "gii" / "testg").mkdir(parents=True)
    file = tmp_path / "gii" / "testg" / "xml.zip"
    file.write_bytes(a_law("A."))
    source = law_source(str(tmp_path / "gii"))
    first = looked_at(source, tmp_path / "laws", ["testg"]).readings["testg"]
    assert isinstance(first, Found)
    known = {"testg": Known(mark=first.mark)}
    assert looked_at(source, tmp_path / "laws", ["testg"], known).readings == {"testg": Same()}
    os.utime(file, (1, 1))
    touched = looked_at(source, tmp_path / "laws", ["testg"], known).readings["testg"]
    assert isinstance(touched, Found)
    assert touched.content == first.content
    file.unlink()
    assert isinstance(looked_at(source, tmp_path / "laws", ["testg"], known).readings["testg"], Failed)


def test_only_laws_that_are_due_are_asked_about_with_pauses_between(law_site: LawSite, tmp_path):
    law_site.zips = {slug: a_law("A.") for slug in ("a", "b", "c")}
    pauses: list[float] = []
    known = {"a": Known(due=50), "b": Known(due=101), "c": Known(due=10)}
    current = looked_at(SiteSource(law_site.address), tmp_path, ["a", "b", "c"], known, pause=0.7, sleep=pauses.append)
    assert list(current.readings) == ["c", "a"]
    assert pauses == [0.7]


def test_the_table_of_contents(law_site: LawSite, tmp_path):
    law_site.zips = {"a": a_law("A.")}
    source = SiteSource(law_site.address)
    assert looked_at(source, tmp_path, ["a"], with_contents=True).contents == {"a", "sample"}
    law_site.zips = {}
    current = looked_at(source, tmp_path, ["a"], with_contents=True)
    assert current.contents is None, "an empty table of contents is none: it never means that all laws are gone"
    assert "HTTP 404" in current.readings["a"].reason


@pytest.mark.parametrize(
    ("mood", "reason", "asked"),
    [
        ("broken", "HTTP 500", 1),
        ("slow", "timed out", 1),
        ("missing", "HTTP 404", 2),
        ("page", "HTML page", 2),
        ("disguised page", "no zip file", 2),
        ("half", "not a readable zip", 2),
        ("moved", "redirects to", 2),
    ],
)
def test_a_site_in_trouble_is_read_as_failed_and_left_alone(law_site: LawSite, tmp_path, mood, reason, asked):
    law_site.zips = {"a": a_law("A."), "b": a_law("B.")}
    law_site.mood = mood
    current = looked_at(SiteSource(law_site.address, timeout=0.5), tmp_path, ["a", "b"])
    assert len(current.readings) == asked, "a site that is down is not asked for the next law"
    assert all(isinstance(reading, Failed) and reason in reading.reason for reading in current.readings.values())
    assert builds(tmp_path, "a") == []


def test_what_is_no_law_is_not_kept(law_site: LawSite, tmp_path):
    law_site.zips = {"a": zipped(("a.xml", b"<dokumente/>")), "b": zipped(("a.xml", document(norm("<P>A.</P>"))[:-30]))}
    readings = looked_at(SiteSource(law_site.address), tmp_path, ["a", "b"]).readings
    assert "not a law" in readings["a"].reason
    assert "not well-formed" in readings["b"].reason
    assert builds(tmp_path, "a") == builds(tmp_path, "b") == []
