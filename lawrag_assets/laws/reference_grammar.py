"""The grammar of references in statutory prose: where one is, and which places it lists.

"§§ 439, 440 Abs. 1 Satz 2 Nr. 3", "Absatz 2 Satz 1", "Artikel 246a § 1 des Einführungsgesetzes zum Bürgerlichen Gesetzbuche".
The form is that of the drafting handbook (Handbuch der Rechtsförmlichkeit, part B): a level's word, its number, finer levels
after it; lists go on with bare numbers. What a relative place means, and whether it exists, is `references`' concern.
"""

import re
from collections.abc import Collection
from dataclasses import dataclass, field

from lawrag_assets.laws.law_names import abbreviation, nominative

Step = tuple[str, str]
"""A level and its number: ("§", "433"), ("Art", "1"), ("Anlage", "2"), ("Abs.", "1"), ("Satz", "2"), ("Nr.", "3"), ("Buchst.",
"a")…"""

Path = tuple[Step, ...]
"""A place from the coarsest step named to the finest."""

_LEVELS = {
    "par": "§",
    "art": "Art",
    "anlage": "Anlage",
    "anhang": "Anhang",
    "abs": "Abs.",
    "uabs": "UAbs.",
    "satz": "Satz",
    "nr": "Nr.",
    "buchst": "Buchst.",
    "dbuchst": "Doppelbuchst.",
    "halbsatz": "Halbsatz",
}
_END = r"(?![\wäöüß%])"
_SECTION_NUMBER = r"\d+(?:\.\d+)*(?:(?!ff\b)[a-z]{1,2})?(?:(?=ff\b)|" + _END + ")"
_NUMBERS = {
    "§": _SECTION_NUMBER,
    "Art": r"(?:\d+[a-z]{0,2}|[IVXL]+)" + _END,
    "Anlage": r"(?:\d+[a-z]{0,2}|[IVXL]+)" + _END,
    "Anhang": r"(?:\d+[a-z]{0,2}|[IVXL]+)" + _END,
    "Abs.": r"\d+[a-z]{0,2}" + _END,
    "UAbs.": r"\d+" + _END,
    "Satz": r"\d+" + _END,
    "Nr.": r"(?:\d+(?:\.\d+)*[a-z]{0,2}|[IVX]+)(?![\wäöüß%/])",
    "Buchst.": r"[a-z]{1,2}" + _END,
    "Doppelbuchst.": r"[a-z]{2,3}" + _END,
    "Halbsatz": r"\d" + _END,
}
_AFTER_WORD = {level: re.compile(rf"\s?({number})") for level, number in _NUMBERS.items()}
_AFTER_JOINT = {level: re.compile(f"({number})") for level, number in _NUMBERS.items()}
_ITEM = re.compile(r"[.)]\s[a-zäöü]")
_KEYWORD = re.compile(
    r"(?P<par>§§?)|(?P<art>Art(?:ikel[ns]?|\.))|(?P<anlage>Anlagen?)|(?P<anhang>Anh(?:ang(?:e?s)?|ängen?))"
    r"|(?P<uabs>Unterabs(?:atz(?:es)?|ätzen?|\.)|UAbs\.)|(?P<abs>Abs(?:atz(?:es)?|ätzen?|\.))|(?P<satz>Satz(?:es)?|Sätzen?|S\.)"
    r"|(?P<nr>Nummern?|Nrn?\.|Ziffern?|Ziff\.)|(?P<dbuchst>Doppelbuchstaben?|Doppelbuchst\.)|(?P<buchst>Buchstaben?s?|Buchst\.|lit\.)"
    r"|(?P<halbsatz>Halbsatz(?:es)?|Halbs\.|HS)"
)
_HEAD = re.compile(  # every alternative begins with a letter of its own, which lets the engine skip ahead; hence \b after it
    r"§§?\s?\d|A(?<!\wA)(?:rt(?:ikel[ns]?|\.)\s(?:\d|[IVXL]+\b)|bs(?:atz(?:es)?|ätzen?|\.)\s\d|n(?:lagen?|hang(?:e?s)?)\s(?:\d|[IVX]+\b))"
    r"|S(?<!\wS)(?:atz(?:es)?|ätzen?)\s\d|N(?<!\wN)(?:ummern?\s(?:\d|[IVX]+\b)|rn?\.\s\d)"
)
_JOINT = re.compile(
    r"\s?(?:,\s(?:auch\s|jeweils\s)?in\sVerbindung\smit|(?:\s?auch)?\s?in\sVerbindung\smit|i\.\s?V\.\s?m\.|,\s?(?:und|oder|sowie|auch|jeweils)"
    r"|,|und|oder|sowie|bis|bzw\.|beziehungsweise|/|–|-|und\s/\soder)\s?(?P<article>(?:de[nmrs]|die|das)\s)?"
)
_ORDINAL_PART = re.compile(
    r",?\s(?:(?:\d\.|(?:erste|zweite|dritte|letzte)[rn]?)\s(?:Halbsatz(?:es)?|Halbs\.|HS|Alternative|Alt\.|Teilsatz|Fall(?:es)?|Variante)"
    r"|(?:Halbsatz|Halbs\.|HS|Alternative|Alt\.|Teilsatz|Fall|Variante)\s\d)\b"
)
_UNIT = re.compile(
    r"\s(?:Monat|Woche|Tag|Jahr|Stunde|Minute|Prozent|Euro|Cent|vom\sHundert|v\.\s?H\.|Person|Deutsche|Meter|Kilo|Gramm|Gliedern?\b|DM\b|EUR\b"
    r"|Einwohner|Arbeitnehmer|Mitglied|Million|Milliarde|Januar|Februar|März|April|Mai\b|Juni|Juli|August|September|Oktober|November|Dezember)"
)
_FOLLOWING = re.compile(r"\sff?\.?(?=[\s,.;)])|(?<=\d)ff\.?(?=[\s,;)])")
_REVERSED = re.compile(
    r"\s(?:des|der)\s(?=Absatzes\s\d|Abs\.\s\d|§\s?\d|Artikels\s\d|Satzes\s\d|Anlage\s(?:\d|[IVX])|Nummer\s\d|Anhangs\s(?:\d|[IVX]))"
)

