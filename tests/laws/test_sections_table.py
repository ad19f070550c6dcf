"""The sections as a table and as JSON Lines: same schema whatever the law, same content, Parquet and back."""

import json

import polars as pl
from laws.made import document, items, law, norm, unit

from lawrag_assets.laws.gii_xml import parse_law
from lawrag_assets.laws.jsonl import json_lines, section_as_json
from lawrag_assets.laws.tables import SECTIONS_SCHEMA, sections_table

SMALL = law(
    norm("<P/>", enbez=None, unit=unit("010", "Abschnitt 1", "Allgemeines")),
    norm("<P>(1) Wer" + items("rudert,", "segelt,") + "haftet nach § 2. Er zahlt.</P><P>(2) (weggefallen)</P>", titel="Haftung"),
    norm("<P>Gilt.</P>", enbez="§ 2", notes="Fußnote"),
    norm("", enbez="Anlage", titel="(zu § 2)"),
)


def test_schema_and_order():
    table = sections_table([SMALL])
    assert dict(table.schema) == SECTIONS_SCHEMA
    assert table["section_id"].to_list() == ["testg/§1", "testg/§2", "testg/Anlage"]
    assert table["position"].to_list() == [0, 1, 2]
    assert table["build"].unique().to_list() == ["2025-01-02"]
    assert table["kind"].to_list() == ["section", "section", "annex"]
    assert table["status"].to_list() == ["in_force", "in_force", "no_text"]


def test_rows_hold_what_was_parsed():
    row = sections_table([SMALL]).row(0, named=True)
    assert row["hierarchy"] == [{"label": "Abschnitt 1", "title": "Allgemeines"}]
    assert [(a["label"], a["status"]) for a in row["subsections"]] == [("1", "in_force"), ("2", "repealed")]
    for a in row["subsections"]:
        assert row["text"][a["start"] : a["end"]] == a["text"]
        assert all(row["text"][s["start"] : s["end"]] == s["text"] for s in a["sentences"])
    assert row["references"] == [{"text": "§ 2", "targets": ["§ 2 TestG"]}]


def test_no_law_gives_an_empty_table_of_the_same_schema():
    table = sections_table([])
    assert (table.height, dict(table.schema)) == (0, SECTIONS_SCHEMA)


def test_parquet_and_back(tmp_path, real):
    table = sections_table([real("milog"), real("gg"), real("estg")])
    table.write_parquet(tmp_path / "sections.parquet")
    assert pl.read_parquet(tmp_path / "sections.parquet").equals(table)
    assert table["section_id"].is_unique().all()


def test_the_contracts_object():
    assert section_as_json(SMALL.sections[0]) == {
        "law": "TestG",
        "slug": "testg",
        "section_id": "testg/§1",
        "citation": "§ 1 TestG",
        "designation": "§ 1",
        "heading": "Haftung",
        "kind": "section",
        "hierarchy": [{"label": "Abschnitt 1", "title": "Allgemeines"}],
        "status": "in_force",
        "status_evidence": "",
        "text": "(1) Wer 1. rudert, 2. segelt, haftet nach § 2. Er zahlt. (2) (weggefallen)",
        "subsections": [
            {
                "label": "1",
                "citation": "§ 1 Abs. 1 TestG",
                "status": "in_force",
                "text": "Wer 1. rudert, 2. segelt, haftet nach § 2. Er zahlt.",
                "sentences": [
                    {"number": 1, "citation": "§ 1 Abs. 1 Satz 1 TestG", "text": "Wer 1. rudert, 2. segelt, haftet nach § 2."},
                    {"number": 2, "citation": "§ 1 Abs. 1 Satz 2 TestG", "text": "Er zahlt."},
                ],
            },
            {"label": "2", "citation": "§ 1 Abs. 2 TestG", "status": "repealed", "text": "(weggefallen)", "sentences": []},
        ],
        "references": [{"text": "§ 2", "targets": ["§ 2 TestG"]}],
        "notes": [],
    }


def test_one_line_a_section(real):
    lines = json_lines(real("bewg")).split("\n")
    assert lines.pop() == ""
    assert [json.loads(line)["section_id"] for line in lines] == [s.section_id for s in real("bewg").sections]


def test_parsing_is_deterministic_and_parts_can_be_left_out(real_xml):
    whole = parse_law(real_xml("arbzg"), slug="arbzg")
    assert whole == parse_law(real_xml("arbzg"), slug="arbzg")
    bare = parse_law(real_xml("arbzg"), slug="arbzg", sentences=False, references=False)
    assert [s.text for s in bare.sections] == [s.text for s in whole.sections]
    assert not any(s.references or a.sentences for s in bare.sections for a in s.subsections)


def test_two_sections_of_one_name_stay_two():
    twice = parse_law(document(norm("<P>A.</P>"), norm("<P>B.</P>"), norm("<P>C.</P>")), slug="testg")
    assert [s.section_id for s in twice.sections] == ["testg/§1", "testg/§1~2", "testg/§1~3"]
    assert len(twice.warnings) == 2
