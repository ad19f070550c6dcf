"""Sentences (Sätze) as lawyers cite them: deterministic rules, no model.

The counting rules of German drafting (Handbuch der Rechtsförmlichkeit, part B): counting restarts in each Absatz; an
introduction and its list are one sentence, with the words after the list that end it; text after a list that begins anew is
the next sentence; a semicolon parts half-sentences only. Where the file carries official sentence numbers (`SUP class="Rec"`),
they decide.
"""

import re
from bisect import bisect_left, bisect_right
from itertools import pairwise

from lawrag_assets.laws.content import Content, within
from lawrag_assets.laws.words import ABBREVIATIONS, STARTERS

_END = re.compile(r"[.!?][\"“”‘’»)\]]*(?: (?=[A-ZÄÖÜ§„\"“»(\[\d])|(?=[A-ZÄÖÜ][a-zäöü]{2}))")
_TOKEN = re.compile(r"[^\s(„\"»\[]*$")
_NUMBER = re.compile(r"\d+[a-z]?|[IVXL]+|\d+(?:\.\d+)+")
_CITED = re.compile(
    r"(?:§|Art\.?|Artikel[ns]?|Abs\.?|Absatz(?:es)?|Absätzen?|Satz(?:es)?|Sätzen?|Nrn?\.|Nummern?|Buchst\.|Buchstaben?s?|Anlagen?|"
    r"Halbsatz|Kapitels?|Abschnitts?|Titels?|Teils?|Tabelle|Ziffern?|Ziff\.|Richtlinie|Verordnung|Anhangs?|Spalten?|Unterabsatz|Klasse)"
    r"\s(?:[\da-zIVX/]+(?:,\s|\s(?:und|bis|oder|sowie)\s|\s?[-–]\s?))*$"
)
_ENUMERATOR = re.compile(r"(?:\d{1,3}[a-z]?[.)]|[a-z]{1,3}\)|[–—•-])\s")
_WORD = re.compile(r"[„\"»(\[]*([A-Za-zÄÖÜäöüß]+|§+)")
_PAIRS = (("(", ")"), ("„", "“”"))
_LONGEST_BRACKET = 5000
_CONTINUES = re.compile(r"(?:Halbsatz|Halbs|HS|Alternative|Alt|Teilsatz|Variante|Spiegelstrich|Unterabsatz)\b")
_MONTH = re.compile(r"(?:Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember)\b")


def split_sentences(content: Content, start: int, end: int) -> list[tuple[int, int, int]]:
    """The sentences of `content.text[start:end]`, one Absatz, as (number from 1, start, end); every character but spaces is in
    one.

    Official sentence numbers decide where there are any outside lists; their own numbers are kept while they rise.
    """
    marks = content.sentence_marks[
        bisect_left(content.sentence_marks, (start, 0)) : bisect_left(content.sentence_marks, (end, 0))
    ]
    if marks:
        return _numbered(content.text, start, end, marks)
    begins = [start, *_boundaries(content, start, end)]
    spans = _spans(content.text, begins, end)
    return [(number, a, b) for number, (a, b) in enumerate(spans, 1)]


def sentences_of(text: str) -> list[str]:
    """The sentences of a plain text with no structure known."""
    content = Content(text=text, blocks=[0])
    return [text[a:b] for _, a, b in split_sentences(content, 0, len(text))]


def _numbered(text: str, start: int, end: int, marks: list[tuple[int, int]]) -> list[tuple[int, int, int]]:
    begins = [at for at, _ in marks]
    numbers = [number for _, number in marks]
    if text[start : begins[0]].strip():
        if numbers[0] == 1:
            begins[0] = start
        else:
            begins.insert(0, start)
            numbers.insert(0, numbers[0] - 1)
    if any(b <= a for a, b in pairwise(numbers)):
        numbers = list(range(1, len(begins) + 1))
    spans = [(a, _trim(text, a, b)) for a, b in zip(begins, [*begins[1:], end], strict=True)]
    return [(number, a, b) for number, (a, b) in zip(numbers, spans, strict=True) if b > a]


def _spans(text: str, begins: list[int], end: int) -> list[tuple[int, int]]:
    spans = [(a, _trim(text, a, b)) for a, b in zip(begins, [*begins[1:], end], strict=True)]
    return [(a, b) for a, b in spans if b > a]