_ABBREVIATION = re.compile(
    r"\s(?:de[sr]\s)?(?!GmbH\b|EU\b|EG\b|EWG\b|DIN\b|ISO\b|KG\b|OHG\b|AG\b|DM\b|EUR\b|MW\b|BGBl|RGBl|CELEX)"
    r"((?:SGB|BGB|AO|GG)(?:\s(?:[IVX]+|\d{1,2})\b)?|[A-ZÄÖÜ][A-Za-zÄÖÜäöüß]*[A-ZÄÖÜ][A-Za-zÄÖÜäöü]*)(?![\wäöüß-])"
)
_OWN_LAW = re.compile(r"\s(?:dieses|dieser)\s(?:Gesetz(?:es|buch(?:e?s)?)|Verordnung|Ordnung|Buche?s)\b")
_NOUN = (
    r"(?:[A-ZÄÖÜ][\wäöüß-]*?)?(?:[Gg]esetzbuch(?:e?s|e)?|[Gg]esetz(?:es|s)?|[Oo]rdnung|[Ss]taatsvertrag(?:e?s)?|[Vv]ertrag(?:e?s)?"
    r"|[Üü]bereinkommens?|[Aa]bkommens?|[Ss]tatuts?|[Kk]onvention|[Rr]ichtlinie|[Cc]harta|[Pp]rotokolls?|[Vv]erfassung|[Ss]atzung|Kodex"
    r"|[a-zäöü]verfügung|Sozialgesetzbuchs?|Buche?s?\sSozialgesetzbuch(?:e?s)?|Buche?s?)(?![\wäöüß-])"
)
_NAME = r"(?P<name>(?:[A-ZÄÖÜ][\wäöüß]*(?:en|er|es)\s(?:und\s)?|[A-ZÄÖÜ][\wäöüß]*-\sund\s-?){0,4}" + _NOUN + r")"
_NAME_START = re.compile(r"\s(?:des|der|dem)\s" + _NAME)
_ANNEX_NAME_START = re.compile(r"\s(?:des|der|dem|zum|zur)\s" + _NAME)
_EU_NUMBER = re.compile(r"\s\((?:EU|EG|EWG|Euratom|EU,\sEuratom)\)\s(?:Nr\.\s)?\d+/\d+|\s(?:Nr\.\s)?\d+/\d+/(?:EU|EG|EWG)")
_GENERAL_NAME = re.compile(
    r"(?:\w+\s)*(?:(?:Einführungs|Ausführungs|Überleitungs|Zustimmungs|Durchführungs)?[Gg]esetz(?:es)?|Verordnung|Ordnung|Vertrag(?:e?s)?|Abkommens|Übereinkommens|Protokolls)"
)
_DATED = re.compile(r"\svom\s\d{1,2}\.\s[A-Z]\w+\s\d{4}")
_VERBAL_NOUN = re.compile(r"(?:ung|heit|keit|ion|nahme|schutz|recht)$")
_OF_WHAT = re.compile(r"\s(?:zum|zur|zu|über|für|gegen|betreffend)\s(?=[a-zA-ZÄÖÜ])")
_NAME_WORD = re.compile(
    r"(?:(?P<small>der|die|das|des|dem|den|und|von|vom|zur|zum|zu|in|im|über|für|auf|mit|an|bei|sowie|oder|[a-zäöüß]+(?:en|er|es|em|e))"
    r"|(?P<large>-?[A-ZÄÖÜ][\wäöüß-]*|-[a-zäöü]+))(?=[\s,.;:)]|$),?\s?"
)


