"""Citations as people type them: one normal form, numbers compared as wholes, no law mixed up with another."""

import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from laws.made import document, norm

from lawrag_assets.errors import InputError
from lawrag_assets.laws.citations import CitationIndex, comparable, parse_citation
from lawrag_assets.laws.gii_xml import parse_law
from lawrag_assets.laws.tables import sections_table


@pytest.mark.parametrize(
    ("typed", "normal"),
    [
        ("433 I 2 BGB", "§ 433 Abs. 1 Satz 2 BGB"),
        ("§433bgb", "§ 433 bgb"),
        ("§ 433 BGB", "§ 433 BGB"),
        ("§ 433\u00a0Absatz 1 BGB", "§ 433 Abs. 1 BGB"),
        ("§ 433 Abs.1 S.2 BGB", "§ 433 Abs. 1 Satz 2 BGB"),
        ("§ 823 Abs. 1 BGB", "§ 823 Abs. 1 BGB"),
        ("§ 312g Abs. 2 Satz 1 Nr. 3 BGB", "§ 312g Abs. 2 Satz 1 Nr. 3 BGB"),
        ("§ 5 (2a) ArbZG", "§ 5 Abs. 2a ArbZG"),
        ("§ 15 IIa BGB", "§ 15 Abs. 2a BGB"),
        ("622 II 1 Nr. 2 BGB", "§ 622 Abs. 2 Satz 1 Nr. 2 BGB"),
        ("§ 3 Abs. 1 Nr. 2 lit. b EStG", "§ 3 Abs. 1 Nr. 2 Buchst. b EStG"),
        ("§ 3 Abs. 1 Satz 2 2. Halbsatz EStG", "§ 3 Abs. 1 Satz 2 EStG"),
        ("§ 823 ff. BGB", "§ 823 BGB"),
        ("§§ 677ff BGB", "§ 677 BGB"),
        ("§ 86f BGB", "§ 86f BGB"),
        ("§ 8 c KStG", "§ 8c KStG"),
        ("Art 1 GG", "Art 1 GG"),
        ("Art. 1 Abs. 3 GG", "Art 1 Abs. 3 GG"),
        ("Artikel 12a GG", "Art 12a GG"),
        ("art.2 I gg", "Art 2 Abs. 1 gg"),
        ("Art 229 § 5 Satz 2 EGBGB", "Art 229 § 5 Satz 2 EGBGB"),
        ("§ 1.01 BinSchStrO", "§ 1.01 BinSchStrO"),
        ("Anlage 2 BFSG", "Anlage 2 BFSG"),
        ("Anlage BFSG", "Anlage BFSG"),
        ("§ 7 SGB IX", "§ 7 SGB IX"),
        ("§ 3 II. BV", "§ 3 II. BV"),
        ("BGB § 433", "§ 433 BGB"),
        ("BGB, § 433 Abs. 2", "§ 433 Abs. 2 BGB"),
        ("§ 433 Absatz 1 des Bürgerlichen Gesetzbuchs", "§ 433 Abs. 1 BGB"),
        ("Paragraph 433 BGB", "§ 433 BGB"),
        ("§ 433", "§ 433"),
    ],
)
def test_normal_form(typed, normal):
    assert str(parse_citation(typed)) == normal


@pytest.mark.parametrize("typed", ["", "  ", "§", "hallo", "BGB", "Absatz 2", "§ x BGB", "§ 433 +++", "\x00", "Art GG"])
def test_what_is_no_citation(typed):
    with pytest.raises(InputError, match="no citation"):
        parse_citation(typed)


@pytest.fixture(scope="module")
def index() -> CitationIndex:
    bgb = document(
        norm("<P>A.</P>", enbez="§ 823"),
        norm("<P>B.</P>", enbez="§ 1823"),
        norm("<P>C.</P>", enbez="§ 82"),
        names="<jurabk>BGB</jurabk>",
    )
    intro = document(
        norm("<P>D.</P>", enbez="Art 82"),
        norm("", enbez="(XXXX) §§ 3 bis 6", titel="(weggefallen)"),
        names="<jurabk>BGBEG</jurabk>",
    )
    book = document(
        norm("<P>E.</P>", enbez="§ 7"), norm("<P>F.</P>", enbez="§ 7"), names="<jurabk>SGB 9 2018</jurabk><amtabk>SGB IX</amtabk>"
    )
    laws = [parse_law(bgb, slug="bgb"), parse_law(intro, slug="bgbeg"), parse_law(book, slug="sgb_9_2018")]
    return CitationIndex(sections_table(laws))


