"""The sample law and its questions hold what they promise: every structure of real laws, and gold labels that exist."""

import re
import statistics
import unicodedata
from collections import Counter

import polars as pl
import pytest
from lxml import etree

from lawrag_assets.evaluation.questions import read_questions
from lawrag_assets.laws.citations import CitationIndex
from lawrag_assets.laws.gii_xml import parse_law
from lawrag_assets.laws.model import Law, Section, Status, Subsection
from lawrag_assets.laws.tables import sections_table
from lawrag_assets.sample import SLUG, law_xml, questions_path


@pytest.fixture(scope="module")
def law() -> Law:
    return parse_law(law_xml(), slug=SLUG)


@pytest.fixture(scope="module")
def document() -> etree._Element:
    return etree.fromstring(law_xml(), etree.XMLParser(load_dtd=False, no_network=True, resolve_entities=False))


@pytest.fixture(scope="module")
def questions() -> pl.DataFrame:
    return read_questions(questions_path())


def section(law: Law, designation: str) -> Section:
    return next(s for s in law.sections if s.designation == designation)


def subsections(law: Law) -> dict[str, Subsection]:
    return {sub.citation: sub for s in law.sections for sub in s.subsections}


# --- the law


def test_file_comes_as_real_ones_do(document: etree._Element) -> None:
    xml = law_xml().decode("utf-8")
    declared, rest = xml.split("\n", 1)
    assert declared.startswith(
        '<?xml version="1.0" encoding="UTF-8" ?><!DOCTYPE dokumente SYSTEM "http://www.gesetze-im-internet.de/'
    )
    assert rest.startswith('<dokumente builddate="')
    assert unicodedata.is_normalized("NFC", xml)
    numbers = document.xpath("norm/@doknr")
    assert len(set(numbers)) == len(numbers)
    assert all(number.startswith(document.get("doknr")) for number in numbers)


def test_law_is_read_whole_and_says_that_it_is_fictional(law: Law) -> None:
    assert (law.slug, law.abbreviation, law.builddate) == ("sample", "LeihLG", "2025-04-01")
    assert law.warnings == ()
    assert any("Frei erfundenes Gesetz" in note for note in law.notes)


def test_counts(law: Law) -> None:
    assert Counter((s.kind, str(s.status)) for s in law.sections) == {
        ("section", "in_force"): 59,
        ("section", "repealed"): 2,
        ("annex", "in_force"): 1,
    }
    assert [s.designation for s in law.sections if s.status is Status.REPEALED] == ["§ 23", "§§ 31 bis 33"]
    numbered = [s.designation for s in law.sections if s.kind == "section"]
    expected = [f"§ {n}" for n in range(1, 63) if n not in (31, 32, 33)]
    expected[expected.index("§ 30") + 1 : 0] = ["§§ 31 bis 33"]
    expected[expected.index("§ 12") + 1 : 0] = ["§ 12a"]
    assert numbered == expected


def test_sections_are_as_long_as_real_ones(law: Law) -> None:
    words = [len(s.text.split()) for s in law.sections if s.kind == "section" and s.status is Status.IN_FORCE]
    assert 60 <= statistics.median(words) <= 120
    assert max(words) > 180
    assert min(words) < 30


def test_hierarchy_has_parts_some_divided_twice(law: Law) -> None:
    paths = {s.designation: [level.label for level in s.hierarchy] for s in law.sections}
    assert list(dict.fromkeys(path[0] for path in paths.values())) == [f"Teil {n}" for n in range(1, 6)]
    assert paths["§ 1"] == ["Teil 1"]
    assert paths["§ 12a"] == ["Teil 2", "Abschnitt 1"]
    assert paths["§ 19"] == ["Teil 3", "Abschnitt 1", "Unterabschnitt 1"]
    assert paths["§ 34"] == ["Teil 3", "Abschnitt 2"]
    assert paths["§ 46"] == ["Teil 4"]