@dataclass(slots=True)
class Found:
    """A reference as written: its span, the places it lists (a pair for a range "3 bis 6"), and its law.

    `law` is None for the law that the text stands in, else an abbreviation or, if that is not known, the name.
    """

    start: int
    end: int
    places: list[tuple[Path, Path | None]]
    law: str | None = None
    joined: bool = False
    own: bool = False


@dataclass(slots=True)
class _Chain:
    path: list[Step] = field(default_factory=list)
    places: list[tuple[Path, Path | None]] = field(default_factory=list)
    range_from: Path | None = None

    def close(self) -> None:
        """Note the place at which the chain stands."""
        if not self.path:
            return
        place = tuple(self.path)
        if self.range_from is not None:
            self.places.append((self.range_from, place))
            self.range_from = None
        else:
            self.places.append((place, None))


def find(text: str, items: Collection[int] = ()) -> list[Found]:
    """All references of a text in order; their spans do not overlap. No reference goes on with a number at one of `items`."""
    found: list[Found] = []
    at = 0
    while head := _HEAD.search(text, at):
        start = head.start()
        reference = _scan(text, start, items)
        if reference is None or _is_foreign_number(text, head):
            at = head.end()
            continue
        before = found[-1] if found else None
        if before is not None:
            reference.joined = _are_joined(before, reference, text[before.end : start])
        found.append(reference)
        at = reference.end
    _hand_back_laws(found)
    return found


def _are_joined(before: Found, after: Found, between: str) -> bool:
    """Whether two references share the law named behind the second: "§ 3 und § 4 des X", "Anlage 2 zu Artikel 5 des X"."""
    one, other = before.places[0][0][0][0], after.places[0][0][0][0]
    if one in ("Anlage", "Anhang"):
        return re.fullmatch(r"\szu(?:\sde[nmr])?\s", between) is not None and other in ("§", "Art")
    return one in ("§", "Art") and other in ("§", "Art") and _JOINT.fullmatch(between) is not None


def _hand_back_laws(found: list[Found]) -> None:
    """ "§ 3 Abs. 1 und § 4 des X": the law named last holds for what is joined to it."""
    for later, earlier in zip(reversed(found), list(reversed(found))[1:], strict=False):
        if later.joined and later.law is not None and earlier.law is None and not earlier.own:
            earlier.law = later.law


def _is_foreign_number(text: str, head: re.Match[str]) -> bool:
    """A number of something else: "Verordnung (EG) Nr. 44/2001", "BGBl. I Nr. 12", "Bundesanzeiger Nr. 3"."""
    if not head[0].startswith("N"):
        return False
    before = text[max(0, head.start() - 24) : head.start()]
    if head[0].startswith("Nr"):
        return (
            re.search(
                r"(?:\b(?:der|den|des|in|nach|und|oder|unter|die|von|Fall|Falle?s|Fällen|im|bis|mit|zu|auf|aus|als|jeder)|[,(;])\s?$",
                before,
            )
            is None
        )
    return re.search(r"(?:\)|BGBl\.\s[I]+|blatt|Bundesanzeiger|Teil\s[I]+|Seite\s\d+)\s$", before) is not None