def _trim(text: str, start: int, end: int) -> int:
    while end > start and text[end - 1] == " ":
        end -= 1
    return end


def _boundaries(content: Content, start: int, end: int) -> list[int]:
    """Where a new sentence begins, in order, the first one's start excluded."""
    text = content.text
    lines = {*within(content.blocks, start + 1, end), *within(content.lines, start + 1, end)}
    found: list[int] = []
    last = start
    closes = {sign: text.rfind(sign, start, end) for _, closing in _PAIRS for sign in closing}
    candidates = {m.end(): m.start() for m in _END.finditer(text, start, end)}
    for begin in sorted(candidates.keys() | lines):
        if begin <= last or begin >= end or _inside(content.solid, begin):
            continue
        dot = candidates.get(begin)
        new_line = begin in lines
        if new_line and _ENUMERATOR.match(text, begin):
            continue
        ends = _starts_new_line(text, begin) if dot is None else _ends_sentence(text, last, dot, begin, new_line=new_line)
        if ends and not _in_brackets(text, last, begin, closes):
            found.append(begin)
            last = begin
    return found


def _inside(solid: list[tuple[int, int]], begin: int) -> bool:
    """Whether a place lies in a list or table; its first character counts, for a list belongs to the words before it."""
    if not solid:
        return False
    at = bisect_right(solid, (begin, 1 << 62)) - 1
    return at >= 0 and solid[at][0] <= begin < solid[at][1]


def _starts_new_line(text: str, begin: int) -> bool:
    """A new line with no full stop before it starts a sentence only if its first word can do nothing else."""
    before = text[max(0, begin - 2) : begin].rstrip(" ")[-1:]
    word = _WORD.match(text, begin)
    return before not in (",", ":", "") and word is not None and word[1] in STARTERS


def _ends_sentence(text: str, last: int, dot: int, begin: int, *, new_line: bool) -> bool:
    """Whether the full stop at `dot` ends a sentence, `begin` being where the next would start."""
    if text[dot] in "!?":
        return True
    token = _TOKEN.search(text, max(last, dot - 40), dot)
    before = token[0] if token else ""
    word = _WORD.match(text, begin)
    starter = word is not None and word[1] in STARTERS
    if _NUMBER.fullmatch(before):
        return _number_ends(text, last, dot, begin, before, starter=starter, new_line=new_line)
    if new_line:
        return True
    if len(before) == 1 and before.isalpha():
        return starter and _CITED.search(text, max(last, dot - 80), dot - 1) is not None
    tail = before.rsplit(".", 1)[-1].lower()
    if tail in ABBREVIATIONS or ("." in before and len(tail) == 1):
        return starter and tail in ("usw", "etc", "ff")
    return True


def _number_ends(text: str, last: int, dot: int, begin: int, number: str, *, starter: bool, new_line: bool) -> bool:
    """A number before a full stop is an ordinal ("18. Lebensjahr", "1. Januar") or ends a sentence ("… Absatz 2. Der …")."""
    at = dot - len(number)
    if at <= last or _MONTH.match(text, begin) or _CONTINUES.match(text, begin):
        return False
    if _CITED.search(text, max(last, at - 80), at):
        return True
    if starter or new_line:
        return not _is_line_number(text, at)
    return len(number) == 4 and number.isdecimal()


def _is_line_number(text: str, at: int) -> bool:
    """Whether the number begins after a full stop or colon: an enumerator then, not the end of anything."""
    return text[max(0, at - 2) : at].rstrip(" ")[-1:] in (".", ":", ";")


def _in_brackets(text: str, last: int, begin: int, closes: dict[str, int]) -> bool:
    """Whether a bracket or quotation opened in this sentence is still open at `begin`, and closes later in the Absatz.

    `closes`: where each kind of closing sign occurs last. What opened further back than `_LONGEST_BRACKET` is taken for a slip.
    """
    since = max(last, begin - _LONGEST_BRACKET)
    for opening, closing in _PAIRS:
        opened = text.rfind(opening, since, begin)
        if opened < 0:
            continue
        if max(text.rfind(c, opened, begin) for c in closing) < 0 and max(closes[c] for c in closing) >= begin:
            return True
    return False
