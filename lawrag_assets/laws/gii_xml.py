"""From the XML of gesetze-im-internet.de (gii-norm DTD) to a `Law`: which norms are sections, and what each is.

The parts of the work lie in files of their own: text in `content`, headings in `hierarchy`, names in `designation`, Absätze in
`subsections`, sentences in `sentences`, status in `status`, references in `references`.
"""

import re
from dataclasses import dataclass

from lxml import etree

from lawrag_assets.errors import InputError
from lawrag_assets.laws.content import Content, all_italic, note_text, plain_text
from lawrag_assets.laws.designation import distinct, kind_of, read_designation, section_id
from lawrag_assets.laws.hierarchy import Heading, HeadingStack, read_heading
from lawrag_assets.laws.model import HierarchyLevel, Law, Section, Sentence, Status, Subsection
from lawrag_assets.laws.norm import Norm, read_norm
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
        builddate=_builddate(root, norms[0]),
        sections=with_references(sections, parser.items) if references else sections,
        warnings=tuple(parser.warnings),
        names=parser.names,
        notes=(*_law_notes(norms[0]), *parser.heading_notes),
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
        self.norms = [read_norm(norm) for norm in norms[1:]]
        self.with_sentences = sentences
        self.names = _names(norms[0])
        self.abbreviation = next(iter(self.names), "")
        self.warnings: list[str] = []
        self.heading_notes: list[str] = []
        self.headings = HeadingStack()
        self.seen: dict[str, int] = {}
        self.found: list[Section] = []
        self.items: list[frozenset[int]] = []

    def sections(self) -> tuple[Section, ...]:
        for i, norm in enumerate(self.norms):
            heading = None if norm.unit is None else read_heading(norm.unit)
            if heading is not None:
                self.headings.enter(heading, repeated=norm.enbez is not None)
            if norm.enbez is not None:
                self.designated(norm, norm.enbez)
            elif heading is not None:
                self.heading(norm, heading, self.norms[i + 1] if i + 1 < len(self.norms) else None)
        return tuple(self.found)

    def designated(self, norm: Norm, enbez: str) -> None:
        """A norm with an `enbez`: a §, an article, an annex, a formula. Tables of contents are no law text."""
        designation = read_designation(enbez)
        kind = kind_of(designation)
        if kind == "contents":
            return
        if kind == "section":
            designation = " ".join([*self.headings.articles(), designation])
        self.add(norm, _Name(designation or "Text", kind, norm.heading(), self.headings.levels()), norm.content())

    def heading(self, norm: Norm, heading: Heading, following: Norm | None) -> None:
        """A norm with no `enbez` is a heading; an article with text of its own or with nothing below it is a section too
        (EGBGB)."""
        content = norm.content()
        has_text = bool(content.text) and not is_remark(content.text)
        if has_text or (heading.is_article and not _opens_group(heading, following)):
            designation = " ".join(self.headings.articles()) or heading.label or heading.title or "Text"
            kind = kind_of(designation) if heading.is_article else "other"
            self.add(norm, _Name(designation, kind, heading.title, self.headings.levels()[:-1]), content)
        else:
            label = heading.label or heading.title
            self.heading_notes += [f"{label}: {note}" for note in (content.text, *content.notes, *norm.notes()) if note]

    def add(self, norm: Norm, name: _Name, content: Content) -> None:
        notes = [*content.notes, *norm.notes()]
        citation = f"{name.designation} {self.abbreviation}"
        status, evidence = read_status(content.text, name.heading, notes, italic=all_italic(content, 0, len(content.text)))
        subsections = self.subsections(name, status, notes, content)
        if status is Status.IN_FORCE and all(a.status is not status and a.status is subsections[0].status for a in subsections):
            status, evidence = subsections[0].status, content.text
        identifier = distinct(section_id(self.slug, name.designation), self.seen)
        if "~" in identifier and status is Status.IN_FORCE:
            self.warnings.append(f"{citation} occurs more than once; the later one is {identifier}")
        self.items.append(frozenset(content.items))
        self.found.append(
            Section(
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
                subsections=subsections,
                references=(),
                notes=tuple(notes),
                position=len(self.found),
            )
        )

    def subsections(self, name: _Name, status: Status, notes: list[str], content: Content) -> tuple[Subsection, ...]:
        parts = split_subsections(content, numbered_lists=name.kind != "annex")
        if not parts or (status is not Status.IN_FORCE and len(parts) == 1):
            parts = [Part(None, 0, len(content.text))]
        return tuple(self.subsection(name, status, notes, content, part) for part in parts)

    def subsection(self, name: _Name, status: Status, notes: list[str], content: Content, part: Part) -> Subsection:
        text = content.text[part.start : part.end]
        if status is Status.IN_FORCE:
            italic = bool(content.italics) and all_italic(content, part.start, part.end)
            status, _ = read_status(text, "", notes if italic else [], italic=italic)
        stem = name.designation if part.label is None else f"{name.designation} Abs. {part.label}"
        found: tuple[Sentence, ...] = ()
        if self.with_sentences and status in (Status.IN_FORCE, Status.VOID):
            found = tuple(
                Sentence(number, f"{stem} Satz {number} {self.abbreviation}", content.text[start:end], start, end)
                for number, start, end in split_sentences(content, part.start, part.end)
            )
        return Subsection(part.label, f"{stem} {self.abbreviation}", status, text, part.start, part.end, found)


def _opens_group(heading: Heading, following: Norm | None) -> bool:
    """Whether an article's heading only opens the §§ or headings that follow."""
    if following is None:
        return False
    key = following.key
    if following.enbez is not None:
        return key is None or key.startswith(heading.key)
    return key is not None and key != heading.key and key.startswith(heading.key)


def _law_notes(first: etree._Element) -> list[str]:
    """What the first norm says of the whole law: its state (`standangabe`; "Hinweis" announces a pending amendment) and its
    notes."""
    notes = [
        f"{(state.findtext('standtyp') or 'Stand').strip()}: {note_text(comment)}"
        for state in first.iterfind("metadaten/standangabe")
        if (comment := state.find("standkommentar")) is not None
    ]
    norm = read_norm(first)
    content = norm.content()
    return [*notes, *filter(None, [content.text]), *content.notes, *norm.notes()]


def _names(first: etree._Element) -> tuple[str, ...]:
    """The abbreviations the file gives, each once: `amtabk`, the official one that people cite, before `jurabk`, juris' own."""
    given = [first.findtext("metadaten/amtabk"), *(e.text for e in first.iterfind("metadaten/jurabk"))]
    return tuple(dict.fromkeys(" ".join(name.split()) for name in given if name and name.strip()))


def _title(first: etree._Element) -> str:
    return plain_text(first.find("metadaten/langue")) or plain_text(first.find("metadaten/kurzue"))


def _builddate(root: etree._Element, first: etree._Element) -> str:
    """YYYY-MM-DD of the attribute `builddate` (YYYYMMDDhhmmss); empty if the file has none."""
    stamp = root.get("builddate") or first.get("builddate") or ""
    return f"{stamp[:4]}-{stamp[4:6]}-{stamp[6:8]}" if re.match(r"\d{8}", stamp) else ""
