"""What an answer must satisfy: losses, inventions, copies and error texts are found; good answers pass."""

import pytest
from generation.requests_made import DUTIES, EVERY, boundary, context, summary
from hypothesis import given
from hypothesis import strategies as st

from lawrag_assets.generation.essentials import citations, negations, numbers, numeral
from lawrag_assets.generation.fallback import fallback, shortened
from lawrag_assets.generation.protocol import ContextRequest, PropositionsRequest, Request, SummaryRequest
from lawrag_assets.generation.validation import flaw

SPLIT = (
    "Wer eine Parzelle nutzt, hat sie bis zum 15. März umzugraben, es sei denn, der Boden ist nach § 3 Nr. 4 gefroren.",
    "Wer eine Parzelle nutzt, hat die Wege 80 Zentimeter breit freizuhalten, es sei denn, der Boden ist nach § 3 Nummer 4 gefroren.",
    "Bäume dürfen ohne Zustimmung des Gartenvorstands nicht gefällt werden.",
)


def _flaw(propositions: tuple[str, ...], unit: str = DUTIES) -> str:
    return flaw(PropositionsRequest(unit), propositions) or ""


def test_good_propositions_pass_in_other_spellings_too() -> None:
    assert _flaw(SPLIT) == ""
    assert (
        _flaw(("Die Frist beträgt zwei Wochen, und zwar nach § 5 Absatz 1.",), "Nach § 5 Abs. 1 beträgt die Frist 2 Wochen.")
        == ""
    )
    assert _flaw(("Der Betrag ist 1.500 Euro.",), "Der Betrag: 1 500 Euro.") == ""


def test_a_citation_may_be_completed_but_not_coarsened() -> None:
    assert _flaw(("Dies gilt nach § 5 Absatz 2 Satz 5.",), "Dies gilt nach Absatz 2 Satz 5.") == ""
    assert "citations lost" in _flaw(("Dies gilt nach § 5 Absatz 5 und Satz 2.",), "Dies gilt nach § 5 Absatz 2 Satz 5.")


@pytest.mark.parametrize(
    ("propositions", "reason"),
    [
        ((), "no propositions"),
        (("", *SPLIT), "empty"),
        ((" – ", *SPLIT), "empty"),
        (SPLIT[:1] + SPLIT[2:], "numbers lost: 80"),
        ((SPLIT[0].replace("15.", "16."), *SPLIT[1:]), "numbers lost: 15"),
        ((SPLIT[0].replace("§ 3 Nr. 4", "§ 4 Nr. 3"), SPLIT[1].replace("§ 3 Nummer 4", "§ 4 Nr. 3"), SPLIT[2]), "citations lost"),
        ((*SPLIT[:2], "Bäume dürfen mit Zustimmung des Gartenvorstands gefällt werden."), "negation"),
        ((*SPLIT, "Die Frist beträgt 30 Tage."), "numbers that the text does not have: 30"),
        ((*SPLIT, "Error: rate limit exceeded"), "not an answer"),
        (("Eine\nzweite Zeile.", *SPLIT), "several lines"),
        (("Wort" * 2000, *SPLIT), "characters"),
    ],
)
def test_flawed_propositions_are_told(propositions: tuple[str, ...], reason: str) -> None:
    assert reason in _flaw(propositions)


def test_labels_of_a_list_are_no_numbers_to_keep() -> None:
    unit = "Der Antrag nennt 1. den Namen, 2. die 3 Zeugen und 3. den Tag."
    assert numbers(unit) == {"3"}
    whole = ("Der Antrag nennt den Namen.", "Der Antrag nennt die drei Zeugen.", "Der Antrag nennt den Tag.")
    assert _flaw(whole, unit) == ""


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ("", "empty"),
        ("Gartenrecht", "one word"),
        ("Dies gilt nicht für Obstbäume", "copy"),
        ("gilt nicht für", "copy"),
        ("Gartenrecht: " + "sehr" * 100, "characters"),
        ("Ausnahme von § 99 des Gartengesetzes", "99"),
        ("Tut mir leid, das kann ich nicht.", "not an answer"),
        ("Internal Server Error", "not an answer"),
        ("litellm.RateLimitError: too much", None),
        ("HTTP 503 upstream", "not an answer"),
        (7, "empty"),
        (None, "empty"),
    ],
)
def test_flawed_contexts_are_told(value: object, reason: str | None) -> None:
    found = flaw(context(), value)
    assert found is None if reason is None else reason in (found or "")


def test_a_good_context_passes() -> None:
    assert (
        flaw(context(), "Gartenparzellen: Ausnahme von der Pflicht, vor dem Fällen zwei Wochen vorher zu fragen (§ 12 NGG).")
        is None
    )


def test_a_context_may_hold_a_short_unit_but_not_a_long_one() -> None:
    short = ContextRequest("§ 1 NGG", (), "Kosten", "Kosten trägt der Verein.", "Kosten")
    assert flaw(short, "Wer die Kosten des Gartens trägt") is None
    assert "copy" in (flaw(context(DUTIES), f"Gartenrecht: {DUTIES}") or "")


@pytest.mark.parametrize("value", [1, 0, -3, 6, True, 2.0, "3", None])
def test_a_boundary_out_of_range_or_without_progress_is_told(value: object) -> None:
    assert flaw(boundary(4), value)


@pytest.mark.parametrize("value", [2, 3, 4, 5])
def test_a_boundary_within_the_run_or_just_after_it_passes(value: int) -> None:
    assert flaw(boundary(4), value) is None


def test_flawed_summaries_are_told() -> None:
    assert flaw(summary(), "Pflege der Parzelle und Abdeckung des Brunnens, spätestens am 15. März.") is None
    assert "empty" in (flaw(summary(), " ") or "")
    assert "characters" in (flaw(summary(), "viel" * 400) or "")
    assert "half a character" in (flaw(summary(), "Beete \ud83c pflegen") or "")
    assert flaw(summary(), "Beete \U0001f331 pflegen") is None
    assert "2024" in (flaw(summary(), "Stand 2024: Gärten") or "")


def test_numbers_in_words_and_figures_are_one() -> None:
    assert numbers("zwei, 2 500, 1.000, fünfundzwanzig, 7,5, ein Viertel") == {"2", "2500", "1000", "25", "7,5", "1/4"}
    assert [numeral(word) for word in ("ein", "eines", "Hund", "und", "tausend", "dreihundertvierzigtausendsechs", "zweier")] == [
        None,
        None,
        None,
        None,
        1000,
        340_006,
        2,
    ]


def test_citations_and_negations_are_counted_by_their_meaning() -> None:
    assert citations("§ 5 Absatz 1 Satz 2") == citations("§ 5 Abs. 1 Satz 2")
    assert citations("§ 5 Absatz 1") != citations("§ 15 Absatz 1")
    assert negations("Ohne Antrag wird keine Frist gesetzt; dies gilt nicht, es sei denn …") == 4
    assert negations("Kenntnis und Vernichtung") == 0


@given(st.sampled_from(EVERY))
def test_every_fallback_satisfies_the_rules(request: Request[object]) -> None:
    assert flaw(request, fallback(request)) is None


@given(st.lists(st.text(min_size=1, max_size=400), min_size=1, max_size=40))
def test_the_fallback_of_a_summary_is_bounded(texts: list[str]) -> None:
    assert len(fallback(SummaryRequest(tuple(texts)))) <= 1200


@given(st.text(max_size=200), st.integers(3, 50))
def test_a_shortened_text_has_no_more_than_asked(text: str, longest: int) -> None:
    short = shortened(text, longest)
    assert len(short) <= longest
    assert short == text or short.endswith(" …")
