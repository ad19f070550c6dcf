"""The quirks of real files listed in quirks.tsv: one check a row, each of the right value named there.

The kinds themselves are tested with small laws in the other files here; this one sees that the real thing comes out right.
"""

import csv
import json
import re
import unicodedata

import pytest

from lawrag_assets.laws.citations import CitationIndex
from lawrag_assets.laws.jsonl import json_lines
from lawrag_assets.laws.model import Law, Section, Status
from lawrag_assets.laws.tables import sections_table

CHECKS = {}


def quirk(identifier):
    def register(check):
        CHECKS[identifier] = check
        return check

    return register


def one(law: Law, designation: str) -> Section:
    found = [s for s in law.sections if s.designation == designation]
    assert len(found) == 1, f"{designation}: {len(found)} sections"
    return found[0]


def subsection(law: Law, designation: str, label: str | None):
    (found,) = [a for a in one(law, designation).subsections if a.label == label]
    return found


def is_repealed(section: Section, evidence: str) -> bool:
    return section.status is Status.REPEALED and section.status_evidence == evidence


@quirk("Q01")
def article_without_a_dot(real):
    index = CitationIndex(sections_table([real("gg")]))
    assert {index.section_id(c) for c in ("Art 1 GG", "Art. 1 GG", "Artikel 1 GG", "Art.1 Abs. 1 GG")} == {"gg/Art1"}


@quirk("Q02")
def article_as_a_heading_with_text(real):
    article = one(real("bgbeg"), "Art 3")
    assert article.kind == "article"
    assert article.text.startswith("Soweit nicht 1. unmittelbar anwendbare Regelungen")
    assert [h.label for h in article.hierarchy] == ["Erster Teil", "Zweites Kapitel", "Erster Abschnitt"]


@quirk("Q03")
def paragraphs_numbered_within_an_article(real):
    law = real("bgbeg")
    assert one(law, "Art 229 § 5").section_id == "bgbeg/Art229§5"
    assert len([s for s in law.sections if s.designation.endswith(" § 1")]) == 23
    assert not [s for s in law.sections if s.designation.startswith("§") or s.designation.count("Art") > 1]
    assert [h.label for h in one(law, "Art 233 § 11").hierarchy] == ["Sechster Teil", "Art 233", "Zweiter Abschnitt"]


@quirk("Q04")
def placeholder_sign_glued_to_the_range(real):
    made = one(real("bgb"), "§§ 2354 bis 2359")
    assert is_repealed(made, "(weggefallen)")
    assert made.section_id == "bgb/§§2354bis2359"


@quirk("Q05")
def placeholder_of_a_section_to_come(real):
    made = one(real("bfsg"), "§ 16")
    assert (made.status, made.status_evidence) == (Status.FUTURE, "(zukünftig in Kraft)")


@quirk("Q06")
def brackets_round_the_range(real):
    assert is_repealed(one(real("ifsg"), "§§ 60 bis 64"), "(weggefallen)")


@quirk("Q08")
def repealed_by_heading_with_a_dash_for_text(real):
    assert is_repealed(one(real("bgb"), "§ 23"), "(weggefallen)")


@quirk("Q09")
def repealed_by_body(real):
    assert is_repealed(one(real("bgb"), "§ 279"), "(weggefallen)")


@quirk("Q10")
def repealed_by_heading_with_no_text(real):
    assert is_repealed(one(real("milog"), "§ 24"), "(weggefallen)")


@quirk("Q12")
def repealed_subsection_in_a_section_in_force(real):
    assert one(real("bgb"), "§ 1589").status is Status.IN_FORCE
    assert subsection(real("bgb"), "§ 1589", "2").status is Status.REPEALED


@quirk("Q13")
def repealed_group_with_a_dash(real):
    statuses = {a.label: a.status.value for a in one(real("arbgg"), "§ 18").subsections}
    assert statuses == {n: "repealed" if n in "456" else "in_force" for n in "1234567"}


