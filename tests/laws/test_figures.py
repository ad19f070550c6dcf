"""A law in figures, and the account of its characters."""

from dataclasses import replace

from laws.made import document, norm

from lawrag_assets.laws.figures import law_figures, lost_characters
from lawrag_assets.laws.gii_xml import parse_law

XML = document(
    norm("<P>(1) Eins nach § 2. Das gilt.</P><P>(2) Siehe § 9.</P>"),
    norm("<P>(weggefallen)</P>", enbez="§ 2"),
    norm("<P>Text.</P>", enbez="Inhaltsübersicht"),
)


def test_figures():
    figures = law_figures(parse_law(XML, slug="x"))
    assert (figures.sections, figures.by_status) == (2, {"in_force": 1, "repealed": 1})
    assert (figures.subsections, figures.sentences, figures.depth) == (2, 3, 0)
    assert (figures.references, figures.unresolved, figures.warnings) == (2, 1, ())


def test_nothing_is_lost_unless_something_is_taken_away():
    law = parse_law(XML, slug="x")
    assert not lost_characters(XML, law)
    first, second = law.sections
    assert "".join(lost_characters(XML, replace(law, sections=(replace(first, text=first.text[:-2]), second)))) == "9"
    assert lost_characters(XML, replace(law, sections=(second,))).total() > 20


def test_real_laws_lose_nothing(real, real_xml):
    for slug in ("bgb", "bgbeg", "estg", "bewg", "betrvg", "binschstro_2012"):
        assert not lost_characters(real_xml(slug), real(slug)), slug
