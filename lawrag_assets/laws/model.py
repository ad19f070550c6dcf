"""The parsed law as plain values: what a section, a subsection (Absatz) and a sentence (Satz) are.

No parsing and no file formats here; `gii_xml` makes these values, `tables` and `jsonl` write them down.
"""

from dataclasses import dataclass
from enum import StrEnum


class Status(StrEnum):
    """Whether a provision binds today, judged from what the published text itself says.

    `in_force` has text that applies. `repealed` says "(weggefallen)", "(aufgehoben)" or the like. `future` says "(zukünftig in
    Kraft)". `void` was declared null (nichtig) by the Federal Constitutional Court. `no_text` is a placeholder whose text the
    site does not show ("-", "(Änderungsvorschriften)", "(keine besonderen Vorschriften)").
    """

    IN_FORCE = "in_force"
    REPEALED = "repealed"
    FUTURE = "future"
    VOID = "void"
    NO_TEXT = "no_text"


@dataclass(frozen=True, slots=True)
class HierarchyLevel:
    """One heading above a section: `label` as the file names it ("Abschnitt 1"; empty if it has none), `title` its wording."""

    label: str
    title: str


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence as lawyers count it within its subsection, from 1. `start` and `end` are character offsets into the section's
    text."""

    number: int
    citation: str
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Subsection:
    """An Absatz, without its "(1)" marker. `label` is "1", "1a"…; None where a section has no numbered ones.

    `section.text[start:end] == text`. A repealed group ("(4) - (6) (weggefallen)") gives one subsection a number, all with the
    same span.
    """

    label: str | None
    citation: str
    status: Status
    text: str
    start: int
    end: int
    sentences: tuple[Sentence, ...]


@dataclass(frozen=True, slots=True)
class Reference:
    """An explicit reference in the running text: `text` as written, `targets` as normalised citations ("§ 5 Abs. 1 MiLoG").

    `start` and `end` are character offsets into the section's text. A reference to a law whose abbreviation the text does not
    give keeps the law's name as written in its targets.
    """

    text: str
    targets: tuple[str, ...]
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Section:
    """A §, an article, an annex or another unit of a law's text.

    `section_id` is unique in a corpus: slug + "/" + designation without spaces. `kind` is "section" (§), "article", "annex",
    "formula" (Eingangsformel, Schlussformel, Präambel) or "other" (a text with no designation or a bare number).
    `text` is the running text with the "(1)" markers, blocks joined by single spaces, NFC, no line breaks.
    `status_evidence` quotes what the status was read from; empty for `in_force`. `position` counts from 0 in document order.
    """

    law: str
    slug: str
    section_id: str
    citation: str
    designation: str
    heading: str
    hierarchy: tuple[HierarchyLevel, ...]
    status: Status
    status_evidence: str
    kind: str
    text: str
    subsections: tuple[Subsection, ...]
    references: tuple[Reference, ...]
    notes: tuple[str, ...]
    position: int


@dataclass(frozen=True, slots=True)
class Law:
    """A law in one build. `builddate` is "YYYY-MM-DD"; `names` are all the abbreviations the file gives; `notes` concern the
    law as a whole."""

    slug: str
    abbreviation: str
    title: str
    builddate: str
    sections: tuple[Section, ...]
    warnings: tuple[str, ...]
    names: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
