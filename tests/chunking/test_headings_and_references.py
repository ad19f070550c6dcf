"""`heading_path` and `reference_expanded`: what the statute itself says about a unit is embedded with it."""

from itertools import pairwise
from pathlib import Path

import polars as pl
import pytest
from chunking.corpora import corpora, tokenize
from chunking.made_material import EXTRACTIVE, chunked, cut, letters
from hypothesis import given

from lawrag_assets.chunking import STRATEGIES, Material
from lawrag_assets.chunking.definitions import Definitions, Place, terms_defined
from lawrag_assets.chunking.reference_expanded import BOUND
from lawrag_assets.laws.archive import parsed
from lawrag_assets.laws.edges import references_table
from lawrag_assets.laws.gii_xml import parse_law
from lawrag_assets.laws.law_file import sample_law
from lawrag_assets.laws.source import law_source
from lawrag_assets.laws.tables import sections_table

SAMPLE = parsed(sample_law())
CORPUS, REFERENCES = sections_table([SAMPLE]), references_table([SAMPLE])


@given(corpus=corpora())
def test_the_path_to_a_unit_stands_before_the_embedded_text_only(corpus: pl.DataFrame) -> None:
    units = cut("subsection", corpus)
    chunks = chunked("heading_path", units, corpus)
    assert chunks["text"].to_list() == units["text"].to_list()
    sections = {row["section_id"]: row for row in corpus.iter_rows(named=True)}
    for text, embedded, parents in chunks.select("text", "embedded", "parents").iter_rows():
        section = sections[parents[0]]
        assert embedded == f"{section['law']} › Titel › {section['heading']}\n\n{text}"


def test_the_path_has_the_headings_of_a_real_hierarchy_outermost_first() -> None:
    chunks = chunked("heading_path", cut("sentence", CORPUS), CORPUS)
    embedded = dict(chunks.select("chunk_id", "embedded").iter_rows())
    path, _, text = embedded["sample/§26/Abs1/S1"].partition("\n\n")
    assert path == "LeihLG › Ausleihe › Nutzungsverhältnis und Leihvertrag › Leihvertrag › Leihfrist"
    assert text == "Die Leihfrist beträgt 14 Tage."


@given(corpus=corpora())
def test_what_is_referred_to_stands_behind_the_embedded_text_within_the_bound(corpus: pl.DataFrame) -> None:
    """Every Absatz of these corpora refers to the section that stands next in the corpus, and to nothing else."""
    units = cut("subsection", corpus)
    chunks = chunked("reference_expanded", units, corpus)
    assert chunks["text"].to_list() == units["text"].to_list()
    sections = {row["section_id"]: row for row in corpus.iter_rows(named=True)}
    following = dict(pairwise(sections))
    for text, embedded, parents in chunks.select("text", "embedded", "parents").iter_rows():
        assert embedded.startswith(text)
        added = embedded[len(text) :].removeprefix("\n\n")
        target = sections.get(following.get(parents[0], ""))
        if target and target["status"] == "in_force":
            whole = f"{target['citation']} {target['heading']}: {target['text']}"
            assert added == (whole if len(tokenize([whole])[0]) <= BOUND else whole[: 3 * BOUND])
        else:
            assert added == ""


def added_to(base_unit: str, corpus: pl.DataFrame, references: pl.DataFrame) -> dict[str, str]:
    """What is added to each unit."""
    units = cut(base_unit, corpus)
    material = Material(units, corpus, lambda: letters([]), letters, EXTRACTIVE, _words, lambda: references)
    enrich = STRATEGIES["reference_expanded"].enrich
    assert enrich is not None
    return dict(enrich(material).select("node_id", "text").iter_rows())


def _words(texts: list[str]) -> list[list[tuple[int, int]]]:
    """One token a run of ten characters, white space and all."""
    return [[(at, min(at + 10, len(text))) for at in range(0, len(text), 10)] for text in texts]


def test_the_named_absatz_is_added_the_nearest_first_and_definitions_among_them() -> None:
    added = added_to("subsection", CORPUS, REFERENCES)
    assert added["sample/§12a/Abs3"] == (  # "§ 26 Absatz 1 Satz 2 ist nicht anzuwenden."
        "§ 26 Abs. 1 LeihLG Leihfrist: Die Leihfrist beträgt 14 Tage. Sie beginnt mit dem Tag, der auf die Übergabe folgt."
    )
    first, second = added["sample/§22/Abs1"].split("\n")  # "entgegen § 30 Absatz 2 …" and "Ehrenamtliche"
    assert first.startswith("§ 30 Abs. 2 LeihLG Gebrauch und Weitergabe: ")
    assert second.startswith("§ 53 Abs. 1 LeihLG Ehrenamtliche: Wer in einem Leihladen")
    lines = added["sample/§10/Abs2"].split("\n")
    assert [line.partition(" LeihLG")[0] for line in lines] == ["§ 7 Abs. 3", "§ 15", "§ 55"]  # three, five and 45 sections away
    assert "sample/§1" not in added  # it refers to nothing


