"""The generator without a model: it obeys the rules on any text, says the same every time, and splits as a lawyer would."""

import pytest
from generation.requests_made import EVERY, context
from hypothesis import given
from hypothesis import strategies as st

from lawrag_assets.errors import InputError
from lawrag_assets.generation.clauses import propositions
from lawrag_assets.generation.enumeration import list_items, without_labels
from lawrag_assets.generation.extractive import ExtractiveGenerator, boundary, summary
from lawrag_assets.generation.extractive import context as context_of
from lawrag_assets.generation.factory import open_generator
from lawrag_assets.generation.litellm_generator import LiteLLMGenerator
from lawrag_assets.generation.protocol import (
    BoundaryRequest,
    ContextRequest,
    PropositionsRequest,
    Request,
    ShownUnit,
    SummaryRequest,
    Task,
)
from lawrag_assets.generation.validation import flaw

CASES = [
    (
        "Durch den Pachtvertrag wird der Verein verpflichtet, dem Nutzer die Parzelle zu überlassen und das Wasser zu liefern.",
        [
            "Durch den Pachtvertrag wird der Verein verpflichtet, dem Nutzer die Parzelle zu überlassen.",
            "Durch den Pachtvertrag wird der Verein verpflichtet, das Wasser zu liefern.",
        ],
    ),
    (
        "Der Nutzer hat die Beete umzugraben und die Wege freizuhalten, wenn kein Frost herrscht.",
        [
            "Der Nutzer hat die Beete umzugraben, wenn kein Frost herrscht.",
            "Der Nutzer hat die Wege freizuhalten, wenn kein Frost herrscht.",
        ],
    ),
    (
        "Der Antrag muss enthalten: 1. den Namen, 2. das Geburtsdatum nach § 4 Absatz 1 Satz 2 und 3. die Lage der Parzelle.",
        [
            "Der Antrag muss enthalten: den Namen.",
            "Der Antrag muss enthalten: das Geburtsdatum nach § 4 Absatz 1 Satz 2.",
            "Der Antrag muss enthalten: die Lage der Parzelle.",
        ],
    ),
    (
        "Ist 1. der Weg gesperrt oder 2. der Brunnen trocken, so ist der Vorstand zu hören.",
        [
            "Ist der Weg gesperrt, so ist der Vorstand zu hören.",
            "Ist der Brunnen trocken, so ist der Vorstand zu hören.",
        ],
    ),
    (
        "Verboten sind: 1. Bäume a) über 4 Meter und b) mit Dornen sowie 2. Hecken. Dies gilt nicht für Obst.",
        [
            "Verboten sind: Bäume über 4 Meter.",
            "Verboten sind: Bäume mit Dornen.",
            "Verboten sind: Hecken.",
            "Dies gilt nicht für Obst.",
        ],
    ),
    (
        "Kindern dürfen nicht gegeben werden 1. Sägen und 2. Scheren, die a) spitz oder b) scharf sind, es sei denn, ein Erwachsener "
        "ist dabei.",
        [
            "Kindern dürfen nicht gegeben werden Sägen, es sei denn, ein Erwachsener ist dabei.",
            "Kindern dürfen nicht gegeben werden Scheren, die spitz, es sei denn, ein Erwachsener ist dabei.",
            "Kindern dürfen nicht gegeben werden Scheren, die scharf sind, es sei denn, ein Erwachsener ist dabei.",
        ],
    ),
    (
        "Der Vorstand beruft die Versammlung ein; der Schriftführer verfasst die Niederschrift.",
        ["Der Vorstand beruft die Versammlung ein.", "Der Schriftführer verfasst die Niederschrift."],
    ),
]
WHOLE = [
    "Der Verein haftet für Frostschäden; dies gilt nicht für Obstbäume.",
    "Die Überlassung setzt voraus, dass der Nutzer 1. Mitglied ist, 2. den Beitrag zahlt und 3. in der Gemeinde wohnt.",
    "Der Verein hört ihn, wenn dies nötig ist, weil 1. er fehlt und 2. kein Vertreter bestellt ist.",
    "Die Frist endet am 1. Mai, spätestens am 2. Juni.",
    "Der Nutzer ist berechtigt, den Brunnen zu nutzen oder Wasser zu kaufen.",
    "Die Parzelle ist sauber zu halten.",
]


@pytest.mark.parametrize(("unit", "statements"), CASES)
def test_lists_duties_and_half_sentences_are_split(unit: str, statements: list[str]) -> None:
    assert list(propositions(unit)) == statements


@pytest.mark.parametrize("unit", WHOLE)
def test_what_belongs_together_stays_together(unit: str) -> None:
    assert propositions(unit) == (unit,)


WORDS = """
1. 2. 3. 4. a) b) c) und oder sowie , ; : . nicht kein ohne § 5 Absatz 1 Satz 2 Nummer 3 der die Der Wer hat verpflichtet, zu geben
freizuhalten wenn Wenn so ist zwei 14 1 000 Juli am Frist Weg Brunnen es sei denn (1) [Formel] – „ “
"""
LEGAL = st.lists(st.sampled_from(WORDS.split()), min_size=1, max_size=60).map(" ".join)
TEXTS = st.one_of(LEGAL, st.text(min_size=1, max_size=200))


