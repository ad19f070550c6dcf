"""From the XML of gesetze-im-internet.de (gii-norm DTD) to a `Law`: which norms are sections, and what each is.

The parts of the work lie in files of their own: text in `content`, headings in `hierarchy`, names in `designation`, Absätze in
`subsections`, sentences in `sentences`, status in `status`, references in `references`.
"""

import re
from dataclasses import dataclass, replace
from itertools import pairwise

from lxml import etree

from lawrag_assets.errors import InputError
from lawrag_assets.laws.content import Content, note_text, plain_text, read_content
from lawrag_assets.laws.designation import distinct, kind_of, read_designation, section_id
from lawrag_assets.laws.hierarchy import Heading, HeadingStack, read_heading
from lawrag_assets.laws.model import HierarchyLevel, Law, Section, Sentence, Status, Subsection
from lawrag_assets.laws.references import with_references
from lawrag_assets.laws.safe_xml import parse_xml
from lawrag_assets.laws.sentences import split_sentences
from lawrag_assets.laws.status import is_remark, read_status
from lawrag_assets.laws.subsections import Part, split_subsections

_FOOTNOTE_MARK = re.compile(r"\s*\*+\)?$")
_NO_HEADING = "(keine Überschrift)"


def parse_law(xml: bytes, *, slug: str, sentences: bool = True, references: bool = True) -> Law:
    """Parse a law's XML. InputError, naming the slug, if it is no law in the gii-norm format.

    `sentences` and `references` may be left out where only sections and Absätze are needed; their tuples are then empty.
    """
    root = parse_xml(xml, slug)
    if root.tag != "dokumente":
        raise InputError(
            f"{slug}: not a law in the gii-norm format (its root element is <{str(root.tag)[:60]}>, not <dokumente>)"
        )
    norms = root.findall("norm")
    if not norms or norms[0].find("metadaten/jurabk") is None:
        raise InputError(f"{slug}: not a law in the gii-norm format (no <norm> with a <jurabk>)")
    parser = _LawParser(slug, norms, sentences)
    sections = parser.sections()
    return Law(
        slug=slug,
        abbreviation=parser.abbreviation,
        title=_title(norms[0]),
        builddate=_builddate(root, norms),
        sections=with_references(sections, parser.items) if references else sections,
        warnings=tuple(parser.warnings),
        names=parser.names,
        notes=tuple(_law_notes(norms[0])),
    )


@dataclass(frozen=True, slots=True)
class _Name:
    """What a section is called and where it stands."""

    designation: str
    kind: str
    heading: str
    levels: tuple[HierarchyLevel, ...]


class _LawParser:
    """Walks the norms of one law in document order."""

    def __init__(self, slug: str, norms: list[etree._Element], sentences: bool) -> None:
        self.slug = slug
        self.norms = norms
        self.with_sentences = sentences
        self.names = _names(norms[0])
        self.abbreviation = _abbreviation(norms[0])
        self.warnings: list[str] = []
        self.headings = HeadingStack()
        self.seen: dict[str, int] = {}
        self.found: list[Section] = []
        self.items: list[frozenset[int]] = []

    def sections(self) -> tuple[Section, ...]:
        for norm, following in pairwise([*self.norms, None]):
            if norm is not None:
                self.norm(norm, following)
        return tuple(self.found)

    def norm(self, norm: etree._Element, following: etree._Element | None) -> None:
        """A norm is a heading, a section, or (an article that is a heading with text) both."""
        unit = norm.find("metadaten/gliederungseinheit")
        heading = read_heading(unit) if unit is not None else None
        enbez = norm.findtext("metadaten/enbez")
        if heading is not None:
            self.headings.enter(heading, repeated=enbez is not None)
        if enbez is not None:
            self.designated(norm, enbez)
        elif heading is not None:
            content = _content(norm)
            has_text = bool(content.text) and not is_remark(content.text)
            if has_text or (heading.is_article and not self.opens_group(heading, following)):
                self.article(norm, heading, content)

    def opens_group(self, heading: Heading, following: etree._Element | None) -> bool:
        """Whether an article's heading only opens the §§ that follow."""
        if following is None:
            return False
        key = following.findtext("metadaten/gliederungseinheit/gliederungskennzahl")
        if following.find("metadaten/enbez") is not None:
            return key is None or key.strip().startswith(heading.key)
        return key is not None and key.strip() != heading.key and key.strip().startswith(heading.key)

    def designated(self, norm: etree._Element, enbez: str) -> None:
        """A norm with an `enbez`: a §, an article, an annex, a formula. Tables of contents are no law text."""
        designation = read_designation(enbez)
        kind = kind_of(designation)
        if kind == "contents":
            return
        if kind == "section":
            designation = " ".join([*self.headings.articles(), designation])
        heading = plain_text(norm.find("metadaten/titel"))
        self.add(norm, _Name(designation or "Text", kind, heading, self.headings.levels()), _content(norm))

    def article(self, norm: etree._Element, heading: Heading, content: Content) -> None:
        """An article that is a heading norm with text of its own (as in EGBGB)."""
        designation = " ".join(self.headings.articles()) or heading.label or heading.title or "Text"
        kind = kind_of(designation) if heading.is_article else "other"
        levels = self.headings.levels()
        self.add(norm, _Name(designation, kind, heading.title, levels[:-1]), content)

    def add(self, norm: etree._Element, name: _Name, content: Content) -> None:
        notes = [*content.notes, *_norm_notes(norm)]
        citation = f"{name.designation} {self.abbreviation}"
        status, evidence = read_status(content.text, name.heading, notes, italic=_all_italic(content, 0, len(content.text)))
        identifier = distinct(section_id(self.slug, name.designation), self.seen)
        if "~" in identifier and status is Status.IN_FORCE:
            self.warnings.append(f"{citation} occurs more than once; the later one is {identifier}")
        section = Section(
            law=self.abbreviation,
            slug=self.slug,
            section_id=identifier,
            citation=citation,
            designation=name.designation,
            heading="" if name.heading == _NO_HEADING else _FOOTNOTE_MARK.sub("", name.heading),
            hierarchy=name.levels,
            status=status,
            status_evidence=evidence,
            kind=name.kind,
            text=content.text,
            subsections=(),
            references=(),
            notes=tuple(notes),
            position=len(self.found),
        )
        self.items.append(frozenset(content.items))
        self.found.append(replace(section, subsections=self.subsections(section, content)))

    def subsections(self, section: Section, content: Content) -> tuple[Subsection, ...]:
        parts = split_subsections(content, numbered_lists=section.kind != "annex")
        if not parts or (section.status is not Status.IN_FORCE and len(parts) == 1):
            return (self.subsection(section, content, Part(None, 0, len(content.text))),)
        return tuple(self.subsection(section, content, part) for part in parts)

    def subsection(self, section: Section, content: Content, part: Part) -> Subsection:
        text = content.text[part.start : part.end]
        if section.status is Status.IN_FORCE:
            italic = _all_italic(content, part.start, part.end)
            status, _ = read_status(text, "", [], italic=False)
            if status is Status.IN_FORCE and italic:
                status, _ = read_status(text, "", list(section.notes), italic=True)
        else:
            status = section.status
        law = section.law
        citation = section.citation if part.label is None else f"{section.designation} Abs. {part.label} {law}"
        found: tuple[Sentence, ...] = ()
        if self.with_sentences and status in (Status.IN_FORCE, Status.VOID):
            stem = section.designation if part.label is None else f"{section.designation} Abs. {part.label}"
            found = tuple(
                Sentence(number, f"{stem} Satz {number} {law}", content.text[start:end], start, end)
                for number, start, end in split_sentences(content, part.start, part.end)
            )
        return Subsection(part.label, citation, status, text, part.start, part.end, found)


