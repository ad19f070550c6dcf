"""A norm's content elements as one line of running text, with the places that later rules need.

Elements as in the gii-norm DTD (`bgbltextstruct`). What an Absatz, a sentence or a status is, is decided elsewhere.
"""

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from dataclasses import dataclass, field

from lxml import etree

ABSATZ_MARKER = re.compile(r"\((\d+[a-z]{0,2})\)")

_INVISIBLE = re.compile("[\u0000-\u0008\u000e-\u001b\u007f-\u0084\u0086-\u009f\u00ad\u200b-\u200d\u2060\ufeff]")
_SPACE_LEVEL = ("", " ", " | ", " || ")
_GLUE, _SPACE, _CELL, _ROW = range(4)
_FOOTNOTE_RULE = re.compile(r"\s*[-_]{5,}\s*")
_FOOTNOTE_ITEM = re.compile(r"\*+\)?")

_BLOCKS = frozenset({"P", "LA", "DD", "Title", "Subtitle", "Content", "Revision", "pre", "Ident"})
_SKIPPED = frozenset({"FnR", "FnArea", "TOC", "AttArea", "AttR", "ABWFORMAT", "Accolade", "colspec", "spanspec"})


@dataclass(slots=True)
class Content:
    """Running text and places in it (character offsets).

    `blocks` are starts of top-level blocks (P, table, Title); `lines` are other places outside lists where a new line starts:
    after a BR or after a list. `solid` are spans of lists and tables, which no sentence ends inside; `sentence_marks` are
    (offset, number) of the official sentence numbers outside lists; `italics` are spans set in italics, the site's sign for
    text that no longer applies; `absatz_items` are starts of list items that are numbered like an Absatz.
    """

    text: str = ""
    blocks: list[int] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    solid: list[tuple[int, int]] = field(default_factory=list)
    sentence_marks: list[tuple[int, int]] = field(default_factory=list)
    italics: list[tuple[int, int]] = field(default_factory=list)
    absatz_items: list[int] = field(default_factory=list)
    items: list[int] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def read_content(element: etree._Element) -> Content:
    """Read a `Content` element (or any element of the same structure)."""
    reader = _Reader()
    reader.top(element)
    return reader.finish()


def plain_text(element: etree._Element | None) -> str:
    """An element's text alone, on one line: for headings and notes. Footnote marks and editorial remarks are left out."""
    return "" if element is None else read_content(element).text


def note_text(element: etree._Element) -> str:
    """An editorial element's whole text, remarks inside it included."""
    reader = _Reader()
    reader.in_note = True
    reader.children(element)
    return reader.finish().text


def all_italic(content: Content, start: int, end: int) -> bool:
    """Whether every letter of a span is set in italics."""
    spans = content.italics
    at = start
    for i in range(max(bisect_right(spans, (start, start)) - 1, 0), len(spans)):
        a, b = spans[i]
        if a >= end:
            break
        if re.search(r"\w", content.text[at:a]):
            return False
        at = max(at, b)
    return start < end and bool(spans) and not re.search(r"\w", content.text[at:end])


def within(places: list[int], start: int, end: int) -> list[int]:
    """Those of sorted places that lie in a span."""
    return places[bisect_left(places, start) : bisect_left(places, end)]


