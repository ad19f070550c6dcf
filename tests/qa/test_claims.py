"""What of an answer is a claim: statements about the law, one by one, and no remarks about the texts."""

import pytest

from lawrag_assets.qa.claims import is_meta, statements


def test_each_sentence_is_a_claim_and_abbreviations_end_none() -> None:
    text = "Die Pause dauert 30 Minuten (§ 4 Satz 1 ArbZG). Sie kann nach § 4 Abs. 2 Nr. 1 geteilt werden."
    assert statements(text) == [
        "Die Pause dauert 30 Minuten (§ 4 Satz 1 ArbZG).",
        "Sie kann nach § 4 Abs. 2 Nr. 1 geteilt werden.",
    ]


def test_lines_bullets_and_semicolons_part_claims() -> None:
    text = "- Die Pause dauert 30 Minuten.\n2) Sie wird nicht bezahlt; sie darf geteilt werden.\n\nKurz:\nWirklich so lang?"
    assert statements(text) == ["Die Pause dauert 30 Minuten.", "Sie wird nicht bezahlt", "sie darf geteilt werden."]


@pytest.mark.parametrize(
    "text",
    [
        "Die vorgelegten Vorschriften enthalten dazu nichts.",
        "Die Texte beantworten nicht, wie hoch die Vergütung ist.",
        "The provided provisions do not say who pays.",
        "The passages shown say nothing about pay.",
        "Dies ist keine Rechtsberatung.",
        "This does not constitute legal advice.",
        "Wenden Sie sich an einen Anwalt, um sich beraten zu lassen: ein Anwalt kann Sie beraten.",
        "Please consult a qualified lawyer.",
    ],
)
def test_a_remark_about_texts_or_answer_is_no_claim(text: str) -> None:
    assert is_meta(text)


@pytest.mark.parametrize(
    "text",
    [
        "Der Arbeitgeber darf nicht mehr als acht Stunden verlangen.",
        "Die Vorschriften über Pausen gelten auch sonntags.",
        "The provisions on breaks apply on Sundays too.",
        "Der Mieter kann einen Text verlangen, der nichts auslässt.",
        "An employee may consult the works council.",
    ],
)
def test_a_statement_of_law_is_a_claim(text: str) -> None:
    assert not is_meta(text)
