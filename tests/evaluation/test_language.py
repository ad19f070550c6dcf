"""Guessing a question's language."""

import pytest

from lawrag_assets.evaluation.language import guess_language
from lawrag_assets.evaluation.questions import read_questions
from lawrag_assets.sample import questions_path


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Darf ich das Gerät länger behalten, wenn ich krank bin?", "de"),
        ("May I keep the drill longer if I am ill?", "en"),
        ("Kündigungsfrist Wohnung?", None),
        ("12 345 …", None),
        ("Mein landlord says the Kaution ist not due", None),
    ],
)
def test_a_language_is_guessed_or_left_open(text: str, language: str | None) -> None:
    assert guess_language(text) == language


def test_no_question_of_the_sample_is_taken_for_the_other_language() -> None:
    questions = read_questions(questions_path())
    guesses = [guess_language(question) for question in questions["question"]]
    assert all(guess in (lang, None) for guess, lang in zip(guesses, questions["lang"], strict=True))
    assert guesses.count(None) < 5