def _merged(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Spans in order, those that overlap made one."""
    merged: list[tuple[int, int]] = []
    for a, b in sorted(spans):
        if merged and a <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(b, merged[-1][1]))
        elif a < b:
            merged.append((a, b))
    return merged


class _Writer:
    """Collects text with single spaces; `pending` is the separator due before the next character."""

    __slots__ = ("length", "parts", "pending")

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.length = 0
        self.pending = _GLUE

    def here(self) -> int:
        """The offset at which the next character will stand."""
        return self.length + len(_SPACE_LEVEL[self.pending]) if self.length else 0

    def break_(self, level: int = _SPACE) -> None:
        self.pending = max(self.pending, level)

    def write(self, text: str) -> None:
        if not text.isascii():
            text = unicodedata.normalize("NFC", _INVISIBLE.sub("", text))
        elif "\x7f" in text:
            text = text.replace("\x7f", "")
        words = text.split()
        if not words:
            if text and self.pending < _SPACE:
                self.pending = _SPACE
            return
        if text[0].isspace() and self.pending < _SPACE:
            self.pending = _SPACE
        clean = " ".join(words)
        if self.length and self.pending:
            clean = _SPACE_LEVEL[self.pending] + clean
        elif self.parts and unicodedata.combining(clean[0]):
            last = self.parts.pop()
            self.length -= len(last)
            clean = unicodedata.normalize("NFC", last + clean)
        self.parts.append(clean)
        self.length += len(clean)
        self.pending = _SPACE if text[-1].isspace() else _GLUE


class _Reader:
    def __init__(self) -> None:
        self.content = Content()
        self.out = _Writer()
        self.depth = 0
        self.in_note = False

    def finish(self) -> Content:
        self.content.text = "".join(self.out.parts)
        self.content.italics = _merged(self.content.italics)
        return self.content

    def top(self, element: etree._Element) -> None:
        """Read the children of the outermost element, noting where each block starts."""
        if element.text:
            self.out.write(element.text)
        for child in element:
            self.out.break_()
            if child.tag != "BR":
                self.content.blocks.append(self.out.here())
            self.element(child)
            self.out.break_()
            if child.tail:
                self.out.write(child.tail)

    def children(self, element: etree._Element) -> None:
        if element.text:
            self.out.write(element.text)
        for child in element:
            self.element(child)
            tail = child.tail
            if tail:
                if (
                    child.tag == "BR"
                    and not self.in_note
                    and _FOOTNOTE_RULE.fullmatch(tail)
                    and element.tag in ("P", "LA", "small")
                ):
                    self.note_of_siblings(child)
                    return
                self.out.write(tail)

    def element(self, element: etree._Element) -> None:
        """Read one element by its kind (DTD: bgbltextstruct); what is not in `_READERS` is inline and only passes its text
        on."""
        tag = element.tag
        if tag in _BLOCKS:
            self.out.break_()
            self.children(element)
            self.out.break_()
        elif tag in _READERS:
            _READERS[tag](self, element)
        elif tag not in _SKIPPED and isinstance(tag, str):
            self.children(element)

    def italic(self, element: etree._Element) -> None:
        start = self.out.here()
        self.children(element)
        if not self.in_note:
            self.content.italics.append((start, self.out.length))

    def sign(self, element: etree._Element) -> None:
        """`F`, a sign that the font lacks: as text, or a number to be set in a circle; with neither it is a formula not
        shown."""
        if (element.text or "").strip():
            self.children(element)
            return
        match = re.fullmatch(r"(\d+)([a-z]*)", element.get("Value") or "")
        number = int(match[1]) if match else 0
        circled = chr(0x2460 + number - 1) if 1 <= number <= 20 else f"({number})"
        self.out.write(circled + match[2] if match else "[Formel]")

    def quote(self, element: etree._Element) -> None:
        self.out.write("„" if element.tag == "QuoteL" else "“")

    def line(self, _: etree._Element | None = None) -> None:
        """A new line (`BR`, the end of a list or table)."""
        self.out.break_()
        if not self.depth:
            self.content.lines.append(self.out.here())

    def placeholder(self, element: etree._Element) -> None:
        """A picture or file: its description if it has one, in brackets."""
        name = "Bild" if element.tag == "IMG" else "Datei"
        described = " ".join((element.get("alt") or "").split())
        self.out.break_()
        self.out.write(f"[{name}: {described}]" if described else f"[{name}]")
        self.out.break_()

    def superscript(self, element: etree._Element) -> None:
        """`<SUP class="Rec">2</SUP>` is the official number of the sentence that follows, never text; any other SUP is
        inline."""
        number = (element.text or "").strip()
        if element.get("class") != "Rec" or not number.isdecimal():
            self.children(element)
            return
        self.out.break_()
        if not self.depth and not self.in_note:
            self.content.sentence_marks.append((self.out.here(), int(number)))

    def definition_list(self, element: etree._Element) -> None:
        """`DL`: DT is the number, DD the item. An item numbered "*)" is a footnote; one numbered "(2d)" an Absatz, not an
        item."""
        first = element.find("DT")
        is_absatz = first is not None and not self.depth and ABSATZ_MARKER.fullmatch(_term(first)) is not None
        self.out.break_()
        start = self.out.here()
        self.depth += not is_absatz
        items = list(element)
        for i, item in enumerate(items):
            if item.tag == "DT" and self.is_footnote(item):
                following = items[i + 1] if i + 1 < len(items) else None
                self.note(item, *([] if following is None or following.tag != "DD" else [following]))
            elif item.tag == "DD" and i and items[i - 1].tag == "DT" and self.is_footnote(items[i - 1]):
                continue
            else:
                self.out.break_()
                if item.tag == "DT" and not self.in_note:
                    self.content.items.append(self.out.here())
                    if is_absatz:
                        self.content.absatz_items.append(self.out.here())
                        self.content.lines.append(self.out.here())
                self.children(item)
                self.out.break_()
        self.depth -= not is_absatz
        if not self.depth and not is_absatz and self.out.length > start:
            self.content.solid.append((start, self.out.length))
        self.line()

    def is_footnote(self, term: etree._Element) -> bool:
        return not self.in_note and _FOOTNOTE_ITEM.fullmatch(_term(term)) is not None

    def table(self, element: etree._Element) -> None:
        """`table`: cells parted by "|", rows by "||". A table of one column is only layout and reads as blocks."""
        self.out.break_()
        start = self.out.here()
        many = any((group.get("cols") or "1") != "1" for group in element.iter("tgroup"))
        self.depth += many
        for title in element.findall("Title"):
            self.children(title)
            self.out.break_()
        for row in element.iterfind("tgroup/*/row"):
            if self.out.length > start:
                self.out.break_(_ROW if many else _SPACE)
            begun = self.out.length
            for entry in row.iterfind("entry"):
                self.out.break_(_CELL if many and self.out.length > begun else _SPACE)
                self.children(entry)
        self.depth -= many
        self.out.pending = _SPACE
        if many and not self.depth and self.out.length > start:
            self.content.solid.append((start, self.out.length))
        self.line()

    def remark(self, element: etree._Element) -> None:
        if self.in_note:
            self.out.break_()
            self.children(element)
            self.out.break_()
        else:
            self.note(element)

    def note(self, *elements: etree._Element) -> None:
        """Editorial matter inside the text (`noindex`, `kommentar`, footnote items) goes to the notes."""
        text = " ".join(filter(None, (note_text(element) for element in elements)))
        if text:
            self.content.notes.append(text)
        self.out.break_()

    def note_of_siblings(self, child: etree._Element) -> None:
        """What follows a line of dashes is the block's footnotes."""
        outer, self.out, self.in_note, self.depth = self.out, _Writer(), True, self.depth + 1
        for sibling in child.itersiblings():
            self.element(sibling)
            if sibling.tail:
                self.out.write(sibling.tail)
        if self.out.parts:
            self.content.notes.append("".join(self.out.parts))
        self.out, self.in_note, self.depth = outer, False, self.depth - 1


def _term(element: etree._Element) -> str:
    """The text of a list item's number."""
    return ((element.text if not len(element) else "".join(element.itertext())) or "").strip()


_READERS: dict[str, Callable[[_Reader, etree._Element], None]] = {
    "BR": _Reader.line,
    "Split": _Reader.line,
    "DL": _Reader.definition_list,
    "table": _Reader.table,
    "noindex": _Reader.remark,
    "kommentar": _Reader.remark,
    "I": _Reader.italic,
    "SUP": _Reader.superscript,
    "F": _Reader.sign,
    "IMG": _Reader.placeholder,
    "FILE": _Reader.placeholder,
    "QuoteL": _Reader.quote,
    "QuoteR": _Reader.quote,
}