def test_subsections_are_numbered_inserted_repealed_or_absent(law: Law) -> None:
    labels = {s.designation: [sub.label for sub in s.subsections] for s in law.sections}
    assert labels["§ 26"] == ["1", "1a", "2", "3", "4"]
    assert labels["§ 56"] == list("1234567")
    assert labels["§ 16"] == list("12345")
    assert sum(path == [None] for path in labels.values()) >= 10
    repealed = [c for c, sub in subsections(law).items() if sub.status is Status.REPEALED and "Abs." in c]
    assert repealed == ["§ 16 Abs. 3 LeihLG"]
    assert section(law, "§ 16").status is Status.IN_FORCE


@pytest.mark.parametrize(
    ("citation", "starts"),
    [
        ("§ 3 LeihLG", ["Im Sinne dieses Gesetzes 1. ist Leihladen"]),
        ("§ 6 Abs. 1 LeihLG", ["Der Träger darf", "§ 20 bleibt"]),
        ("§ 8 Abs. 2 LeihLG", ["Die Anzeige muss", "Fehlen Angaben", "Unterbleibt die"]),
        ("§ 28 Abs. 4 LeihLG", ["Vor Ablauf der Leihfrist", "Im Fall des Satzes 1 Nummer 3"]),
        ("§ 35 Abs. 1 LeihLG", ["Für die Ausleihe", "Die Gebührengruppe einer"]),
        ("§ 38 Abs. 1 LeihLG", ["Wird eine", "Sie beträgt für jeden", "Für den ersten Tag"]),
        ("§ 49 LeihLG", ["Der Träger stellt", "Sicherheitsschuhe", "Wer die", "Lange Haare"]),
        ("§ 61 Abs. 1 LeihLG", ["Für einen Leihladen, der am 1. Juli 2019"]),
        ("§ 62 LeihLG", ["Dieses Gesetz", "§ 59 tritt"]),
    ],
)
def test_sentences_are_those_that_lawyers_count(law: Law, citation: str, starts: list[str]) -> None:
    sentences = [s.text for s in subsections(law)[citation].sentences]
    assert len(sentences) == len(starts)
    for sentence, start in zip(sentences, starts, strict=True):
        assert sentence.startswith(start)


@pytest.mark.parametrize(
    ("citation", "number", "end"),
    [
        ("§ 10 Abs. 2 LeihLG", 1, "trotz Mahnung nicht vorgelegt hat."),
        ("§ 20 Abs. 2 LeihLG", 1, "und den Leihvertrag selbst schließt."),
        ("§ 38 Abs. 1 LeihLG", 2, "in der Gebührengruppe D, insgesamt jedoch höchstens die Hälfte des Wiederbeschaffungswerts."),
        ("§ 39 Abs. 2 LeihLG", 1, "2. die Erstattung der Leihgebühr verlangen."),
    ],
)
def test_text_after_a_list_can_end_its_sentence(law: Law, citation: str, number: int, end: str) -> None:
    assert subsections(law)[citation].sentences[number - 1].text.endswith(end)


@pytest.mark.parametrize(
    "path",
    [
        'norm[metadaten/enbez="Inhaltsübersicht"]/textdaten/text/TOC//row',
        'norm[metadaten/enbez="§ 3"]//DL[@Type="arabic"]//DL[@Type="alpha"]//DL[@Type="a-alpha"]',
        'norm[metadaten/enbez="§ 35"]//table/tgroup/tbody/row/entry',
        'norm[metadaten/enbez="§ 15"]/textdaten/text/Footnotes/Footnote[@ID=//FnR/@ID]',
        'norm[metadaten/enbez="(XXXX) §§ 31 bis 33"]/metadaten/titel[.="(weggefallen)"]',
        'norm[metadaten/enbez="§ 16"]//P[.="(3) (weggefallen)"]',
        'norm[metadaten/enbez="Anlage"]//table//row',
    ],
)
def test_structures_are_coded_as_in_real_files(document: etree._Element, path: str) -> None:
    assert document.xpath(path)


def test_one_list_stands_in_the_second_subsection_only(document: etree._Element) -> None:
    paragraphs = document.xpath('norm[metadaten/enbez="§ 8"]/textdaten/text/Content/P')
    assert [bool(p.xpath(".//DL")) for p in paragraphs] == [False, True, False, False]


