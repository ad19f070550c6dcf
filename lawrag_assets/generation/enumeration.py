"""Lists in running text: "… muss 1. den Namen, 2. die Anschrift und 3. das Datum enthalten" (numbers, or letters with a bracket).

The running text of a unit no longer shows where a list item began; the rule here finds it by its counting. What a list means belongs
to `clauses`, what it must keep to `validation`.
"""

import re
from dataclasses import dataclass

_LOOK_BACK = 20
_NUMBER = re.compile(r"(?:(?<=\s)|^)(?P<label>\d{1,3})(?P<letter>[a-z]?)\.\s(?=\S)")
_LETTER = re.compile(r"(?:(?<=\s)|^)(?P<label>[a-z])\)\s(?=\S)")
_DATE_OR_ORDINAL = re.compile(
    r"(?:Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember|Lebensjahr|Tag|Monat|Woche|Jahr|Halbsatz"
    r"|Alternative|Teil|Abschnitt|Titel|Kapitel|Buch|Rang|Grad|Ordnung|Klasse|Mal)"
)
_ITEM_ENDS = re.compile(r"(?:[,;.:)]|\b(?:und|oder|sowie|beziehungsweise|bzw\.|–))\s*$")
_CITES = re.compile(
    r"(?:§§?|\b(?:Art\.?|Artikel[ns]?|Abs\.?|Absatz(?:es)?|Satz(?:es)?|Nr\.?|Nummern?|Buchst\.?|Buchstaben?"
    r"|am|vom|zum|bis|seit|ab))\s*$"
)


@dataclass(frozen=True)
class Item:
    """A list item: where its label begins, where its own text begins and where it ends (offsets, end exclusive)."""

    label: int
    start: int
    end: int


def list_items(text: str) -> list[Item]:
    """The items of the outermost list in a text, at least two, counted from 1 or a; empty where there is none.

    The last item runs to the end of the text, closing words included.
    """
    chains = [chain for pattern in (_NUMBER, _LETTER) if len(chain := _chain(text, pattern)) > 1]
    if not chains:
        return []
    starts = min(chains, key=lambda chain: chain[0][0])
    ends = [label for label, _ in starts[1:]] + [len(text)]
    return [Item(label, start, end) for (label, start), end in zip(starts, ends, strict=True)]


def without_labels(text: str) -> str:
    """The text with the labels of its lists, inner ones too, taken out."""
    for pattern in (_NUMBER, _LETTER):
        labels = _labels(text, pattern)
        for label, start in reversed(labels):
            text = text[:label] + text[start:]
    return text


def _labels(text: str, pattern: re.Pattern[str]) -> list[tuple[int, int]]:
    """All labels of a kind: of every list, for inner lists count anew in each item."""
    found, at = [], 0
    while len(chain := _chain(text, pattern, at)) > 1:
        found += chain
        at = chain[-1][1]
    return found


def _chain(text: str, pattern: re.Pattern[str], at: int = 0) -> list[tuple[int, int]]:
    """The first run of labels from `at` that counts up from 1 or a: (offset of the label, offset of the text behind it)."""
    chain: list[tuple[int, int]] = []
    count = 0
    for match in pattern.finditer(text, at):
        if _is_ordinal(text, match):
            continue
        label = match["label"]
        number = int(label) if label.isdigit() else ord(label) - ord("a") + 1
        inserted = bool(match.groupdict().get("letter"))  # 2a. between 2. and 3.
        if number == 1 and not inserted:
            if len(chain) > 1:  # another list
                break
            chain, count = [match.span()], 1
        elif (
            chain
            and number == count + (not inserted)
            and _ITEM_ENDS.search(text, max(0, match.start() - _LOOK_BACK), match.start())
        ):
            chain.append(match.span())
            count = number
    return chain


def _is_ordinal(text: str, match: re.Match[str]) -> bool:
    """Whether a number with a full stop is a date, an ordinal or the end of a citation instead of a label."""
    if _DATE_OR_ORDINAL.match(text, match.end()):
        return True
    return _CITES.search(text, max(0, match.start() - _LOOK_BACK), match.start()) is not None
