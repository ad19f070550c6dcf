"""Questions that the page offers to begin with, by law. Every set of laws gets some of its own, or none."""

from collections.abc import Sequence

from lawrag_assets.qa.model import Language

_MOST = 4
_EXAMPLES: dict[str, dict[Language, list[str]]] = {
    "sample": {
        "de": [
            "Wie lange gilt die Leihkarte?",
            "Darf der Leihladen mich ablehnen, weil ich woanders wohne?",
            "Was gilt als gefährliches Gerät?",
        ],
        "en": [
            "Do I have to return the drill clean?",
            "Until when do I have to pay if a borrowed tool breaks?",
        ],
    },
    "arbzg": {
        "de": ["Wie lange sind meine Ruhepausen?", "Wie lange darf ich am Tag arbeiten?", "Darf ich sonntags arbeiten?"],
        "en": ["How long is my break entitlement?", "How many hours may I work in a day?", "May I be asked to work on Sundays?"],
    },
    "burlg": {
        "de": ["Wie viele Urlaubstage habe ich mindestens?", "Was passiert, wenn ich im Urlaub krank werde?"],
        "en": ["How many days of leave am I entitled to?", "What happens if I fall ill while on leave?"],
    },
    "milog": {"de": ["Wann muss der Mindestlohn gezahlt werden?"], "en": ["When must the minimum wage be paid?"]},
    "entgfg": {"de": ["Wie lange bekomme ich Lohn, wenn ich krank bin?"], "en": ["How long am I paid while I am ill?"]},
    "kschg": {"de": ["Wie lange kann ich gegen eine Kündigung klagen?"], "en": ["By when must I contest a dismissal?"]},
    "bgb": {
        "de": ["Was kann ich verlangen, wenn die gekaufte Sache einen Mangel hat?", "Wann verjähren Ansprüche?"],
        "en": ["What can I claim if what I bought is defective?", "When do claims become time-barred?"],
    },
}


def examples_for(slugs: Sequence[str]) -> dict[Language, list[str]]:
    """A few questions in each language, the laws taking turns."""
    known = [_EXAMPLES[slug] for slug in slugs if slug in _EXAMPLES]
    return {"de": _in_turn([of_law["de"] for of_law in known]), "en": _in_turn([of_law["en"] for of_law in known])}


def _in_turn(lists: list[list[str]]) -> list[str]:
    longest = max(map(len, lists), default=0)
    return [questions[place] for place in range(longest) for questions in lists if place < len(questions)][:_MOST]