def test_notes_never_stand_in_the_text(law: Law) -> None:
    for designation, words in (("§ 15", "Amtlicher Hinweis"), ("§ 16", "Aufgeh. durch"), ("Anlage", "Fundstelle")):
        noted = section(law, designation)
        assert any(words in note for note in noted.notes)
        assert words not in noted.text


def test_own_references_lead_to_provisions_in_force(law: Law) -> None:
    named = re.compile(r"(?<!§)(?>§ (\d+[a-z]?)(?: Absatz (\d+[a-z]?)(?: Satz (\d+))?)?)(?! des [A-Z])")
    in_force = {c: sub for c, sub in subsections(law).items() if sub.status is Status.IN_FORCE}
    sections = {s.designation for s in law.sections if s.status is Status.IN_FORCE}
    found = [match for s in law.sections for match in named.finditer(s.text)]
    assert len(found) > 40
    for match in found:
        number, absatz, satz = match.groups()
        assert f"§ {number}" in sections, match[0]
        if absatz:
            target = in_force[f"§ {number} Abs. {absatz} LeihLG"]
            assert len(target.sentences) >= int(satz or 1), match[0]


@pytest.mark.parametrize(
    "wording", [r"des Bürgerlichen Gesetzbuchs", r"§§ \d+, \d+ und \d+", r"§§ \d+ bis \d+", r"Absatz 1 Satz \d"]
)
def test_references_of_every_kind_are_there(law: Law, wording: str) -> None:
    assert any(re.search(wording, s.text) for s in law.sections)


# --- the questions


def test_questions_by_language_and_kind(questions: pl.DataFrame) -> None:
    assert Counter(questions.select("lang", "kind").iter_rows()) == {
        ("de", "answerable"): 50,
        ("en", "answerable"): 30,
        ("de", "out_of_corpus"): 10,
        ("en", "out_of_corpus"): 5,
        ("de", "uncovered"): 10,
        ("en", "uncovered"): 5,
    }


def test_ids_tell_the_group_and_no_question_comes_twice(questions: pl.DataFrame) -> None:
    for identifier, lang, kind in questions.select("id", "lang", "kind").iter_rows():
        assert re.fullmatch(rf"sample-{lang if kind == 'answerable' else 'out'}-\d\d", identifier)
    assert questions["question"].n_unique() == questions.height


def test_gold_names_sections_in_force_and_their_subsections(law: Law, questions: pl.DataFrame) -> None:
    corpus = sections_table([law])
    index = CitationIndex(corpus)
    in_force = {s.section_id for s in law.sections if s.status is Status.IN_FORCE}
    provisions = {c for c, sub in subsections(law).items() if sub.status is Status.IN_FORCE}
    for identifier, gold, finer in questions.select("id", "gold", "gold_subsections").iter_rows():
        targets = {index.section_id(citation) for citation in gold}
        assert targets <= in_force, identifier
        assert set(finer) <= provisions, identifier
        assert {index.section_id(citation) for citation in finer} == targets, identifier


def test_gold_is_given_for_the_answerable_alone_and_spread_over_the_law(questions: pl.DataFrame) -> None:
    gold = questions.select("gold", "kind").iter_rows()
    assert all((len(citations) > 0) == (kind == "answerable") for citations, kind in gold)
    assert questions["gold"].explode().drop_nulls().n_unique() >= 40
    assert (questions["gold"].list.len() == 2).sum() >= 5
    assert questions["gold"].list.len().max() == 2


def test_fifteen_pairs_ask_the_same_in_both_languages(questions: pl.DataFrame) -> None:
    rows = {row["id"]: row for row in questions.iter_rows(named=True)}
    paired = [row for row in rows.values() if row["pair"] is not None]
    assert len(paired) == 30
    for row in paired:
        other = rows[row["pair"]]
        assert other["pair"] == row["id"]
        assert {row["lang"], other["lang"]} == {"de", "en"}
        assert row["gold_subsections"] == other["gold_subsections"]


def test_no_question_names_its_section(questions: pl.DataFrame) -> None:
    assert not questions["question"].str.contains(r"§|Absatz|\bAbs\.|section \d").any()
