"""Several citations written in one text, as data sets of others hold them: "§§ 433, 434 BGB; Art. 14 I GG".

Cutting such a text up only; what a single citation says is `citations`' concern. References in statutes are `references`'.
"""

import re
from collections.abc import Iterator

from lawrag_assets.errors import InputError
from lawrag_assets.laws.citations import parse_citation
from lawrag_assets.laws.designation import expand
from lawrag_assets.laws.reference_grammar import Path, find

_JOINT = re.compile(
    r"\s*(?:[;|\n]|(?:,|\bund\b|\bsowie\b|\bi\.\s?V\.\s?m\.|\bin Verbindung mit\b)(?=[\s\['\"]*(?:§|Art\b|Artikel\b|Anlage\b)))\s*"
)
_MARK = re.compile(r"(?:§\s*|\b[Pp]aragra(?:ph|f)(?:en|s)?\s+|\bArt(?:\.|ikel)\s*)\d")
_AROUND = " \t[]'\",."


def citations_in(text: str) -> list[str]:
    """The citations in a text, in its order, each once; lists and ranges written out ("§§ 1 bis 3 BGB" gives three).

    One without a law takes that of the next which names one ("§ 1, § 2 BGB"). A part in which no citation is recognised is given
    back as it is, for whoever looks it up to report: nothing is passed over silently. Empty for a text of blanks.
    """
    parts = [part for part in (piece.strip(_AROUND) for piece in _JOINT.split(text)) if part]
    found: list[str] = []
    law: str | None = None
    for part in reversed(parts):
        singles = list(_singles(part)) or [part]
        named = _law(singles[-1])
        law = named or law
        found[:0] = (
            singles if named or law is None else [f"{single} {law}" if _is_citation(single) else single for single in singles]
        )
    return list(dict.fromkeys(found))


def cites_a_section(text: str) -> bool:
    """Whether a text in everyday words names a section of a law, as people do who have looked one up: "nach § 566a BGB"."""
    return bool(_MARK.search(text))


def _singles(part: str) -> Iterator[str]:
    """The places of a part that lists several or has other words around them; nothing where it is one citation."""
    places = [(place, until, found.law) for found in find(part) for place, until in found.places]
    if len(places) == 1 and places[0][1] is None and _is_citation(part):
        return
    for place, until, law in places:
        for path in _written_out(place, until):
            yield " ".join([*(f"{level} {number}" for level, number in path), *([law] if law else [])])


def _written_out(place: Path, until: Path | None) -> list[Path]:
    if until is None:
        return [place]
    if len(place) == len(until) == 1:
        return [((place[0][0], number),) for number in expand(place[0][1], "bis", until[0][1])]
    return [place, until]


def _law(citation: str) -> str | None:
    try:
        return parse_citation(citation).law
    except InputError:
        return None


def _is_citation(text: str) -> bool:
    try:
        parse_citation(text)
    except InputError:
        return False
    return True
