"""What a norm is called: "§ 433", "Art 229 § 5", "§§ 3 bis 6", "Anlage 37", and the id and citation made of it.

Reading `enbez` and heading labels only; citations that people type are `citations`' concern.
"""

import re

_PLACEHOLDER = re.compile(r"\(?X{4}\)?\s*")
_RANGE_WORD = re.compile(r"(?<=[\da-z])\s(?:is|–|-)\s(?=[\d§A])")
_AND_WORD = re.compile(r"(?<=[\da-z])\su\.?\s(?=[\d§A])")

_LABEL = re.compile(r"(\d+)([a-z]*)")

_KINDS = (
    ("section", re.compile(r"§|Einziger Paragraph|(?:Einzige|Einziger) §")),
    ("article", re.compile(r"(?:Unter)?[Aa]rt(?:ikel|\.)?(?:\s|$)|Einziger Artikel")),
    (
        "annex",
        re.compile(r"Anl(?:agen?|\.)|Anh(?:ang|änge)|Beilage|Anlageband|Tabelle|Muster|Verzeichnis|Schedule|Annex|Appendix"),
    ),
    ("formula", re.compile(r"Eingangs|Schlu[sß]|Präambel|Einleitungs|Vorspruch|Unterschrift|Bekanntmachungsformel")),
    ("contents", re.compile(r"Inhalts(?:übersicht|verzeichnis|angabe)|Gliederung$")),
)


def read_designation(enbez: str) -> str:
    """An `enbez` on one line, without the placeholder sign "(XXXX)" and the brackets of "XXXX (§§ 60 bis 64)"."""
    text = _PLACEHOLDER.sub("", " ".join(enbez.split())).strip()
    if text.startswith("(") and text.endswith(")"):
        text = text[1:-1].strip()
    text = re.sub(r"(§+)(?=\d)", r"\1 ", text)
    return _AND_WORD.sub(" und ", _RANGE_WORD.sub(" bis ", text))


def kind_of(designation: str) -> str:
    """ "section", "article", "annex", "formula", "contents" (a table of contents) or "other"."""
    return next((kind for kind, pattern in _KINDS if pattern.match(designation)), "other")


def section_id(slug: str, designation: str) -> str:
    """slug + "/" + designation without spaces: `bgb/§433`, `bgbeg/Art229§5`. Not yet unique: see `distinct`."""
    return f"{slug}/{''.join(designation.split())}"


def distinct(identifier: str, seen: dict[str, int]) -> str:
    """The id made unique: the second of the same designation in document order gets "~2", and so on."""
    seen[identifier] = seen.get(identifier, 0) + 1
    return identifier if seen[identifier] == 1 else f"{identifier}~{seen[identifier]}"


def members(designation: str) -> list[str]:
    """The single designations in a collective one: "§§ 3 bis 6" → § 3 … § 6; "§§ 21, 22"; any other → itself."""
    match = re.fullmatch(r"(§§|Art|Anlagen?)\s(\d+[a-z]*)(?:\s(bis|und)|(,))\s(?:(?:Art|§)\s)?(\d+[a-z]*)", designation)
    if not match:
        return [designation]
    word = {"§§": "§", "Anlagen": "Anlage"}.get(match[1], match[1])
    return [f"{word} {label}" for label in expand(match[2], match[3] or ",", match[5])]


def expand(first: str, joint: str, last: str) -> list[str]:
    """The labels that "4 bis 6" or "2a und 2b" name; only the two ends where what lies between cannot be known ("3a bis 4")."""
    one, other = _LABEL.fullmatch(first), _LABEL.fullmatch(last)
    if joint in ("bis", "-", "–") and one and other:
        if not one[2] and not other[2] and 0 < int(other[1]) - int(one[1]) < 100:
            return [str(n) for n in range(int(one[1]), int(other[1]) + 1)]
        if one[1] == other[1] and len(one[2]) <= 1 and len(other[2]) == 1 and one[2] < other[2]:
            letters = [chr(code) for code in range(ord(one[2] or "a"), ord(other[2]) + 1)]
            return [one[1] + letter for letter in ([] if one[2] else [""]) + letters]
    return [first, last]