def _content(norm: etree._Element) -> Content:
    element = norm.find("textdaten/text/Content")
    return Content() if element is None else read_content(element)


def _all_italic(content: Content, start: int, end: int) -> bool:
    """Whether every letter of a span is set in italics."""
    if not content.italics or start >= end:
        return False
    left = content.text[start:end]
    for a, b in reversed(content.italics):
        if a < end and b > start:
            left = left[: max(a - start, 0)] + left[max(b - start, 0) :]
    return not re.search(r"\w", left)


def _norm_notes(norm: etree._Element) -> list[str]:
    """Footnotes of the text (`Footnotes`) and the editors' notes (`fussnoten`), one string each."""
    notes: list[str] = []
    for footnote in norm.iterfind("textdaten/text/Footnotes/Footnote"):
        mark = (footnote.get("Prefix") or "") + (footnote.get("FnZ") or "") + (footnote.get("Postfix") or "")
        notes.append(f"{mark} {note_text(footnote)}".strip())
    for block in norm.iterfind("textdaten/fussnoten/Content/*"):
        notes.append(note_text(block))
    return [note for note in notes if note]


def _law_notes(first: etree._Element) -> list[str]:
    """What the first norm says of the whole law: its state (`standangabe`; "Hinweis" announces a pending amendment) and its
    notes."""
    notes = [
        f"{(state.findtext('standtyp') or 'Stand').strip()}: {note_text(comment)}"
        for state in first.iterfind("metadaten/standangabe")
        if (comment := state.find("standkommentar")) is not None
    ]
    content = _content(first)
    return [*notes, *filter(None, [content.text]), *content.notes, *_norm_notes(first)]


def _names(first: etree._Element) -> tuple[str, ...]:
    """The abbreviations the file gives, the one people cite first, each once."""
    given = [first.findtext("metadaten/amtabk"), *(e.text for e in first.iterfind("metadaten/jurabk"))]
    return tuple(dict.fromkeys(" ".join(name.split()) for name in given if name and name.strip()))


def _abbreviation(first: etree._Element) -> str:
    """`amtabk` (the official abbreviation) before `jurabk` (juris' own, made unique by a year or a different order of
    words)."""
    return next(iter(_names(first)), "")


def _title(first: etree._Element) -> str:
    return plain_text(first.find("metadaten/langue")) or plain_text(first.find("metadaten/kurzue"))


def _builddate(root: etree._Element, norms: list[etree._Element]) -> str:
    """ "YYYY-MM-DD" of the attribute `builddate` (YYYYMMDDhhmmss); empty if the file has none."""
    stamp = root.get("builddate") or norms[0].get("builddate") or ""
    return f"{stamp[:4]}-{stamp[4:6]}-{stamp[6:8]}" if re.match(r"\d{8}", stamp) else ""
