"""What an amendment did, in words."""

import polars as pl
from laws.made import law, norm
from laws.test_diff import NEW, OLD

from lawrag_assets.laws.changes import CHANGES_SCHEMA, changes_table, changes_text, pieces, section_changes, summary
from lawrag_assets.laws.gii_xml import parse_law
from lawrag_assets.laws.source import law_source

CHANGES = section_changes(law(*OLD), law(*NEW))


def test_each_kind_of_change_with_its_words():
    assert [(change.kind, change.citation, change.before, change.after) for change in CHANGES] == [
        ("added", "§ 4a TestG", "", "F."),
        ("removed", "§ 4 TestG", "E.", ""),
        ("changed", "§ 1 TestG", "(1) A. (2) B.", "(1) A. (2) B2. (3) Neu."),
        ("retitled", "§ 3 TestG", "Alt", "Neu"),
    ]
    assert summary(CHANGES) == "sections: 1 added, 1 removed, 1 changed, 1 another heading"
    assert summary([]) == "no section differs"


def test_words_that_went_and_came():
    assert [(piece.kind, piece.text) for piece in pieces(CHANGES[2])] == [
        ("same", "(1) A. (2)"),
        ("gone", "B."),
        ("new", "B2. (3) Neu."),
    ]


def test_unchanged_text_is_left_out():
    long = " ".join(f"w{number}" for number in range(100))
    (change,) = section_changes(law(norm(f"<P>alt {long} alt</P>")), law(norm(f"<P>neu {long} neu</P>")))
    same = [piece.text for piece in pieces(change) if piece.kind == "same"]
    assert len(same) == 1
    assert same[0].startswith("w0 w1 ")
    assert " … " in same[0]
    assert same[0].endswith(" w99")
    assert len(same[0].split()) == 25


def test_markdown_strikes_out_what_went_and_marks_of_its_own_mean_nothing():
    old, new = law(norm("<P>Ein *Stern* bleibt, das geht.</P>")), law(norm("<P>Ein *Stern* bleibt, dies kommt.</P>"))
    text = changes_text(old, new, section_changes(old, new))
    assert "### Changed" in text
    assert r"Ein \*Stern\* bleibt, ~~das geht.~~ **dies kommt.**" in text


def test_a_page_does_not_grow_without_end():
    old = law(*(norm(f"<P>{'alt ' * 500}</P>", enbez=f"§ {number}") for number in range(1, 200)))
    new = law(*(norm(f"<P>{'neu ' * 500}</P>", enbez=f"§ {number}") for number in range(1, 200)))
    text = changes_text(old, new, section_changes(old, new))
    assert len(text) < 70_000
    assert "more: `lawrag changes --law testg` shows all" in text


def test_the_table():
    table = changes_table(CHANGES)
    assert table.schema == CHANGES_SCHEMA
    assert table["kind"].to_list() == ["added", "removed", "changed", "retitled"]
    assert changes_table([]).schema == CHANGES_SCHEMA
    assert isinstance(table, pl.DataFrame)


def test_a_real_amendment(shared, real):
    xml = law_source(str(shared / "gii-history" / "arbzg")).fetch("20241029").xml
    changes = section_changes(parse_law(xml, slug="arbzg"), real("arbzg"))
    assert changes
    for change in changes:
        old = " ".join(piece.text for piece in pieces(change) if piece.kind != "new")
        if "…" not in old:
            assert old == " ".join(change.before.split())
