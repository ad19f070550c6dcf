"""Only citations that the evidence has reach a reader, whatever a model writes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from qa.small_laws import passage

from lawrag_assets.laws.reference_grammar import find
from lawrag_assets.qa.guard import Evidence, guarded

EVIDENCE = Evidence(
    [
        passage("§ 3", "Der Weg ist frei zu halten.", "Dies gilt nicht bei Frost."),
        passage("§ 6 Abs. 2", "Verboten sind 1. Feuer und 2. Lärm."),
        passage("§ 3", "Die Laube ist klein.", law="LaubG", slug="laubg"),
    ]
)


@pytest.mark.parametrize(
    ("text", "stands"),
    [
        ("Der Weg ist frei zu halten (§ 3 GartG).", "§ 3 GartG"),
        ("Bei Frost nicht (§ 3 Satz 2 GartG).", "§ 3 Satz 2 GartG"),
        ("Lärm ist verboten (§ 6 Abs. 2 Nr. 2 GartG).", "§ 6 Abs. 2 Nr. 2 GartG"),
        ("Feuer ist nach § 6 verboten.", "§ 6 GartG"),
        ("Noise is forbidden under Section 6(2) GartG.", "§ 6 Abs. 2 GartG"),
        ("Noise is forbidden under section 6 paragraph 2 of the GartG.", "§ 6 Abs. 2 GartG"),
    ],
)
def test_a_citation_of_the_evidence_stands(text: str, stands: str) -> None:
    result = guarded(text, EVIDENCE)
    assert result.citations == (stands,)
    assert result.removed == ()


@pytest.mark.parametrize(
    ("text", "left", "reason"),
    [
        ("Das ist erlaubt (§ 999 BGB).", "Das ist erlaubt.", "not among the evidence"),
        ("Nach § 4 GartG ist das erlaubt.", "Nach […] ist das erlaubt.", "not among the evidence"),
        ("Das folgt aus § 3 Satz 3 GartG.", "Das folgt aus […].", "there is no such Satz"),
        ("Das folgt aus § 6 Abs. 1 GartG.", "Das folgt aus […].", "the Absatz is not among the evidence"),
        ("Das folgt aus § 6 Abs. 2 Nr. 7 GartG.", "Das folgt aus […].", "there is no such number"),
        ("Das steht in § 3.", "Das steht in […].", "names no law"),
        ("See Section 12 GartG.", "See […].", "not among the evidence"),
        ("Das regelt Paragraf 99 BGB.", "Das regelt […].", "not among the evidence"),
        ("Das regelt §\u200b99 BGB.", "Das regelt […].", "not among the evidence"),
        ("Das regelt §９９ BGB.", "Das regelt […].", "not among the evidence"),
        ("Das regeln §§ 3 bis 9 GartG.", "Das regeln […].", "not among the evidence"),
    ],
)
def test_any_other_is_removed_and_reported(text: str, left: str, reason: str) -> None:
    result = guarded(text, EVIDENCE)
    assert result.text == left
    assert [removed.reason for removed in result.removed] == [reason]
    assert result.citations == ()


def test_a_right_citation_stands_beside_a_removed_one() -> None:
    result = guarded("Der Weg ist frei (§ 3 GartG), die Laube klein (§ 8 LaubG).", EVIDENCE)
    assert result.text == "Der Weg ist frei (§ 3 GartG), die Laube klein."
    assert result.citations == ("§ 3 GartG",)


WORDS = st.sampled_from(
    ["Der Weg", "§", "§§", "Section", "Paragraf", "Abs.", "Satz", "(", ")", "und", "bis", "GartG", "BGB", "Art.", ",", "Nr."]
)
NUMBERS = st.integers(min_value=1, max_value=99).map(str)


@given(st.lists(st.one_of(WORDS, NUMBERS), max_size=14).map(" ".join))
def test_no_citation_outside_the_evidence_ever_stands(text: str) -> None:
    result = guarded(text, EVIDENCE)
    for found in find(result.text):
        for place, until in found.places:
            if place[0][0] == "§":
                assert place[0][1] in ("3", "6"), (text, result)
                assert until is None or until[0][1] in ("3", "6") or until[0][0] != "§", (text, result)
