"""What an amendment did, for people: the sections that it added, removed and changed, with the words that went and came.

Which sections these are, `diff` says.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from difflib import SequenceMatcher
from typing import Literal

import polars as pl

from lawrag_assets.laws.diff import compare_laws
from lawrag_assets.laws.model import Law, Section

Kind = Literal["added", "removed", "changed", "retitled"]

CHANGES_SCHEMA = pl.Schema(
    {
        "kind": pl.String(),
        "section_id": pl.String(),
        "citation": pl.String(),
        "heading": pl.String(),  # of the new build, or the old one's of a removed section
        "subsections": pl.List(pl.String),  # citations of the Absätze that differ, come or go, in a changed section
        "before": pl.String(),  # the section's text in the older build; empty of an added one
        "after": pl.String(),
    }
)

_TITLES: dict[Kind, str] = {"added": "Added", "removed": "Removed", "changed": "Changed", "retitled": "Another heading"}
_CONTEXT = 12
"""Words of unchanged text that are shown on each side of a change."""
_LONGEST = 60_000
"""Characters of Markdown that the UI is given."""


@dataclass(frozen=True, slots=True)
class Change:
    """One section that differs. Of a retitled one `before` and `after` are headings, else the section's text."""

    kind: Kind
    section_id: str
    citation: str
    heading: str
    subsections: tuple[str, ...]
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of words that both texts have ("same"), or only the older ("gone") or the newer one ("new")."""

    kind: Literal["same", "gone", "new"]
    text: str


def section_changes(old: Law, new: Law) -> list[Change]:
    """All that differs between two builds of one law, kind by kind, in document order."""
    diff = compare_laws(old, new)
    before, after = _by_id(old), _by_id(new)
    return [
        *(_change("added", after[i], "", _text(after[i])) for i in diff.added),
        *(_change("removed", before[i], _text(before[i]), "") for i in diff.removed),
        *(_change("changed", after[c.section_id], _text(before[c.section_id]), _text(after[c.section_id]), c.subsections)
          for c in diff.changed),
        *(_change("retitled", after[i], before[i].heading, after[i].heading) for i in diff.retitled),
    ]  # fmt: skip


def changes_table(changes: Sequence[Change]) -> pl.DataFrame:
    """The changes as a table of `CHANGES_SCHEMA`."""
    return pl.DataFrame([asdict(change) for change in changes], schema=CHANGES_SCHEMA)


def pieces(change: Change) -> list[Piece]:
    """The words that went and came, with a few of the unchanged ones around them; "…" stands for the others."""
    old, new = change.before.split(), change.after.split()
    found: list[Piece] = []
    for tag, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            found.append(Piece("same", _shortened(old[a:b], first=a == 0, last=b == len(old))))
            continue
        found += [Piece("gone", " ".join(old[a:b]))] if b > a else []
        found += [Piece("new", " ".join(new[c:d]))] if d > c else []
    return found


def changes_text(old: Law, new: Law, changes: Sequence[Change]) -> str:
    """The changes as Markdown: what went is struck out, what came is bold. Cut, saying so, where it grows too long for a page."""
    lines = [f"**{new.abbreviation}**, build of {new.builddate} against that of {old.builddate}: {summary(changes)}"]
    length = 0
    for number, block in enumerate(_blocks(changes)):
        length += len(block)
        if length > _LONGEST:
            lines.append(f"… and {len(changes) - number} more: `lawrag changes --law {new.slug}` shows all")
            break
        lines.append(block)
    return "\n\n".join(lines)


def summary(changes: Sequence[Change]) -> str:
    """How many sections there are of each kind, in words."""
    counts = {kind: sum(change.kind == kind for change in changes) for kind in _TITLES}
    words = [f"{count} {_TITLES[kind].lower()}" for kind, count in counts.items() if count]
    return f"sections: {', '.join(words)}" if words else "no section differs"


def _blocks(changes: Sequence[Change]) -> Iterator[str]:
    shown = None
    for change in changes:
        title = f"### {_TITLES[change.kind]}\n\n" if change.kind != shown else ""
        shown = change.kind
        name = f"**{_escaped(change.citation)}**" + (f" {_escaped(change.heading)}" if change.heading else "")
        parts = f" ({', '.join(change.subsections)})" if change.subsections and change.subsections != (change.citation,) else ""
        yield f"{title}{name}{parts}\n\n{' '.join(_MARKS[piece.kind].format(_escaped(piece.text)) for piece in pieces(change))}"


_MARKS = {"same": "{}", "gone": "~~{}~~", "new": "**{}**"}


def _escaped(text: str) -> str:
    return re.sub(r"([\\`*_~\[\]<>|#])", r"\\\1", text)


def _shortened(words: list[str], *, first: bool, last: bool) -> str:
    head = [] if first else words[:_CONTEXT]
    tail = [] if last else words[-_CONTEXT:]
    if len(words) <= len(head) + len(tail) + 1:
        return " ".join(words)
    return " ".join([*head, "…", *tail])


def _change(kind: Kind, section: Section, before: str, after: str, subsections: tuple[str, ...] = ()) -> Change:
    return Change(kind, section.section_id, section.citation, section.heading, subsections, before, after)


def _text(section: Section) -> str:
    """The section's text; its status in brackets where it has none."""
    return section.text or f"[{section.status.value}]"


def _by_id(law: Law) -> dict[str, Section]:
    return {section.section_id: section for section in law.sections}