def _scan(text: str, start: int, items: Collection[int]) -> Found | None:
    chain = _Chain()
    at = _keyword_and_number(text, start, chain, adjacent=True)
    if at is None:
        return None
    plural = text.startswith("§§", start)
    while True:
        if step := _keyword_and_number_after_space(text, at, chain):
            at = step
            continue
        if part := _ORDINAL_PART.match(text, at):
            at = part.end()
            continue
        if following := _FOLLOWING.match(text, at):
            at = following.end()
            continue
        joint = _JOINT.match(text, at)
        after = joint and joint.end() not in items and _continue(text, joint, chain, plural)
        if not after:
            break
        at = after
    chain.close()
    found = Found(start, at, chain.places)
    if reversed_ := _REVERSED.match(text, at):
        _turn_round(text, reversed_.end(), found)
    _name_law(text, found)
    return found


def _level(match: re.Match[str]) -> str:
    return _LEVELS[match.lastgroup or ""]


def _keyword_and_number(text: str, at: int, chain: _Chain, *, adjacent: bool) -> int | None:
    """Read "Abs. 1" at `at` into the chain; None if there is none or it belongs to another chain."""
    word = _KEYWORD.match(text, at)
    if not word:
        return None
    level = _level(word)
    number = _AFTER_WORD[level].match(text, word.end())
    if not number:
        return None
    levels = [step[0] for step in chain.path]
    if chain.path and not _may_follow(level, word[0], levels, adjacent=adjacent):
        return None
    if level in levels:
        chain.path = chain.path[: levels.index(level)]
    chain.path.append((level, number[1]))
    return number.end()


def _may_follow(level: str, word: str, levels: list[str], *, adjacent: bool) -> bool:
    """Whether a level's word goes on with the chain: a finer level right behind, or a level it has after "und"."""
    if level in ("§", "Art", "Anlage", "Anhang"):
        return adjacent and level == "§" and levels[-1] == "Art"
    if not adjacent:
        return level in levels
    return word != "S." or levels[-1] in ("Abs.", "§", "Art", "Nr.", "Satz")


def _keyword_and_number_after_space(text: str, at: int, chain: _Chain) -> int | None:
    if at >= len(text) or text[at] != " ":
        return None
    word = _KEYWORD.match(text, at + 1)
    if not word or (_level(word) in [step[0] for step in chain.path] and _level(word) != chain.path[-1][0]):
        return None
    trial = _Chain(path=list(chain.path))
    after = _keyword_and_number(text, at + 1, trial, adjacent=True)
    if after is not None and _level(word) == chain.path[-1][0] and trial.path != chain.path:
        return None  # "Absatz 2 Absatz 3" is no chain; "Abs. 2 Absatz 2" is one, a step written twice
    chain.path = trial.path
    return after


def _continue(text: str, joint: re.Match[str], chain: _Chain, plural: bool) -> int | None:
    """Go on after ",", "und", "bis": with a level's word that the chain has, or with a bare number of its last level."""
    at = joint.end()
    is_range = "bis" in joint[0] or joint[0].strip() in ("-", "–")
    saved = list(chain.path)
    word = _KEYWORD.match(text, at)
    if word:
        trial = _Chain(path=list(chain.path))
        after = _keyword_and_number(text, at, trial, adjacent=False)
        if after is None:
            return None
        _note(chain, trial.path, is_range=is_range)
        return after
    if joint["article"]:
        return None
    level = _bare_level(text, at, saved, plural)
    if level is None:
        return None
    number = _AFTER_JOINT[level].match(text, at)
    if (
        not number
        or _ITEM.match(text, number.end())
        or _UNIT.match(text, number.end())
        or (level == "Buchst." and _is_word(text, number))
    ):
        return None
    path = saved[: [step[0] for step in saved].index(level)]
    _note(chain, [*path, (level, number[1])], is_range=is_range)
    return number.end()