@quirk("Q14")
def repealed_group_of_lettered_subsections(real):
    labels = [(a.label, a.status.value) for a in one(real("kraftstg"), "§ 2").subsections]
    assert labels[2:5] == [("2a", "repealed"), ("2b", "repealed"), ("2c", "repealed")]


@quirk("Q16")
def doubled_subsection(real):
    doubled = [a for a in one(real("sgb_12"), "§ 71").subsections if a.label == "5"]
    assert len(doubled) == 2
    assert doubled[1].text.startswith("Die Leistungen der Altenhilfe")


@quirk("Q20")
def paragraph_without_a_marker_goes_on(real):
    assert "Nach Beendigung des Strafverfahrens" in subsection(real("aufenthg_2004"), "§ 25", "4a").text


@quirk("Q21")
def list_in_a_second_paragraph(real):
    (only,) = one(real("arbzg"), "§ 12").subsections
    assert only.label is None
    assert [s.text.split()[0] for s in only.sentences] == ["In", "§"]


@quirk("Q22")
def block_of_a_footnote_mark_only(real):
    assert [a.label for a in one(real("bgb"), "§ 14").subsections] == ["1", "2"]


@quirk("Q23")
def sentence_round_a_list(real):
    first, second = subsection(real("milog"), "§ 2", "1").sentences
    assert first.text.endswith("erbracht wurde, zu zahlen.")
    assert second.text.startswith("Für den Fall")


@quirk("Q24")
def tail_that_starts_with_a_paragraph_sign(real):
    last = subsection(real("milog"), "§ 7", "1").sentences[-1]
    assert last.text.startswith("§ 5 Absatz 1 Satz 3 und 4")


@quirk("Q25")
def repealed_list_item(real):
    made = subsection(real("arbzg"), "§ 7", "1")
    assert made.status is Status.IN_FORCE
    assert "c) (weggefallen)" in made.text


@quirk("Q26")
def formula_in_a_second_paragraph_of_an_item(real):
    assert "17 443 Euro: (932,30 • y + 1 400) • y;" in one(real("estg"), "§ 32a").text


@quirk("Q27")
def official_sentence_numbers(real):
    sentences = subsection(real("estg"), "§ 52", "1").sentences
    assert [s.number for s in sentences] == [1, 2, 3]
    assert sentences[1].text.startswith("Beim Steuerabzug vom Arbeitslohn")
    assert not re.search(r"\. ?\d[A-Z]", one(real("estg"), "§ 52").text)


@quirk("Q28")
def sentence_number_inside_an_item(real):
    (only,) = one(real("estg"), "§ 3").subsections
    assert "haben; 2Gleich" not in only.text
    assert "Gleichgestellte im Sinne des Satzes 1" in only.text
    assert all("Gleichgestellte" not in s.text[:20] for s in only.sentences)


@quirk("Q29")
def italics_and_a_note_of_nullity(real):
    made = one(real("stgb"), "§ 217")
    assert made.status is Status.VOID
    assert "nichtig" in made.status_evidence
    assert {a.status for a in made.subsections} == {Status.VOID}


@quirk("Q31")
def legal_force_in_a_note_only(real):
    made = one(real("asylblg"), "§ 2")
    assert made.status is Status.IN_FORCE
    assert any("unvereinbar" in note for note in made.notes)


@quirk("Q32")
def footnote_dressed_as_a_list_item(real):
    made = one(real("betrvg"), "§ 9")
    assert "-----" not in made.text
    assert made.text.endswith("um 2 Mitglieder.")
    assert any(note.startswith("*) Gemäß Artikel 14 Satz 2") for note in made.notes)
    assert made.heading == "Zahl der Betriebsratsmitglieder"


@quirk("Q34")
def two_headings_with_one_key_and_label(real):
    titles = {h.title for s in real("ifsg").sections for h in s.hierarchy if h.label == "14. Abschnitt"}
    assert len(titles) == 2


