"""Absätze: which marker opens one, what it is called, what it covers."""

import pytest
from laws.made import items, section

from lawrag_assets.laws.model import Status


def shape(content: str, **parts: str) -> list[tuple[str | None, str]]:
    return [(a.label, a.text) for a in section(content, **parts).subsections]


@pytest.mark.parametrize(
    ("content", "subsections"),
    [
        ("<P>Ein Text.</P>", [(None, "Ein Text.")]),
        ("<P>(1) Eins.</P><P>(1a) Einsa.</P><P>(2)Zwei.</P>", [("1", "Eins."), ("1a", "Einsa."), ("2", "Zwei.")]),
        ("<P>(1) Eins.</P><P>Noch eins.</P><P>(2) Zwei.</P>", [("1", "Eins. Noch eins."), ("2", "Zwei.")]),
        ("<P>Eins,</P><P>" + items("zwei") + "drei.</P>", [(None, "Eins, 1. zwei drei.")]),
        ("<P>(1) Eins.</P><P>(1) (doppelt) Auch eins.</P>", [("1", "Eins."), ("1", "Auch eins.")]),
        ("<P>(1) Eins:" + items("a") + "(2) Zwei.</P>", [("1", "Eins: 1. a"), ("2", "Zwei.")]),
        ("<P>(1) Eins.<BR/>(2) Zwei.</P>", [("1", "Eins."), ("2", "Zwei.")]),
        ("<P>(1) Eins.<BR/>(7) Kein Absatz.</P>", [("1", "Eins. (7) Kein Absatz.")]),
        ("<P>(1) Satz mit (2) mittendrin.</P>", [("1", "Satz mit (2) mittendrin.")]),
        ("<P>Ohne Zeichen.</P><P>(1a) Einsa.</P>", [("1", "Ohne Zeichen."), ("1a", "Einsa.")]),
        ("<P>Vorspruch.</P><P>(1) Eins.</P>", [(None, "Vorspruch."), ("1", "Eins.")]),
        ("<P/><P>(1) Eins.</P>", [("1", "Eins.")]),
        ("<P>(2c) C.</P><P><DL><DT>(2d)</DT><DD><LA>D.</LA></DD></DL></P>", [("2c", "C."), ("2d", "D.")]),
        ("<P>(1) Eins<DL><DT>(5)</DT><DD><LA>fünf</LA></DD></DL></P>", [("1", "Eins (5) fünf")]),
    ],
)
def test_markers(content, subsections):
    assert shape(content) == subsections


@pytest.mark.parametrize(
    ("marker", "labels"),
    [
        ("(4) - (6)", ["4", "5", "6"]),
        ("(4) bis (6)", ["4", "5", "6"]),
        ("(2a) bis (2c)", ["2a", "2b", "2c"]),
        ("(2) bis (2b)", ["2", "2a", "2b"]),
        ("(3a) u. (4)", ["3a", "4"]),
        ("(3) und (4)", ["3", "4"]),
        ("(4 bis 6)", ["4", "5", "6"]),
    ],
)
def test_a_repealed_group_is_one_subsection_a_number(marker, labels):
    made = section(f"<P>(1) Eins.</P><P>{marker} (weggefallen)</P>")
    assert [a.label for a in made.subsections] == ["1", *labels]
    assert {a.status for a in made.subsections[1:]} == {Status.REPEALED}
    assert made.status is Status.IN_FORCE


def test_citations_name_section_subsection_and_law():
    made = section("<P>(1) Eins. Das gilt.</P>")
    assert (made.citation, made.subsections[0].citation) == ("§ 1 TestG", "§ 1 Abs. 1 TestG")
    assert [s.citation for s in made.subsections[0].sentences] == ["§ 1 Abs. 1 Satz 1 TestG", "§ 1 Abs. 1 Satz 2 TestG"]
    plain = section("<P>Eins. Das gilt.</P>")
    assert plain.subsections[0].citation == "§ 1 TestG"
    assert plain.subsections[0].sentences[1].citation == "§ 1 Satz 2 TestG"


def test_lists_of_an_annex_are_no_subsections():
    numbered = "<P><DL><DT>(1)</DT><DD><LA>Name</LA></DD></DL></P>"
    assert shape(numbered, enbez="Anlage 1") == [(None, "(1) Name")]
    assert shape(numbered) == [("1", "Name")]


def test_every_real_section_is_covered_by_its_subsections(real):
    for law in map(real, ("bgb", "sgb_12", "zpo")):
        for made in law.sections:
            covered = set()
            for a in made.subsections:
                assert made.text[a.start : a.end] == a.text
                covered.update(range(a.start, a.end))
                for s in a.sentences:
                    assert made.text[s.start : s.end] == s.text
                    assert a.start <= s.start < s.end <= a.end
            left = "".join(c for i, c in enumerate(made.text) if i not in covered)
            assert not [
                word for word in left.split() if not word.strip("()-").rstrip("abcdefgh").isdigit() and word not in GROUPING
            ]


GROUPING = {"bis", "und", "u.", "-", "(doppelt)"}
