"""What changed between two builds of one law: sections added, removed, changed and unchanged, by id and by text.

A text is changed if it differs in more than blanks.

Ids carry over because they are made of designations; the files' own numbers are not used.
"""

from collections import Counter
from dataclasses import dataclass

from lawrag_assets.laws.model import Law, Section


@dataclass(frozen=True, slots=True)
class SectionChange:
    """A section that both builds have, with another text or status. `subsections`: citations of the Absätze that differ, come
    or go."""

    section_id: str
    citation: str
    subsections: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class LawDiff:
    """Ids of sections in document order. `retitled` ones have the same text and status under another heading; they are in
    `unchanged`, too.

    A section that became part of a repealed group ("§§ 3 bis 6") is removed, the group added.
    """

    added: tuple[str, ...]
    removed: tuple[str, ...]
    changed: tuple[SectionChange, ...]
    unchanged: tuple[str, ...]
    retitled: tuple[str, ...]


def compare_laws(old: Law, new: Law) -> LawDiff:
    """The difference of two builds of one law; ValueError if their slugs differ."""
    if old.slug != new.slug:
        raise ValueError(f"{old.slug} and {new.slug} are two laws, not two builds of one")
    before = {section.section_id: section for section in old.sections}
    after = {section.section_id: section for section in new.sections}
    common = [(before[i], section) for i, section in after.items() if i in before]
    same = [(a, b) for a, b in common if (_letters(a.text), a.status) == (_letters(b.text), b.status)]
    unchanged = {b.section_id for _, b in same}
    return LawDiff(
        added=tuple(i for i in after if i not in before),
        removed=tuple(i for i in before if i not in after),
        changed=tuple(
            SectionChange(b.section_id, b.citation, _changed_subsections(a, b))
            for a, b in common
            if b.section_id not in unchanged
        ),
        unchanged=tuple(b.section_id for _, b in same),
        retitled=tuple(b.section_id for a, b in same if a.heading != b.heading),
    )


def _letters(text: str) -> str:
    """A text without blanks, which the site sets anew at times."""
    return "".join(text.split())


def _changed_subsections(old: Section, new: Section) -> tuple[str, ...]:
    """Citations of Absätze of the one or the other that have no equal (same label, text, status) in the other, new ones
    first."""
    before = Counter((a.citation, _letters(a.text), a.status) for a in old.subsections)
    after = Counter((a.citation, _letters(a.text), a.status) for a in new.subsections)
    return tuple(dict.fromkeys(citation for citation, _, _ in [*(after - before), *(before - after)]))