@pytest.mark.parametrize(
    ("typed", "section_id"),
    [
        ("§ 823 BGB", "bgb/§823"),
        ("§ 823 Abs. 1 bgb", "bgb/§823"),
        ("§ 1823 BGB", "bgb/§1823"),
        ("§ 8 BGB", None),
        ("§ 23 BGB", None),
        ("§ 82 EGBGB", None),
        ("Art. 82 EGBGB", "bgbeg/Art82"),
        ("Art 82 BGBEG", "bgbeg/Art82"),
        ("Art 82 BGB", None),
        ("§ 4 EGBGB", "bgbeg/§§3bis6"),
        ("§ 7 SGB IX", "sgb_9_2018/§7"),
        ("§ 7 SGB 9", "sgb_9_2018/§7"),
        ("§ 7 sgb_9_2018", "sgb_9_2018/§7"),
        ("§ 823", None),
        ("§ 823 HGB", None),
    ],
)
def test_finding_a_section(index, typed, section_id):
    assert index.section_id(typed) == section_id


@given(st.integers(1, 2400), st.sampled_from(["", "a", "b", "z"]), st.integers(1, 9))
def test_normal_form_is_stable(number, letter, subsection):
    for typed in (
        f"§ {number}{letter} Abs. {subsection} BGB",
        f"{number}{letter} Abs. {subsection} BGB",
        f"§{number}{letter} ({subsection}) BGB",
    ):
        parsed = parse_citation(typed)
        assert str(parsed) == f"§ {number}{letter} Abs. {subsection} BGB"
        assert parse_citation(str(parsed)) == parsed


@given(st.text(max_size=40))
def test_any_text_is_a_citation_or_an_input_error(text):
    with contextlib.suppress(InputError):
        parse_citation(text)


def test_every_gold_label_of_the_question_sets_names_a_section(shared, real):
    labels = set()
    for name in ("arbzg_dev.jsonl", "multilaw_dev.jsonl", "gerlayqa_bgb_dev.jsonl"):
        for line in (shared / "questions" / name).read_text(encoding="utf-8").splitlines():
            question = json.loads(line)
            labels.update(question.get("gold", []), question.get("gold_subsections", []))
    laws = [
        real(slug)
        for slug in (
            "bgb",
            "arbzg",
            "agg",
            "kschg",
            "prodhaftg",
            "muschg_2018",
            "burlg",
            "tzbfg",
            "entgfg",
            "milog",
            "nachwg",
            "pflegezg",
        )
    ]
    index = CitationIndex(sections_table(laws))
    unknown = sorted(label for label in labels if index.section_id(label) is None)
    assert len(labels) > 500
    assert len(unknown) / len(labels) < 0.03, unknown


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("§433 I bgb", "§ 433 Abs. 1 BGB", True),
        ("433 BGB", "§ 433 BGB", True),
        ("§ 433 BGB", "§ 433 Abs. 1 BGB", False),
        ("siehe  oben", "Siehe oben", True),
    ],
)
def test_two_writings_of_one_citation_compare_equal(one, other, same):
    assert (comparable(one) == comparable(other)) is same


@pytest.mark.parametrize(
    ("citation", "status"), [("§ 823 Abs. 1 BGB", "in_force"), ("§ 4 EGBGB", "repealed"), ("§ 9 BGB", None), ("§ 823", None)]
)
def test_the_status_of_a_cited_section(index, citation, status):
    assert index.status(citation) == status


@pytest.mark.parametrize(
    ("citation", "why"),
    [
        ("§ 9 BGB", "no such section"),
        ("§ 823 HGB", "law is not in the corpus"),
        ("§ 823", "names no law"),
        ("kein Zitat", "no citation"),
    ],
)
def test_why_a_citation_names_no_section(index, citation, why):
    assert index.why_unknown(citation) == why
