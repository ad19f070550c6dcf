"""References: a labelled set, the Civil Code's own, the edge list, and what must not be taken for one."""

import re
from collections import Counter, defaultdict

import pytest
from laws.labelled_references import LABELLED
from laws.made import document, items, norm, section, unit

from lawrag_assets.laws.edges import references_table
from lawrag_assets.laws.gii_xml import parse_law
from lawrag_assets.laws.model import Status


def labelled_sections():
    """The labelled texts parsed as sections of laws that hold the sections of the set."""
    laws = defaultdict(list)
    for law, designation, text, _ in LABELLED:
        article, _, paragraph = designation.partition(" § ")
        content = "".join(f"<P>{block}</P>" for block in re.split(r" (?=\(\d+[a-z]?\) )", text))
        if paragraph:
            laws[law].append(norm(content, enbez=f"§ {paragraph}", unit=unit("010", article)))
        else:
            laws[law].append(norm(content, enbez=designation))
    for law, norms in laws.items():
        for made in parse_law(document(*norms, names=f"<jurabk>{law}</jurabk>"), slug="x").sections:
            yield (law, made.designation), made


def test_labelled_set_has_the_size_asked_for():
    assert sum(len(references) for *_, references in LABELLED) >= 150
    assert len({law for law, *_ in LABELLED}) >= 10


def test_precision_and_recall_on_the_labelled_set():
    found = {key: Counter((r.text, r.targets) for r in made.references) for key, made in labelled_sections()}
    right = missed = wrong = 0
    for law, designation, _, references in LABELLED:
        expected = Counter((text, tuple(targets)) for text, targets in references)
        got = found[law, designation]
        right += (expected & got).total()
        missed += (expected - got).total()
        wrong += (got - expected).total()
        if expected != got:
            print(law, designation, "missed", dict(expected - got), "wrong", dict(got - expected))
    assert right / (right + wrong) >= 0.98
    assert right / (right + missed) >= 0.98


@pytest.mark.parametrize(
    "text",
    [
        "Die Verordnung (EU) Nr. 12/2099 gilt.",
        "Veröffentlicht im BGBl. I Nr. 7 S. 33.",
        "Es sind 3 Sätze zu 2 Stück vorzulegen.",
        "Der Absatz der Ware ist frei; der Satz ist falsch.",
        "Die Anlage ist stillzulegen, die Artikel sind zu zählen.",
        "Je Nummer ein Blatt; Artikel in großer Zahl.",
    ],
)
def test_what_is_no_reference(text):
    assert section(f"<P>{text}</P>").references == ()


def test_a_number_of_the_next_item_is_no_part_of_a_reference():
    made = section("<P>Es gelten" + items("die §§ 3 und 4 und", "der § 9.") + "</P>")
    assert [r.text for r in made.references] == ["§§ 3 und 4", "§ 9"]


def test_spans_are_offsets_into_the_text(real):
    for slug in ("arbzg", "bgbeg", "gg"):
        for made in real(slug).sections:
            for reference in made.references:
                assert made.text[reference.start : reference.end] == reference.text
                assert reference.targets


def test_paragraph_signs_of_the_civil_code_are_recognised_and_lead_somewhere(real):
    law = real("bgb")
    signs = seen = 0
    for made in law.sections:
        spans = [range(r.start, r.end) for r in made.references]
        for sign in re.finditer("§§?", made.text):
            signs += 1
            seen += any(sign.start() in span for span in spans)
    assert signs > 2000
    assert seen / signs >= 0.99
    edges = references_table([law])
    lost = edges.filter(edges["kind"] == "unresolved")
    # § 707b names the Commercial Code once, before a list of its sections; § 514 an annex of the introductory act.
    assert set(lost["source"]) <= {"bgb/§707b", "bgb/§514"}
    status = {made.section_id: made.status for made in law.sections}
    inside = edges.filter(edges["kind"] == "inside")
    assert len(inside) > 5000
    assert {status[target] for target in inside["target"]} <= {Status.IN_FORCE, Status.REPEALED}


@pytest.mark.slow
def test_paragraph_signs_in_every_law(every_law):
    signs = seen = 0
    for _, slug, xml in every_law("today"):
        for made in parse_law(xml, slug=slug, sentences=False).sections:
            inside = bytearray(len(made.text))
            for reference in made.references:
                inside[reference.start : reference.end] = b"x" * (reference.end - reference.start)
            for sign in re.finditer("§§?", made.text):
                signs += 1
                seen += inside[sign.start()] != 0
    assert seen / signs >= 0.999


def test_edges_lead_from_law_to_law(real):
    edges = references_table([real("bgb"), real("bgbeg"), real("milog")])
    row = edges.filter((edges["source"] == "milog/§2") & (edges["text"] == "§ 614 des Bürgerlichen Gesetzbuchs")).row(
        0, named=True
    )
    assert row["source_citation"] == "§ 2 Abs. 1 MiLoG"
    assert (row["target_citation"], row["target"], row["kind"]) == ("§ 614 BGB", "bgb/§614", "other")
    to_articles = edges.filter(edges["source"].str.starts_with("bgb/") & edges["target"].str.starts_with("bgbeg/"))
    assert len(to_articles) > 90  # cited as EGBGB, filed as BGBEG


def test_a_target_in_a_repealed_range_leads_to_the_range():
    law = parse_law(
        document(norm("<P>Nach § 4 gilt dies.</P>"), norm("", enbez="(XXXX) §§ 3 bis 6", titel="(weggefallen)")), slug="testg"
    )
    edges = references_table([law])
    assert edges.row(0, named=True)["target"] == "testg/§§3bis6"
