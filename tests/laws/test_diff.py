"""Two builds of one law: what the diff says, against a comparison made straight from the files."""

import re
import unicodedata
import zipfile

import pytest
from laws.made import document, law, norm
from lxml import etree

from lawrag_assets.laws.diff import SectionChange, compare_laws
from lawrag_assets.laws.gii_xml import parse_law

OLD = (
    norm("<P>(1) A.</P><P>(2) B.</P>"),
    norm("<P>C.</P>", enbez="§ 2"),
    norm("<P>D.</P>", enbez="§ 3", titel="Alt"),
    norm("<P>E.</P>", enbez="§ 4"),
)
NEW = (
    norm("<P>(1) A.</P><P>(2) B2.</P><P>(3) Neu.</P>"),
    norm("<P>C.</P>", enbez="§ 2"),
    norm("<P>D.</P>", enbez="§ 3", titel="Neu"),
    norm("<P>F.</P>", enbez="§ 4a"),
)


def test_added_removed_changed_unchanged():
    diff = compare_laws(law(*OLD), law(*NEW))
    assert diff.added == ("testg/§4a",)
    assert diff.removed == ("testg/§4",)
    assert diff.changed == (SectionChange("testg/§1", "§ 1 TestG", ("§ 1 Abs. 2 TestG", "§ 1 Abs. 3 TestG")),)
    assert diff.unchanged == ("testg/§2", "testg/§3")
    assert diff.retitled == ("testg/§3",)


def test_a_repeal_is_a_change():
    diff = compare_laws(law(norm("<P>A.</P>")), law(norm("<P/>", titel="(weggefallen)")))
    assert [c.section_id for c in diff.changed] == ["testg/§1"]


def test_a_law_does_not_differ_from_itself_but_from_another():
    same = compare_laws(law(*OLD), law(*OLD))
    assert (same.added, same.removed, same.changed, same.retitled) == ((), (), (), ())
    with pytest.raises(ValueError, match="two laws"):
        compare_laws(law(*OLD), parse_law(document(*OLD), slug="other"))


PAIRS = [
    ("bgb", "20220419"),
    ("bgb", "20240816"),
    ("milog", "20211129"),
    ("milog", "20241023"),
    ("arbzg", "20210104"),
    ("arbzg", "20241217"),
    ("agg", "20220527"),
    ("jfdg", "20200403"),
]


def read(path) -> bytes:
    with zipfile.ZipFile(path) as archive:
        return next(archive.read(name) for name in archive.namelist() if name.endswith(".xml"))


def raw_texts(xml: bytes) -> dict[str, str]:
    """The text of each section without blanks, straight from the file, by its `enbez`; a remark in the title counts as text."""
    texts = {}
    for element in etree.fromstring(xml).findall("norm"):
        name = re.sub(r"\(?XXXX\)?|[\s()]", "", element.findtext("metadaten/enbez") or "")
        if name.startswith("§"):
            content = element.find("textdaten/text/Content")
            text = "".join(content.itertext()) if content is not None else ""
            title = "".join(element.find("metadaten/titel").itertext()) if element.find("metadaten/titel") is not None else ""
            gone = " weggefallen" if re.fullmatch(r"[\s(-]*(weggefallen|)[\s)-]*", text) and "weggefallen" in title + text else ""
            texts[name] = gone or re.sub(r"\s", "", unicodedata.normalize("NFC", text))
    return texts


@pytest.mark.parametrize(("slug", "build"), PAIRS)
def test_real_builds(shared, real, real_xml, slug, build):
    older = read(shared / "gii-history" / slug / build / "xml.zip")
    before, after = raw_texts(older), raw_texts(real_xml(slug))
    diff = compare_laws(parse_law(older, slug=slug), real(slug))
    name = lambda identifiers: {i.partition("/")[2] for i in identifiers if "/§" in i}  # noqa: E731
    assert name(diff.added) == after.keys() - before.keys()
    assert name(diff.removed) == before.keys() - after.keys()
    assert name(c.section_id for c in diff.changed) == {k for k in before.keys() & after.keys() if before[k] != after[k]}
    assert name(diff.unchanged) == {k for k in before.keys() & after.keys() if before[k] == after[k]}
    changed = {c.section_id: c.subsections for c in diff.changed}
    assert all(changed.values()), "a changed section names the Absätze that changed"
