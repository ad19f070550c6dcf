"""Whether a provision applies, and the words that show it."""

import pytest
from laws.made import law, norm, section, unit

from lawrag_assets.laws.model import Status


@pytest.mark.parametrize(
    ("content", "titel", "status", "evidence"),
    [
        ("<P>Text.</P>", "Titel", Status.IN_FORCE, ""),
        ("<P>(weggefallen)</P>", "", Status.REPEALED, "(weggefallen)"),
        ("<P>-</P>", "(weggefallen)", Status.REPEALED, "(weggefallen)"),
        ("<P>—</P>", "(weggefallen)", Status.REPEALED, "(weggefallen)"),
        ("<P/>", "(weggefallen)", Status.REPEALED, "(weggefallen)"),
        ("", "(weggefallen)", Status.REPEALED, "(weggefallen)"),
        ("<P>(aufgehoben)</P>", "Titel", Status.REPEALED, "(aufgehoben)"),
        ("<P>(Entfällt)</P>", "", Status.REPEALED, "(Entfällt)"),
        ("<P>(1) (weggefallen)</P><P>(2) (weggefallen)</P>", "Titel", Status.REPEALED, "(1) (weggefallen) (2) (weggefallen)"),
        ("<P/>", "(zukünftig in Kraft)", Status.FUTURE, "(zukünftig in Kraft)"),
        ("<P>-</P>", "", Status.NO_TEXT, "-"),
        ("<P/>", "Titel", Status.NO_TEXT, "no text"),
        ("<P>(Änderungsvorschriften)</P>", "", Status.NO_TEXT, "(Änderungsvorschriften)"),
        ("<P>(keine besonderen Vorschriften)</P>", "Titel", Status.NO_TEXT, "(keine besonderen Vorschriften)"),
        ("<P>Text, der gilt.</P>", "(weggefallen)", Status.IN_FORCE, ""),
        ("<P>Wer (weggefallen) ist, haftet.</P>", "", Status.IN_FORCE, ""),
    ],
)
def test_section_status(content, titel, status, evidence):
    made = section(content, titel=titel)
    assert (made.status, made.status_evidence) == (status, evidence)


def test_void_needs_italics_and_a_note():
    note = "§ 1: mit GG unvereinbar und nichtig gem. BVerfGE"
    assert section("<P><I>(1) A.</I></P><P><I>(2) B.</I></P>", notes=note).status is Status.VOID
    assert section("<P>(1) A.</P>", notes=note).status is Status.IN_FORCE
    assert section("<P><I>A.</I></P>", notes="Kursivdruck: siehe dort").status is Status.IN_FORCE
    partly = section("<P>(1) A.</P><P><I>(2) B.</I></P>", notes=note)
    assert [a.status for a in partly.subsections] == [Status.IN_FORCE, Status.VOID]


def test_a_placeholder_whose_repeal_is_told_in_a_note():
    made = section("", enbez="(XXXX) §§ 3 bis 6", notes="§§ 3 bis 6: Weggefallen aufgrund Neuregelung")
    assert (made.designation, made.status) == ("§§ 3 bis 6", Status.REPEALED)
    assert "Weggefallen" in made.status_evidence


def test_only_text_in_force_has_sentences():
    made = section("<P>(1) Eins. Das gilt.</P><P>(2) (weggefallen)</P><P>(3) (zukünftig in Kraft)</P>")
    assert [(a.status.value, len(a.sentences)) for a in made.subsections] == [("in_force", 2), ("repealed", 0), ("future", 0)]


def test_articles_are_sections_unless_they_only_open_a_group():
    made = law(
        norm("<P>Text.</P>", enbez=None, unit=unit("010", "Art 1", "Eins")),
        norm("<P/>", enbez=None, unit=unit("020", "Art 2", "Zwei")),
        norm("<P>A.</P>", enbez="§ 1", unit=unit("020", "Art 2")),
        norm("<P>B.</P>", enbez="§ 2", unit=unit("020", "Art 2")),
        norm("<P/>", enbez=None, unit=unit("030", "Art 3", "(weggefallen)")),
        norm("<P/>", enbez=None, unit=unit("040", "Abschnitt 4", "Vier")),
        norm("<P>C.</P>", enbez="§ 1"),
    )
    assert [(s.designation, s.status.value) for s in made.sections] == [
        ("Art 1", "in_force"),
        ("Art 2 § 1", "in_force"),
        ("Art 2 § 2", "in_force"),
        ("Art 3", "repealed"),
        ("§ 1", "in_force"),
    ]
    assert [h.title for h in made.sections[1].hierarchy] == ["Zwei"]


def test_headings_follow_the_document_not_the_key():
    made = law(
        norm("<P/>", enbez=None, unit=unit("010", "Teil 1")),
        norm("<P/>", enbez=None, unit=unit("010010", "Abschnitt 1", "Erster")),
        norm("<P>A.</P>"),
        norm("<P/>", enbez=None, unit=unit("010010", "Abschnitt 1", "Zweiter")),
        norm("<P>B.</P>", enbez="§ 2"),
        norm("<P/>", enbez=None, unit=unit("020", "Teil 2\nHinten")),
        norm("<P>C.</P>", enbez="§ 3"),
        norm("<P/>", enbez=None, unit=unit("030", "-", "Ohne Zeichen")),
        norm("<P>D.</P>", enbez="§ 4"),
    )
    paths = [[(h.label, h.title) for h in s.hierarchy] for s in made.sections]
    assert paths == [
        [("Teil 1", ""), ("Abschnitt 1", "Erster")],
        [("Teil 1", ""), ("Abschnitt 1", "Zweiter")],
        [("Teil 2", "Hinten")],
        [("", "Ohne Zeichen")],
    ]