@quirk("Q35")
def key_used_again_for_another_heading(real):
    levels = {s.hierarchy[-1] for s in real("hgb").sections if s.hierarchy and s.hierarchy[-1].label == "Dritter Titel"}
    assert len(levels) > 1
    for section in real("hgb").sections:
        labels = [h.label for h in section.hierarchy]
        assert len(labels) == len(set(labels)), section.citation


@quirk("Q36")
def title_typed_into_the_label(real):
    levels = {h for s in real("inso").sections for h in s.hierarchy if "Organe der Gläubiger" in h.title}
    assert {h.label for h in levels} == {"Dritter Abschnitt"}


@quirk("Q37")
def official_abbreviation_first(real):
    assert (real("sgb_9_2018").abbreviation, real("sgb_9_2018").sections[5].slug) == ("SGB IX", "sgb_9_2018")


@quirk("Q38")
def abbreviation_slug_and_juris_name_all_differ(real):
    assert real("woeigg").abbreviation == "WEG"
    index = CitationIndex(sections_table([real("woeigg")]))
    assert index.section_id("§ 10 WEG") == index.section_id("§ 10 woeigg") == "woeigg/§10"


@quirk("Q39")
def two_juris_abbreviations(real):
    assert real("fsbetrv").names == ("FSDurchführungsV", "FSBetrV")


@quirk("Q40")
def decomposed_umlauts(real):
    text = one(real("stgb"), "§ 127").text
    assert "ermöglichen" in text
    assert unicodedata.is_normalized("NFC", text)


@quirk("Q42")
def line_separator_character(real):
    lines = json_lines(real("bewg"))
    assert len(lines.splitlines()) == len(real("bewg").sections)
    assert "Anlage 37" in [json.loads(line)["designation"] for line in lines.splitlines()]


@quirk("Q43")
def number_in_a_circle(real):
    assert "ab dem Tag ①" in one(real("bgbeg"), "Anlage 1").text


@quirk("Q45")
def comments_that_look_like_markup(real):
    assert not [s for s in real("bimschv_13_2021").sections if "SPLIT UMBAU" in s.text or "[Element" in s.text]


@quirk("Q46")
def table_of_contents(real):
    assert not [s for s in real("bgb").sections if "Inhalts" in s.designation]


@quirk("Q48")
def dotted_numbers(real):
    index = CitationIndex(sections_table([real("binschstro_2012")]))
    assert one(real("binschstro_2012"), "§ 1.01").section_id == "binschstro_2012/§1.01"
    assert index.section_id("§ 1.01 BinSchStrO") == "binschstro_2012/§1.01"


@quirk("Q49")
def section_without_a_number(real):
    made = one(real("bahnvorschranwg"), "Einziger Paragraph")
    assert (made.kind, made.section_id) == ("section", "bahnvorschranwg/EinzigerParagraph")
    assert [a.label for a in made.subsections] == ["1", "2", "3"]


@quirk("Q50")
def editors_plus_signs(real):
    law = real("arbzg")
    assert any("(+++ Textnachweis ab: 1.7.1994 +++)" in note for note in law.notes)
    assert not [s for s in law.sections if "+++" in s.text]


@quirk("Q51")
def pending_amendment(real):
    assert "Hinweis: Geändert durch Art. 1 V v. 6.3.2025 I Nr. 74" in real("ahstatdv_2022").notes


@quirk("Q54")
def subsection_coded_as_a_list_item(real):
    labels = [a.label for a in one(real("gbvfg"), "§ 33").subsections]
    assert labels[:5] == ["1", "2a", "2b", "2c", "2d"]


@pytest.mark.parametrize("identifier", sorted(CHECKS))
def test_quirk(identifier, real):
    CHECKS[identifier](real)


def test_every_row_of_the_list_is_checked(shared):
    with (shared / "quirks.tsv").open(encoding="utf-8", newline="") as rows:
        assert {row["id"] for row in csv.DictReader(rows, delimiter="\t")} == set(CHECKS)