@given(TEXTS)
def test_propositions_of_any_text_obey_the_rules_and_add_no_word(unit: str) -> None:
    parts = propositions(unit)
    assert flaw(PropositionsRequest(unit), parts) is None
    words = {word.strip(".") for word in unit.lower().split()}
    assert all(word.strip(".") in words for part in parts for word in part.lower().split()) or parts == (unit,)
    assert propositions(unit) == parts


@given(TEXTS)
def test_labels_taken_out_once_are_out(text: str) -> None:
    items = list_items(text)
    assert all(item.label < item.start <= item.end for item in items)
    assert len(items) != 1
    assert len(without_labels(text)) <= len(text)


@given(st.lists(TEXTS, max_size=3), TEXTS, TEXTS)
def test_a_context_names_the_place_and_is_bounded(hierarchy: list[str], heading: str, unit: str) -> None:
    request = ContextRequest("§ 12 Abs. 2 NGG", tuple(hierarchy), heading, f"(1) {unit} Anderes gilt.", unit)
    text = context_of(request)
    assert text.startswith("§ 12 Abs. 2 NGG")
    assert len(text) <= 400
    assert context_of(request) == text


def test_a_context_has_headings_and_the_sections_opening() -> None:
    text = context_of(context())
    assert flaw(context(), text) is None
    assert text.startswith(
        "§ 12 Abs. 2 Satz 2 NGG: Teil 2 Parzellen › Abschnitt 1 Nutzung › Pflege der Parzelle. Wer eine Parzelle"
    )


def test_a_unit_that_is_the_sections_opening_is_not_repeated() -> None:
    request = ContextRequest("§ 1 NGG", ("Teil 1",), "Zweck", "Gärten dienen der Erholung aller Einwohner der Stadt.", "")
    opening = ContextRequest(request.citation, request.hierarchy, request.heading, request.section, request.section)
    assert context_of(opening) == "§ 1 NGG: Teil 1 › Zweck"


def test_the_boundary_lies_where_the_words_change() -> None:
    gardens = [
        "Die Beete sind im März umzugraben.",
        "Das Umgraben der Beete obliegt dem Nutzer.",
        "Beete dürfen umgegraben werden.",
    ]
    wells = [
        "Der Brunnen ist im Winter abzudecken.",
        "Die Abdeckung des Brunnens prüft der Vorstand.",
        "Der Brunnen ist zu reinigen.",
    ]
    assert boundary(gardens + wells) == 4
    assert boundary(wells[:2] + gardens) == 3


def test_equal_texts_have_no_boundary() -> None:
    assert boundary(["(weggefallen)"] * 5) == 6
    assert boundary(["", ""]) == 3


@given(st.lists(TEXTS, min_size=2, max_size=12))
def test_a_boundary_is_always_within_the_run(texts: list[str]) -> None:
    request = BoundaryRequest(tuple(ShownUnit("§ 1 NGG", text) for text in texts))
    assert flaw(request, boundary(texts)) is None


@given(st.lists(TEXTS, min_size=1, max_size=12))
def test_a_summary_is_bounded_and_made_of_the_texts(texts: list[str]) -> None:
    text = summary(texts)
    assert len(text) <= 600
    assert text == summary(texts)
    assert any(text.startswith(member[:20]) for member in texts)


def test_a_summary_takes_the_texts_that_are_most_like_all() -> None:
    texts = ["Der Brunnen ist abzudecken.", "Die Abdeckung des Brunnens ist zu prüfen.", "Fledermäuse jagen nachts. " * 25]
    assert "Fledermäuse" not in summary(texts)
    assert summary(texts[:1] * 3) == texts[0]


def test_the_generator_answers_every_task_by_itself() -> None:
    generator = ExtractiveGenerator()
    for request in EVERY:
        seen: dict[int, object] = {}
        answer = generator.generate([request, request], seen.update)[1]
        assert flaw(request, answer.value) is None
        assert (answer.fallback, answer.usage.calls, answer.usage.cost) == (None, 0, 0.0)
        assert seen[1] == answer


def test_the_name_says_that_there_is_no_model() -> None:
    generator = open_generator("extractive")
    assert (generator.name, generator.origin(Task.CONTEXT).model) == ("extractive", "extractive")
    assert isinstance(open_generator("openai/gpt-5-mini"), LiteLLMGenerator)
    with pytest.raises(InputError, match="extractive"):
        open_generator(" ")


def test_a_run_of_one_unit_and_a_summary_of_nothing_are_no_requests() -> None:
    with pytest.raises(ValueError, match="two units"):
        BoundaryRequest((ShownUnit("§ 1 NGG", "Text."),))
    with pytest.raises(ValueError, match="one text"):
        SummaryRequest(())


def test_an_answer_depends_on_its_request_alone() -> None:
    requests: list[Request[tuple[str, ...]]] = [PropositionsRequest(unit) for unit in [*WHOLE, *(case[0] for case in CASES)]]
    together = [answer.value for answer in ExtractiveGenerator().generate(requests)]
    alone = [ExtractiveGenerator().generate([request])[0].value for request in requests]
    assert together == alone
