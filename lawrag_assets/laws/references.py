"""References resolved: which section, Absatz and sentence a text points to, inside its law and to others.

The grammar is `reference_grammar`'s. Relative places ("Absatz 2 Satz 1", "nach Satz 2") mean the section, or the Absatz, they
stand in (Handbuch der Rechtsförmlichkeit, part B).
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from lawrag_assets.laws.citations import designation_key
from lawrag_assets.laws.designation import expand, members
from lawrag_assets.laws.model import Reference, Section
from lawrag_assets.laws.reference_grammar import Found, Path, Step, find

_TOP = ("§", "Art", "Anlage", "Anhang")
_WIDEST_RANGE = 400


class SectionNames:
    """The designations of one law: which exist, in which order, and to which section each leads (also those inside "§§ 3 bis
    6")."""

    def __init__(self, sections: Iterable[Section]) -> None:
        """Read the designations of a law's sections in document order."""
        self.ids: dict[str, str] = {}
        self.order: list[str] = []
        self.labels: dict[str, list[str]] = {}
        for section in sections:
            for designation in members(section.designation):
                key = designation_key(designation)
                if key not in self.ids:
                    self.ids[key] = section.section_id
                    self.order.append(designation)
                    self.labels[key] = [a.label for a in section.subsections if a.label]
        self.has_articles = any(designation.startswith("Art") for designation in self.order)
        self._place = {designation_key(d): i for i, d in enumerate(self.order)}

    def __contains__(self, designation: str) -> bool:
        """Whether the law has such a section, in force or not."""
        return designation_key(designation) in self.ids

    def between(self, first: str, last: str) -> list[str] | None:
        """The designations from one to the other in document order; None if one of them is not there."""
        a, b = self._place.get(designation_key(first)), self._place.get(designation_key(last))
        if a is None or b is None or a > b:
            return None
        return self.order[a : b + 1]


def find_references(section: Section, names: SectionNames, items: Collection[int] = ()) -> tuple[Reference, ...]:
    """The references in a section's text, resolved. Targets in the order of the text, each once, ranges written out.

    `items`: offsets at which list items begin; a number there is the item's, never part of a reference.
    """
    return tuple(
        Reference(section.text[f.start : f.end], tuple(dict.fromkeys(_targets(f, section, names))), f.start, f.end)
        for f in find(section.text, items)
    )


def with_references(sections: Sequence[Section], items: Sequence[Collection[int]]) -> tuple[Section, ...]:
    """The sections of one law with their references; `items` as in `find_references`, one collection a section."""
    names = SectionNames(sections)
    return tuple(replace(s, references=find_references(s, names, at)) for s, at in zip(sections, items, strict=True))


def _targets(found: Found, section: Section, names: SectionNames) -> list[str]:
    law = found.law or section.law
    targets: list[str] = []
    for place, until in found.places:
        for path in _expanded(place, until, found, section, names):
            targets.append(_written(path, found, section, names, law))
    return targets


def _written(path: Path, found: Found, section: Section, names: SectionNames, law: str) -> str:
    words: list[str] = []
    steps = [step for step in path if step[0] != "Halbsatz"]
    if path[0][0] not in _TOP:
        words.append(section.designation)
        if path[0][0] != "Abs." and (label := _label_at(section, found.start)):
            words.append(f"Abs. {label}")
    elif found.law is None:
        words, steps = [_own_designation(path, section, names)], [s for s in steps if s[0] not in _TOP]
        if path[0][0] == "Art" and not names.has_articles:
            law = ""  # an article in a law that has none: of a law named elsewhere
    words += [f"{level} {number}" for level, number in steps]
    return " ".join(filter(None, [*words, law]))


def _own_designation(path: Path, section: Section, names: SectionNames) -> str:
    """The designation of a place in this law; a § inside an article that has §§ of its own is one of them if there is such a
    one."""
    plain = " ".join(f"{level} {number}" for level, number in path if level in _TOP)
    if path[0][0] == "§" and " § " in section.designation:
        sibling = f"{section.designation.rpartition(' § ')[0]} {plain}"
        if sibling in names:
            return sibling
    return plain


def _label_at(section: Section, offset: int) -> str | None:
    for subsection in section.subsections:
        if subsection.start <= offset < subsection.end:
            return subsection.label
    return None


def _expanded(place: Path, until: Path | None, found: Found, section: Section, names: SectionNames) -> list[Path]:
    """A range written out: by the law's own order where it is this law's, else by counting."""
    if until is None:
        return [place]
    level, first = place[len(until) - 1] if len(place) >= len(until) else place[-1]
    last_level, last = until[-1]
    stem = until[:-1]
    if level != last_level:
        return [place, until]
    numbers = _own_range(level, first, last, stem, found, section, names) or _count(first, last)
    if len(numbers) > _WIDEST_RANGE:
        numbers = [first, last]
    paths = [(*stem, (level, number)) for number in numbers]
    if len(place) > len(until):  # "§ 3 Abs. 2 bis § 5": the first place is finer than the level that is counted
        paths[0] = place
    return paths


def _count(first: str, last: str) -> list[str]:
    """From "3" to "6", from "2a" to "2c", from "a" to "c"."""
    if len(first) == len(last) == 1 and first.isalpha() and first < last:
        return [chr(code) for code in range(ord(first), ord(last) + 1)]
    return expand(first, "bis", last)


def _own_range(
    level: str, first: str, last: str, stem: Path, found: Found, section: Section, names: SectionNames
) -> list[str] | None:
    if found.law is not None:
        return None
    if level in ("§", "Art", "Anlage") and not stem:
        one, other = (_own_designation(((level, n),), section, names) for n in (first, last))
        between = names.between(one, other)
        if between is None or len(between) > _WIDEST_RANGE:
            return None
        return [d.rpartition(" ")[2] for d in between if d.rpartition(" ")[0].endswith(level)]
    if level == "Abs.":
        top: tuple[Step, ...] = tuple(step for step in stem if step[0] in _TOP)
        designation = _own_designation(top, section, names) if top else section.designation
        labels = names.labels.get(designation_key(designation), [])
        if first in labels and last in labels and labels.index(first) <= labels.index(last):
            return labels[labels.index(first) : labels.index(last) + 1]
    return None
