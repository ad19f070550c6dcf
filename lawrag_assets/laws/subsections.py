"""Cutting a section's running text into its Absätze.

The rule: a marker "(1)", "(1a)" opens an Absatz at the start of a block (`P`); after a line break or a list it does so only if
it is the next number, for there it may also be an enumeration. Sentences and status are other files' concern.
"""

import re
from dataclasses import dataclass

from lawrag_assets.laws.content import Content
from lawrag_assets.laws.designation import expand

_MARKER = re.compile(r"\(\s?(\d+[a-z]{0,2})\s?\)(?:\s?\(doppelt\))?\s?")
_GROUP = re.compile(
    r"\((\d+[a-z]*)\)\s?(bis|-|–|und|u\.|,)\s?\((\d+[a-z]*)\)\s?|\((\d+[a-z]*)\s?(bis|-|–|und|u\.|,)\s?(\d+[a-z]*)\)\s?"
)
_LABEL = re.compile(r"(\d+)([a-z]*)")


@dataclass(frozen=True, slots=True)
class Part:
    """One Absatz as a span of the running text, marker excluded. `label` None: the section has no numbered ones there."""

    label: str | None
    start: int
    end: int


def split_subsections(content: Content, *, numbered_lists: bool = True) -> list[Part]:
    """The Absätze of a section in order; one with label None and all the text where there is no marker.

    Text before the first marker becomes a part of its own. If the first marker is "(2)" or "(1a)", that part is Absatz 1,
    whose marker the file lacks. `numbered_lists`: a list item numbered "(2d)" may be an Absatz (false for annexes, whose lists
    are just that). A marker that groups repealed Absätze, "(4) - (6) (weggefallen)", gives one part a number.
    """
    text = content.text
    starts = _marker_places(content, numbered_lists)
    if not starts:
        return [Part(None, 0, len(text))] if text else []
    parts: list[Part] = []
    first = starts[0][0]
    if text[:first].strip():
        follows_one = starts[0][2][0] in ("2", "1a")
        parts.append(Part("1" if follows_one else None, 0, _trimmed(text, 0, first)))
    for i, (_, body, labels) in enumerate(starts):
        end = _trimmed(text, body, starts[i + 1][0] if i + 1 < len(starts) else len(text))
        parts.extend(Part(label, body, end) for label in labels)
    return parts


def _trimmed(text: str, start: int, end: int) -> int:
    while end > start and text[end - 1] == " ":
        end -= 1
    return end


def _marker_places(content: Content, numbered_lists: bool) -> list[tuple[int, int, list[str]]]:
    """(offset of the marker, offset of the text after it, labels) in order."""
    text = content.text
    blocks, items = set(content.blocks), set(content.absatz_items)
    places: list[tuple[int, int, list[str]]] = []
    last: str | None = None
    for at in sorted(blocks.union(content.lines)):
        if places and at < places[-1][1]:
            continue
        if at >= len(text) or text[at] != "(":
            continue
        if group := _GROUP.match(text, at):
            labels = expand(group[1] or group[4], group[2] or group[5], group[3] or group[6])
            if labels and (at in blocks or is_next(last, labels[0])):
                places.append((at, group.end(), labels))
                last = labels[-1]
                continue
        marker = _MARKER.match(text, at)
        if marker and (is_next(last, marker[1]) or (at in blocks and at not in items)) and (numbered_lists or at not in items):
            places.append((at, marker.end(), [marker[1]]))
            last = marker[1]
    return places


def is_next(last: str | None, label: str) -> bool:
    """Whether `label` is the number that follows `last`: 1 first; 2, 2a or 1a after 1; 2b or 3 after 2a."""
    if last is None:
        return label == "1"
    one, other = _LABEL.fullmatch(last), _LABEL.fullmatch(label)
    if not one or not other:
        return False
    number, letters = int(one[1]), one[2]
    if int(other[1]) == number + 1:
        return other[2] in ("", "a")
    if int(other[1]) != number:
        return False
    return other[2] == ("a" if not letters else letters[:-1] + chr(ord(letters[-1]) + 1)) or other[2] == letters + "a"
