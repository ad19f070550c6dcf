"""Numbers as texts state them, in digits or in words of either language, so that "elf Stunden" and "11 hours" can be compared."""

import re

_GERMAN = """null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn
neunzehn"""
_ENGLISH = """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
nineteen"""
_GERMAN_TENS = "zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig"
_ENGLISH_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_UNITS = ("ein", *_GERMAN.split()[2:10])

_WORDS: dict[str, int] = {
    **{word: value for words in (_GERMAN, _ENGLISH) for value, word in enumerate(words.split()) if value > 1},
    **{word: 10 * value for words in (_GERMAN_TENS, _ENGLISH_TENS) for value, word in enumerate(words.split(), 2)},
    **{f"{unit}und{ten}": 10 * t + u for t, ten in enumerate(_GERMAN_TENS.split(), 2) for u, unit in enumerate(_UNITS, 1)},
    **{
        f"{ten}-{unit}": 10 * t + u
        for t, ten in enumerate(_ENGLISH_TENS.split(), 2)
        for u, unit in enumerate(_ENGLISH.split()[1:10], 1)
    },
    **dict.fromkeys(("hundert", "einhundert", "hundred"), 100),
    **dict.fromkeys(("tausend", "eintausend", "thousand"), 1000),
}
"""Without "ein" and "one", which are mostly articles."""
_NUMBER = re.compile(r"(?<![\w.,])\d{1,3}(?:[. \u202f\u00a0]\d{3})+(?!\w)|(?<!\w)\d+(?:[.,]\d+)?(?!\w)|[^\W\d_]+(?:-[^\W\d_]+)?")


def numbers_in(text: str) -> frozenset[str]:
    """The numbers that a text states, in digits without separators of thousands; "1.500", "1,500" and "1500" are one."""
    found = set()
    for token in _NUMBER.findall(text.replace("ss", "ß") if "dreissig" in text else text):
        if token[0].isdigit():
            found.add(re.sub(r"(?<=\d)[., \u202f\u00a0](?=\d{3}(?:\D|$))", "", token).replace(",", "."))
        elif (value := _WORDS.get(token.casefold())) is not None:
            found.add(str(value))
    return frozenset(found)
