"""Citations in a written answer, held against the evidence: what the evidence does not have is removed and reported.

A model may invent a citation, or be talked into one by a question; none of them reaches a reader. Citations are found by the grammar
of `laws.reference_grammar`, after English and colloquial forms ("Section 4(1)", "Paragraf 4") have been put into German ones.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from lawrag_assets.laws.citations import Citation, designation_key, law_key
from lawrag_assets.laws.reference_grammar import Found, Path, find
from lawrag_assets.qa.model import Passage, RemovedCitation

_SECTION_WORD = r"\b(?:sections?|secs?\.|sect\.|paragra(?:ph|f)(?:en|s)?|par\.)"
_SECTION = re.compile(rf"{_SECTION_WORD}\s*(?=\d)", re.IGNORECASE)
_ARTICLE = re.compile(r"\barticles?\s*(?=\d)", re.IGNORECASE)
_SUBSECTION = re.compile(
    rf"((?:{_SECTION_WORD}|§)\s*\d+[a-z]?),?\s+(?:subsection|subsec\.|paragraph|para\.?|subparagraph)\s*\(?(\d+[a-z]?)\b\)?",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?<=\d),?\s+sentence\s+(?=\d)", re.IGNORECASE)
_NUMBER = re.compile(r"(?<=\d),?\s+(?:number|no\.)\s+(?=\d)", re.IGNORECASE)
_OF_LAW = re.compile(r"(?<=\d)\s+of\s+(?:the\s+)?(?=[A-ZÄÖÜ][A-Za-zäöü]*[A-ZÄÖÜ])")
_BRACKETED = re.compile(r"(§\s*\d+[a-z]?)\s?\((\d+[a-z]?)\)")
_UNREAD = re.compile(r"§+\s*\d+[a-z]?\b|\bArt(?:ikel|icle|\.)?\s*\d+[a-z]?\b", re.IGNORECASE)
_GAP = "[…]"
_PARTS = {"Abs.": "subsection", "Satz": "sentence", "Nr.": "number", "Buchst.": "letter"}


@dataclass(frozen=True)
class Guarded:
    """A text in which every citation is one of the evidence. `citations` are those that stand, in normal form, each once."""

    text: str
    citations: tuple[str, ...]
    removed: tuple[RemovedCitation, ...]


class Evidence:
    """The passages that an answer may cite."""

    def __init__(self, passages: Sequence[Passage]) -> None:
        """`passages` in the order in which they are shown."""
        self.passages = tuple(passages)

    def find(self, citation: Citation) -> Passage | str:
        """The passage that a citation names, the first one where it names several; else in a few words why it names none."""
        of_section = [p for p in self.passages if self._names_section(p, citation)]
        if not of_section:
            return "not among the evidence"
        if citation.law is None and len({p.law for p in of_section}) > 1:
            return "names no law"
        fitting = [p for p in of_section if citation.subsection in (None, _label(p))]
        if not fitting:
            return "the Absatz is not among the evidence"
        if citation.sentence:
            fitting = [p for p in fitting if any(str(s.number) == citation.sentence for s in p.sentences)]
            if not fitting:
                return "there is no such Satz"
        if citation.number:
            fitting = [p for p in fitting if re.search(rf"(?<![\w.]){re.escape(citation.number)}\.\s", p.text)]
        return fitting[0] if fitting else "there is no such number"

    @staticmethod
    def _names_section(passage: Passage, citation: Citation) -> bool:
        designation = passage.section_citation.removesuffix(f" {passage.law}")
        if designation_key(designation) != designation_key(citation.designation):
            return False
        return citation.law is None or law_key(citation.law) in {law_key(passage.law), law_key(passage.slug)}


def guarded(text: str, evidence: Evidence) -> Guarded:
    """Remove from a text the citations that the evidence does not have; one in brackets goes with them, another leaves "[…]".

    A list or range of which one part is unknown goes as a whole. A citation without a law is that of the one law in the evidence which
    has such a section.
    """
    text = _in_german(_plain(text))
    pieces: list[str] = []
    stand: dict[str, None] = {}
    removed: list[RemovedCitation] = []
    at = 0
    for found in find(text):
        written = text[found.start : found.end]
        wrong = _why_wrong(found, evidence, stand)
        pieces.append(text[at : found.start])
        if wrong is None:
            pieces.append(written)
        else:
            removed.append(RemovedCitation(written, wrong))
            pieces.append(_GAP)
        at = found.end
    cleaned = "".join([*pieces, text[at:]])
    cleaned, unread = _without_unread(cleaned, evidence)
    return Guarded(_tidy(cleaned) if removed or unread else cleaned, tuple(stand), (*removed, *unread))


def _why_wrong(found: Found, evidence: Evidence, stand: dict[str, None]) -> str | None:
    """Why a reference cannot stand; None where it can, and then its places are noted in `stand`."""
    fitting: dict[str, None] = {}
    for citation in _citations(found):
        passage = evidence.find(citation)
        if isinstance(passage, str):
            return passage
        fitting[str(replace(citation, law=passage.law))] = None
    stand.update(fitting)
    return None


def _citations(found: Found) -> Iterator[Citation]:
    """The places of a reference; of a range both ends."""
    for place, until in found.places:
        yield _citation(place, found.law)
        if until is not None:
            yield _citation(until, found.law)


def _citation(path: Path, law: str | None) -> Citation:
    parts = {_PARTS[level]: number for level, number in path if level in _PARTS}
    designation = " ".join(f"{level} {number}" for level, number in path if level in ("§", "Art", "Anlage", "Anhang"))
    return Citation(law, designation, **parts)


def _without_unread(text: str, evidence: Evidence) -> tuple[str, tuple[RemovedCitation, ...]]:
    """Take out what looks like a citation though the grammar did not read it as one, unless the evidence has that section."""
    removed: list[RemovedCitation] = []
    read = [(found.start, found.end) for found in find(text)]

    def judged(match: re.Match[str]) -> str:
        if any(start <= match.start() < end for start, end in read):
            return match[0]
        removed.append(RemovedCitation(match[0], "cannot be read"))
        return _GAP

    return _UNREAD.sub(judged, text), tuple(removed)


def _label(passage: Passage) -> str | None:
    match = re.search(r" Abs\. (\S+) ", f"{passage.citation} ")
    return match[1] if match else None


def _plain(text: str) -> str:
    """The text without invisible characters and with full-width signs as usual ones, by which a citation could hide."""
    return "".join(c for c in unicodedata.normalize("NFKC", text) if unicodedata.category(c) != "Cf")


def _in_german(text: str) -> str:
    """English and colloquial forms of citations in the German form; other text stays."""
    text = _ARTICLE.sub("Art. ", text)
    text = _BRACKETED.sub(r"\1 Abs. \2", _SECTION.sub("§ ", _SUBSECTION.sub(r"\1 Abs. \2", text)))
    if "§" not in text:
        return text
    return _OF_LAW.sub(" ", _NUMBER.sub(" Nr. ", _SENTENCE.sub(" Satz ", text)))


def _tidy(text: str) -> str:
    """Close the gaps: brackets with nothing else in them go."""
    text = re.sub(r"\s?[(\[]\s*(?:(?:vgl\.|siehe|see|cf\.|nach|gemäß|i\. V\. m\.|,|;|und|and)\s*)*\[…\]\s*[)\]]", "", text)
    text = re.sub(r"(?:\[…\][\s,;]*(?:und|and|oder|or)?\s*)+(?=\[…\])", "", text)
    return re.sub(r" {2,}", " ", re.sub(r"\s+([.,;:])", r"\1", text))
