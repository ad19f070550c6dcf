"""Citations as people write them, taken apart and put into one form: "433 I 2 BGB", "§433bgb", "Art. 1 Abs. 1 GG".

One citation, standing alone: gold labels and typed input. References inside running text are `references`' concern. Numbers are
compared as wholes: § 823 never matches § 1823.
"""

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lawrag_assets.errors import InputError
from lawrag_assets.laws.designation import members
from lawrag_assets.laws.law_names import abbreviation, nominative

if TYPE_CHECKING:
    import polars as pl

_ROMAN = {"I": 1, "V": 5, "X": 10, "L": 50}
_PAR_NUMBER = r"(?-i:\d+(?:\.\d+)*(?:(?!ff\b)[a-z]{1,2}(?![A-Za-zÄÖÜäöüß])|\s(?!f)[a-z](?=[\s,]|$))?)"
_PARTS = re.compile(
    r"\s*(?:(?P<article>(?:unter)?art(?:ikels?|\.)?\s*(?P<art>" + _PAR_NUMBER + r"|(?-i:[IVXL]+\b)))"
    r"|(?P<paragraph>(?:§{1,2}|paragraph)\s*(?P<par>" + _PAR_NUMBER + r"))"
    r"|(?P<annex>(?P<annexword>anlage|anhang)(?:\s+(?P<annexnumber>(?-i:\d+[a-z]{0,2}|[IVXL]+)\b))?))",
    re.IGNORECASE,
)
_BARE = re.compile(r"\s*(?P<par>\d+(?:\.\d+)*[a-z]{0,2})(?=\s)")
_SUBSECTION = re.compile(
    r"\s*,?\s*(?:abs(?:atz|\.)?\s*(\d+[a-z]{0,2})\b|\((\d+[a-z]{0,2})\)|(?-i:([IVXL]+[a-z]?))(?=[\s,)]|$))", re.IGNORECASE
)
_SENTENCE = re.compile(r"\s*,?\s*(?:s(?:atz|\.)?\s*(\d+)\b|(\d+)(?=[\s,]))", re.IGNORECASE)
_NUMBER = re.compile(r"\s*,?\s*(?:(?:nr|ziff)\.?|nummer|ziffer)\s*(\d+[a-z]{0,2})\b", re.IGNORECASE)
_LETTER = re.compile(r"\s*,?\s*(?:buchst(?:abe|\.)?|lit\.?)\s*([a-z]{1,2})\b", re.IGNORECASE)
_HALF = re.compile(
    r"\s*,?\s*(?:\d\.\s?(?:halbs(?:atz|\.)?|hs\.?|alt(?:ernative|\.)?)|(?:halbs(?:atz|\.)?|hs\.?|alt(?:ernative|\.)?)\s*\d)",
    re.IGNORECASE,
)
_FOLLOWING = re.compile(r"\s*ff?\.?(?=\s|$)")
_LAW_FIRST = re.compile(
    r"(?![Aa]rt\b|Artikel\b|Anlage\b|Anhang\b)(?P<law>[A-ZÄÖÜ][\w. -]*?)\s*,?\s+(?=§|[Aa]rt\b|Artikel\b)(?P<rest>.*)"
)
_ARTICLE_OF_LAW = re.compile(r"(?:des|der|dem)\s+(?=[A-ZÄÖÜ])")


@dataclass(frozen=True, slots=True)
class Citation:
    """A citation in normal form. `designation` is the section's ("§ 433", "Art 229 § 5", "Anlage 2"); the rest is None where
    not given."""

    law: str | None
    designation: str
    subsection: str | None = None
    sentence: str | None = None
    number: str | None = None
    letter: str | None = None

    @property
    def section(self) -> str:
        """The citation of the section alone: "§ 433 BGB"."""
        return f"{self.designation} {self.law}" if self.law else self.designation

    def __str__(self) -> str:
        """The whole in normal form: "§ 433 Abs. 1 Satz 2 Nr. 3 BGB"."""
        parts = [self.designation]
        parts += [f"{word} {value}" for word, value in self._finer() if value]
        return " ".join([*parts, self.law] if self.law else parts)

    def _finer(self) -> tuple[tuple[str, str | None], ...]:
        return (("Abs.", self.subsection), ("Satz", self.sentence), ("Nr.", self.number), ("Buchst.", self.letter))


def parse_citation(text: str) -> Citation:
    """Take a citation apart; InputError if the text is none.

    Understood: "§" or "Art"/"Art."/"Artikel" or neither before the number; Absatz as "Abs. 1", "Absatz 1", "(1)" or a Roman
    numeral; Satz as "Satz 2", "S. 2" or the bare number after a Roman one; Nr., Buchst., Halbsatz; the law's abbreviation or
    name at the end.
    """
    rest = " ".join(text.split())
    law = ""
    if first := _LAW_FIRST.fullmatch(rest):
        law, rest = first["law"], first["rest"]
    designation, rest = _designation(rest, text)
    found: dict[str, str] = {}
    for name, pattern in (("subsection", _SUBSECTION), ("sentence", _SENTENCE), ("number", _NUMBER), ("letter", _LETTER)):
        match = pattern.match(rest)
        if not match or (name == "sentence" and match[2] and "subsection" not in found):
            continue  # a bare number is a sentence only after a subsection: "433 I 2"
        found[name] = _plain(next(g for g in match.groups() if g))
        rest = rest[match.end() :]
    for pattern in (_HALF, _FOLLOWING):
        if match := pattern.match(rest):
            rest = rest[match.end() :]
    law = law or rest.strip(" ,.;")
    if genitive := _ARTICLE_OF_LAW.match(law):
        law = abbreviation(law) or nominative(law[genitive.end() :])
    if law and not re.match(r"\w", law):
        raise InputError(f"{text!r} is no citation such as '§ 433 Abs. 1 BGB': {law!r} is no law")
    return Citation(law or None, designation, **found)


