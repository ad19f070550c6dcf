"""Legal definitions: which terms a law defines itself, in which Absatz, and which of them a text relies on.

A statute defines in two ways. One puts the term in brackets behind what it means: "ohne schuldhaftes Zögern (unverzüglich)". The other
begins an Absatz with it: "Verbraucher ist jede …", "Nachtzeit im Sinne dieses Gesetzes ist …".
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Any, NamedTuple

import polars as pl

from lawrag_assets.chunking.units import IN_FORCE, sections_in_force

Row = dict[str, Any]

_NOUN = r"[A-ZÄÖÜ][a-zäöüß]{3,}"
_BRACKETED = re.compile(rf"(?<![.)])\s\(({_NOUN}|[a-zäöüß]{{8,}})\)")
"""One word; not behind a list's number: "1. (Zahlungsfrist)" is a caption."""
_BEGINNING = re.compile(
    rf"(?:Eine?\s)?({_NOUN})\s"
    rf"(?:im Sinne (?:dieses|des)\s|ist\s(?:jede[rs]?|eine?|der|die|das)\s|sind\s(?!kein)(?:die\s|(?:[a-zäöüß]+e\s)?{_NOUN}))"
)
_NO_TERMS = frozenset({"weggefallen", "aufgehoben", "gegenstandslos"})
_ENDINGS = ("", "s", "es", "n", "en", "e")
"""What German declines a term with."""
_WORD = re.compile(r"[^\W\d_]+")


class Place(NamedTuple):
    """A section, or one of its Absätze: the section's id and the Absatz's label, None for the whole section."""

    section_id: str
    label: str | None


class Definitions:
    """The terms of a corpus, law by law; one that a law defines in several sections is left out, for who knows which is meant."""

    def __init__(self, corpus: pl.DataFrame) -> None:
        """Read the definitions of a corpus (`laws.tables.SECTIONS_SCHEMA`)."""
        places: dict[tuple[str, str], list[Place]] = defaultdict(list)
        for section in sections_in_force(corpus).iter_rows(named=True):
            for subsection in section["subsections"]:
                if subsection["status"] == IN_FORCE:
                    for term in terms_defined(subsection["text"]):
                        places[section["slug"], term].append(Place(section["section_id"], subsection["label"]))
        self._places = {key: found[0] for key, found in places.items() if len({place.section_id for place in found}) == 1}

    def relied_on(self, slug: str, text: str) -> Iterator[Place]:
        """Where the law says what the words of a text mean, in the order of the text."""
        for word in dict.fromkeys(_WORD.findall(text)):
            for ending in _ENDINGS:
                if word.endswith(ending) and (place := self._places.get((slug, word.removesuffix(ending)))):
                    yield place
                    break


def terms_defined(text: str) -> list[str]:
    """The terms that an Absatz defines, as it writes them."""
    beginning = _BEGINNING.match(text)
    found = [*([beginning[1]] if beginning else []), *_BRACKETED.findall(text)]
    return [term for term in dict.fromkeys(found) if term not in _NO_TERMS]
