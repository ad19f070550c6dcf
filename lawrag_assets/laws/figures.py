"""A law in figures, for whoever watches the parse: what was found, what could not be resolved, and whether any text was lost.

The account of characters is a count of its own: it reads the file with lxml's `itertext` and shares no rule with the parser.
"""

import re
import unicodedata
from collections import Counter
from dataclasses import dataclass

from lawrag_assets.laws.edges import references_table
from lawrag_assets.laws.model import Law, Status
from lawrag_assets.laws.safe_xml import parse_xml

_NOT_COUNTED = re.compile(r"[\W_①-⑳]+")
_CONTENTS = re.compile(r"\s*Inhalts")


@dataclass(frozen=True, slots=True)
class LawFigures:
    """Counts of a parsed law. `by_status` counts sections by `Status` value; `depth` is the greatest number of headings over a section.

    `references` are places in the text that refer, `unresolved` those of their targets inside the law that do not exist.
    """

    sections: int
    by_status: dict[str, int]
    subsections: int
    sentences: int
    depth: int
    references: int
    unresolved: int
    warnings: tuple[str, ...]


def law_figures(law: Law) -> LawFigures:
    """Count a law; subsections and sentences are those in force."""
    subsections = [a for section in law.sections for a in section.subsections if a.status is Status.IN_FORCE]
    kinds = references_table([law])["kind"]
    return LawFigures(
        sections=len(law.sections),
        by_status=dict(Counter(section.status.value for section in law.sections)),
        subsections=len(subsections),
        sentences=sum(len(a.sentences) for a in subsections),
        depth=max((len(section.hierarchy) for section in law.sections), default=0),
        references=sum(len(section.references) for section in law.sections),
        unresolved=int((kinds == "unresolved").sum()),
        warnings=law.warnings,
    )


def lost_characters(xml: bytes, law: Law) -> Counter[str]:
    """Letters and digits of the file's texts and notes that the parsed law holds fewer of; empty where nothing was lost.

    Not counted: tables of contents, official sentence numbers (`SUP class="Rec"`), circled signs.
    """
    root = parse_xml(xml, law.slug)
    for skipped in [*root.iter("TOC"), *(mark for mark in root.iter("SUP") if mark.get("class") == "Rec")]:
        skipped.text = None
        del skipped[:]
    expected: Counter[str] = Counter()
    for norm in root.iterfind("norm"):
        if not _CONTENTS.match(norm.findtext("metadaten/enbez") or ""):
            for path in ("textdaten/text/Content", "textdaten/text/Footnotes", "textdaten/fussnoten/Content"):
                expected.update(_characters("".join("".join(element.itertext()) for element in norm.iterfind(path))))
    held = [*law.notes, *(text for section in law.sections for text in (section.text, *section.notes))]
    return expected - Counter(_characters("".join(held)))


def _characters(text: str) -> str:
    return _NOT_COUNTED.sub("", unicodedata.normalize("NFC", text))
