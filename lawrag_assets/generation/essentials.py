"""What of a statutory text must survive any rewording, and can be counted: numbers, citations, negations.

Each reader gives one normal form for the spellings that mean the same ("1 000" and "1.000", "zwei" and "2", "§ 5 Abs. 1" and "§ 5
Absatz 1"). What is done with them belongs to `validation`.
"""

import re

from lawrag_assets.generation.enumeration import without_labels
from lawrag_assets.laws.reference_grammar import Path, find

_SEPARATOR = r"[ .\u00a0\u202f]"
_DIGITS = re.compile(rf"\d{{1,3}}(?:{_SEPARATOR}\d{{3}})+(?!\d)(?:,\d+)?|\d+(?:,\d+)?")
_WORD = re.compile(r"[A-Za-zÄÖÜäöüß]+")
_ARTICLE = re.compile(r"ein(?:e[mnrs]?|s)?")
_CASE = re.compile(r"e[mnrs]?$")
_ONES = ["", "ein", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun"]
_TEENS = ["zehn", "elf", "zwölf", "dreizehn", "vierzehn", "fünfzehn", "sechzehn", "siebzehn", "achtzehn", "neunzehn"]
_TENS = ["zwanzig", "dreißig", "vierzig", "fünfzig", "sechzig", "siebzig", "achtzig", "neunzig"]
_BELOW_100 = {
    **{word: value for value, word in enumerate(_ONES)},
    **{word: value for value, word in enumerate(_TEENS, 10)},
    **{f"{one}und{ten}" if one else ten: 10 * t + o for t, ten in enumerate(_TENS, 2) for o, one in enumerate(_ONES)},
}
_FRACTIONS = {
    "hälfte": "1/2",
    "hälften": "1/2",
    "drittel": "1/3",
    "dritteln": "1/3",
    "viertel": "1/4",
    "vierteln": "1/4",
    "fünftel": "1/5",
    "sechstel": "1/6",
    "achtel": "1/8",
    "zehntel": "1/10",
}
_NEGATION = re.compile(
    r"\b(?:nicht|nichts|nichtig\w*|kein\w*|ohne|weder|niemand\w*|nie|niemals|es sei denn|ausgenommen|ausgeschlossen|unzulässig|außer)\b",
    re.IGNORECASE,
)


def digits(text: str) -> set[str]:
    """The numbers written in figures, citations' and labels' included, without separators of thousands."""
    return {re.sub(_SEPARATOR, "", match[0]) for match in _DIGITS.finditer(text)}


def numbers(text: str) -> set[str]:
    """The numbers in figures and in words ("zwei", "fünfundzwanzig", "Drittel"), labels of lists left out."""
    plain = without_labels(text)
    words = _WORD.findall(plain)
    cardinals = {str(value) for word in words if (value := numeral(word)) is not None}
    return digits(plain) | cardinals | {_FRACTIONS[word.lower()] for word in words if word.lower() in _FRACTIONS}


def numeral(word: str) -> int | None:
    """The value of a German cardinal number from 2 to 999,999; None for any other word (the article "ein" is no number)."""
    word = word.lower()
    if _ARTICLE.fullmatch(word):
        return None
    value = _value(word)
    return _value(_CASE.sub("", word)) if value is None else value


def _value(word: str) -> int | None:
    before, thousand, after = word.partition("tausend")
    if not thousand:
        return _below_1000(word) or None
    thousands, rest = _below_1000(before), _below_1000(after.removeprefix("und"))
    return None if thousands is None or rest is None else 1000 * (thousands or 1) + rest


def _below_1000(word: str) -> int | None:
    before, hundred, after = word.partition("hundert")
    if not hundred:
        return _BELOW_100.get(word)
    hundreds, rest = _BELOW_100.get(before), _BELOW_100.get(after.removeprefix("und"))
    return None if hundreds is None or rest is None else 100 * (hundreds or 1) + rest


def citations(text: str) -> set[tuple[Path, str | None]]:
    """The places cited, each from its coarsest step to its finest, and the law if one is named; both ends of a range."""
    found = find(without_labels(text))
    return {(path, one.law) for one in found for place in one.places for path in place if path is not None}


def negations(text: str) -> int:
    """How many words deny or except: "nicht", "kein", "ohne", "es sei denn" and their like."""
    return len(_NEGATION.findall(text))