def test_a_sentence_is_given_what_itself_refers_to_and_no_more() -> None:
    added = added_to("sentence", CORPUS, REFERENCES)
    assert "sample/§12a/Abs3/S1" not in added
    assert added["sample/§12a/Abs3/S2"].startswith("§ 26 Abs. 1 LeihLG")


def test_an_amendment_is_felt_by_just_the_units_that_refer_to_it() -> None:
    """So the index of a unit is stale when the text that it refers to changes: Dagster compares the enrichment's content."""
    before = added_to("subsection", CORPUS, REFERENCES)
    absatz = pl.element().struct.with_fields(pl.field("text").str.replace("14 Tage", "21 Tage"))
    amended = CORPUS.with_columns(
        pl.col("text").str.replace("Die Leihfrist beträgt 14 Tage", "Die Leihfrist beträgt 21 Tage"),
        pl.col("subsections").list.eval(absatz),
    )
    after = added_to("subsection", amended, REFERENCES)
    changed = {unit for unit in before if before[unit] != after[unit]}
    citing = REFERENCES.filter(pl.col("target") == "sample/§26")["source"].unique().to_list()
    assert "sample/§12a/Abs3" in changed
    assert {unit.partition("/Abs")[0] for unit in changed} <= set(citing)


def test_a_number_is_not_found_in_a_longer_one() -> None:
    """ "§ 5" of one Absatz is no reference of another one of the section that says "§ 57"."""
    edges = pl.DataFrame(
        [("sample/§22", "§ 22 Abs. 4 LeihLG", "§ 5", "§ 5 LeihLG", "sample/§5", "inside")], schema=REFERENCES.schema, orient="row"
    )
    assert added_to("subsection", CORPUS, edges).get("sample/§22/Abs4", "") == ""


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("Die Anfechtung muss ohne schuldhaftes Zögern (unverzüglich) erfolgen.", ["unverzüglich"]),
        ("Die vorherige Zustimmung (Einwilligung) ist bis dahin widerruflich.", ["Einwilligung"]),
        ("Verbraucher ist jede natürliche Person, die einen Vertrag schließt.", ["Verbraucher"]),
        ("Ein Mietspiegel ist eine Übersicht über die Miete.", ["Mietspiegel"]),
        ("Nachtzeit im Sinne dieses Gesetzes ist die Zeit von 23 bis 6 Uhr.", ["Nachtzeit"]),
        ("Zubehör sind bewegliche Sachen, die dem Zweck der Hauptsache dienen.", ["Zubehör"]),
        ("Unwirksam ist 1. (Zahlungsfrist) eine Bestimmung, durch die …", []),
        ("Tiere sind keine Sachen. Absatz 2 (weggefallen) gilt nicht.", []),
        ("Ein Unternehmer ist Vermittler, wenn er vermittelt.", []),
        ("Ein Ehegatte (vertretener Ehegatte) ist es nicht.", []),
    ],
)
def test_what_counts_as_a_legal_definition(text: str, terms: list[str]) -> None:
    assert terms_defined(text) == terms


def test_a_term_is_known_in_its_cases_in_its_own_law_and_where_it_has_one_meaning() -> None:
    definitions = Definitions(CORPUS)
    leader = Place("sample/§11", "1")
    assert list(definitions.relied_on("sample", "Die Namen der Ehrenamtlichen und der Ladenleitung")) == [
        Place("sample/§53", "1"),
        leader,
    ]
    assert list(definitions.relied_on("other", "Ladenleitung")) == []
    twice = pl.concat([CORPUS, CORPUS.filter(section_id="sample/§11").with_columns(section_id=pl.lit("sample/§99"))])
    assert list(Definitions(twice).relied_on("sample", "Ladenleitung")) == []


def test_the_civil_codes_definitions(shared: Path) -> None:
    law = parse_law(law_source(str(shared / "gii")).fetch("bgb").xml, slug="bgb", references=False)
    definitions = Definitions(sections_table([law]))
    text = "Der Verbraucher hat dem Unternehmer unverzüglich seine Einwilligung zu erklären, sobald die Gesamtschuldner zahlen."
    assert [place.section_id.partition("§")[2] for place in definitions.relied_on("bgb", text)] == [
        "13",
        "14",
        "121",
        "183",
        "421",
    ]