def comparable(text: str) -> str:
    """A form that two writings of one citation share ("§433 I bgb", "§ 433 Abs. 1 BGB"); a text that is no citation keeps its words."""
    try:
        return str(parse_citation(text)).casefold()
    except InputError:
        return " ".join(text.split()).casefold()


def _designation(rest: str, text: str) -> tuple[str, str]:
    parts: list[str] = []
    while match := _PARTS.match(rest):
        if match["article"]:
            parts.append(f"Art {_compact(match['art'])}")
        elif match["paragraph"]:
            parts.append(f"§ {_compact(match['par'])}")
        else:
            parts.append(f"{match['annexword'].capitalize()} {match['annexnumber'] or ''}".strip())
        rest = rest[match.end() :]
        if match["paragraph"]:
            break
    if not parts and (match := _BARE.match(rest)):
        parts.append(f"§ {_compact(match['par'])}")
        rest = rest[match.end() :]
    if not parts:
        raise InputError(f"{text!r} is no citation such as '§ 433 Abs. 1 BGB' or 'Art 1 GG'")
    return " ".join(parts), rest


def _compact(number: str) -> str:
    return "".join(number.split()) if not re.fullmatch(r"[IVXL]+", number) else number


def _plain(value: str) -> str:
    """ "I" → "1", "IIa" → "2a"; others without blanks."""
    value = "".join(value.split())
    roman = re.fullmatch(r"([IVXL]+)([a-z]?)", value)
    if not roman:
        return value.lower()
    digits = [_ROMAN[c] for c in roman[1]]
    total = sum(-d if any(e > d for e in digits[i + 1 :]) else d for i, d in enumerate(digits))
    return f"{total}{roman[2]}"


def law_key(name: str) -> str:
    """A law's name for comparison: case, blanks and the Roman or Arabic number of a code ("SGB IX", "SGB 9") make no
    difference.

    juris puts "EG" (introductory act) behind, lawyers before: BGBEG and EGBGB give one key.
    """
    words = name.replace("_", " ").split()
    key = "".join(_plain(w) if re.fullmatch(r"[IVXL]+", w) else w for w in words).casefold()
    return f"{key[2:]}eg" if key.startswith("eg") and len(key) > 4 else key


class CitationIndex:
    """Finds the section that a citation names."""

    def __init__(self, sections: "pl.DataFrame", names: dict[str, Sequence[str]] | None = None) -> None:
        """`sections` as `tables.SECTIONS_SCHEMA` (section_id, slug, law, designation are used); `names` adds further names by
        slug."""
        self._ids: dict[tuple[str, str], str] = {}
        self._status: dict[tuple[str, str], str] = {}
        columns = sections.select("section_id", "slug", "law", "designation", "status").iter_rows()
        for identifier, slug, law, designation, status in columns:
            keys = {law_key(name) for name in (law, slug, *(names or {}).get(slug, ()))}
            for key in itertools.product(keys, map(designation_key, members(designation))):
                if key not in self._ids or (status == "in_force" and self._status[key] != "in_force"):
                    self._ids[key] = identifier
                    self._status[key] = status

    def section_id(self, citation: str) -> str | None:
        """The id of the cited section; None if no section of the corpus bears it. InputError if the text is no citation.

        § 4 is found in a repealed "§§ 3 bis 6".

        A citation without a law names nothing. Of two sections with one designation the one in force is meant, else the first.
        """
        return self._ids.get(_key(parse_citation(citation)))

    def status(self, citation: str) -> str | None:
        """The status of the section that `section_id` finds; None where it finds none. InputError if the text is no citation."""
        return self._status.get(_key(parse_citation(citation)))

    def why_unknown(self, citation: str) -> str:
        """Why a citation for which `section_id` finds nothing names no section, in a few words: "no citation", "names no law", "law
        is not in the corpus", "no such section"."""
        try:
            law, _ = _key(parse_citation(citation))
        except InputError:
            return "no citation"
        if not law:
            return "names no law"
        return "no such section" if any(law == known for known, _ in self._ids) else "law is not in the corpus"


def _key(citation: Citation) -> tuple[str, str]:
    """What sections are found by; no section has an empty law."""
    return law_key(citation.law or ""), designation_key(citation.designation)


def designation_key(designation: str) -> str:
    """A designation for comparison: without blanks, "Art", "Art." and "Artikel" alike."""
    return re.sub(r"^(unter)?art(?:ikel|\.)?", r"\1art", "".join(designation.split()).casefold())