def _note(chain: _Chain, path: list[Step], *, is_range: bool) -> None:
    if is_range and chain.range_from is None:
        chain.range_from = tuple(chain.path)
    else:
        chain.close()
    chain.path = path


def _bare_level(text: str, at: int, path: list[Step], plural: bool) -> str | None:
    """The level that a bare number goes on with: the last one; after "§§ 3 Abs. 1," a number above 3 is a section again."""
    last = path[-1][0]
    if plural and last != "§" and path[0][0] == "§":
        number = re.match(r"(\d+)[a-z]?(?![\wäöüß/])", text[at : at + 12])
        current = re.match(r"\d+", path[0][1])
        if number and current and int(number[1]) > int(current[0]):
            return "§"
    return last


def _is_word(text: str, number: re.Match[str]) -> bool:
    """Whether a letter of a list is rather a short word ("und in", "oder er")."""
    return len(number[1]) == 2 and number[1][0] != number[1][1]


def _turn_round(text: str, at: int, found: Found) -> None:
    """ "Satz 2 des Absatzes 1", "Nummer 3 der Anlage 2": the coarser place comes behind."""
    chain = _Chain()
    after = _keyword_and_number(text, at, chain, adjacent=True)
    first = found.places[0][0][0][0]
    order = ["§", "Art", "Anlage", "Anhang", "Abs.", "UAbs.", "Satz", "Nr.", "Buchst."]
    if after is None or first in ("§", "Art", "Anlage", "Anhang"):
        return
    level = chain.path[0][0]
    if level not in order or first not in order or (order.index(level) >= order.index(first) and level != "Nr."):
        return
    while step := _keyword_and_number_after_space(text, after, chain):
        after = step
    coarse = tuple(chain.path)
    found.places = [(coarse + place, coarse + until if until else None) for place, until in found.places]
    found.end = after
    if again := _REVERSED.match(text, after):
        _turn_round(text, again.end(), found)


def _name_law(text: str, found: Found) -> None:
    """The law named right after the reference: its abbreviation or name in the genitive. Relative places have none."""
    level = found.places[0][0][0][0]
    if level not in ("§", "Art", "Anlage", "Anhang"):
        return
    if _OWN_LAW.match(text, found.end):
        found.own = True
        return
    if short := _ABBREVIATION.match(text, found.end):
        found.law, found.end = short[1], short.end()
        return
    name = (_NAME_START if level in ("§", "Art") else _ANNEX_NAME_START).match(text, found.end)
    if not name:
        return
    end = name.end()
    whole = name["name"]
    if number := _EU_NUMBER.match(text, end):
        whole, end = whole + number[0], number.end()
    elif _GENERAL_NAME.fullmatch(whole):
        whole, end = _with_subject(text, whole, end)
        if abbreviation(whole) is None and (dated := _DATED.match(text, end)):
            whole, end = whole + dated[0], dated.end()
    if re.fullmatch(r"(?:Buche?s?|Satzung|Ordnung|Vertrag(?:e?s)?)", whole):
        return
    found.law, found.end = abbreviation(whole) or nominative(whole), end


def _with_subject(text: str, name: str, end: int) -> tuple[str, int]:
    """ "Gesetzes" + " über den Versicherungsvertrag": the longest known name, else up to the first noun that nothing inflects
    further."""
    begin = _OF_WHAT.match(text, end)
    if not begin:
        return name, end
    at, shortest, known = begin.end(), None, None
    previous_large = of_noun = False
    while (word := _NAME_WORD.match(text, at)) and at - end < 200:
        at = word.end()
        if word["large"]:
            stop = word.end("large")
            candidate = name + text[end:stop]
            if abbreviation(candidate):
                known = (candidate, stop)
            inflected = previous_large and shortest is not None and shortest[0].endswith(("en", "er", "es"))
            if shortest is None or inflected or of_noun:
                shortest = (candidate, stop)
            of_noun = False
        elif previous_large and shortest is not None and word["small"] in ("der", "des"):
            of_noun = word.start() - shortest[1] <= 1 and _VERBAL_NOUN.search(shortest[0]) is not None
        previous_large = bool(word["large"])
    return known or shortest or (name, end)
