"""What an answer must satisfy, whoever wrote it. A rule that breaks is told in a line; what then happens belongs to the generator.

The rules guard against what language models do to statutes: losing a number, a citation or a "nicht", inventing one, copying,
answering with an apology. They cannot see whether a statement is true.
"""

import re
from typing import Any

from lawrag_assets.generation.essentials import citations, digits, negations, numbers
from lawrag_assets.generation.protocol import BoundaryRequest, ContextRequest, PropositionsRequest, Request, SummaryRequest
from lawrag_assets.laws.reference_grammar import Path

LONGEST_CONTEXT = 400
LONGEST_SUMMARY = 1200
"""In characters."""
_COPY_FROM = 40  # a shorter unit may well occur in a good context, word for word

_NO_ANSWER = re.compile(
    r"""\s*(?:[{<`]|\[\s*["{]|(?:\w+ )*error\b|fehler:|exception\b|traceback\b|rate limit\b|(?:http|status|code)\W*[45]\d\d\b
    |(?:es )?tut mir leid|entschuldigung|leider kann ich|ich kann (?:\w+ )*nicht|als (?:ki|sprachmodell)\b
    |i'?m sorry|i am sorry|sorry\b|i can(?:no|')t|i am unable|as an ai|here (?:is|are)\b
    |hier (?:ist|sind) (?:der|die|ein|eine) (?:kontext|zusammenfassung|propositionen)
    |(?:kontext|zusammenfassung|propositionen?|summary|context):)""".replace("\n    ", ""),
    re.IGNORECASE,
)
"""How errors, refusals and wrappings begin."""


def flaw(request: Request[Any], value: object) -> str | None:
    """What is wrong with an answer's value, in a line; None when nothing is."""
    match request:
        case ContextRequest():
            return _context_flaw(request, value)
        case PropositionsRequest():
            return _propositions_flaw(request, value)
        case BoundaryRequest():
            return _boundary_flaw(request, value)
        case SummaryRequest():
            return _summary_flaw(request, value)
        case _:
            raise TypeError(f"no rules for a {type(request).__name__}")


def _context_flaw(request: ContextRequest, value: object) -> str | None:
    shown = " ".join([request.citation, *request.hierarchy, request.heading, request.section, request.unit])
    if wrong := _text_flaw(value, LONGEST_CONTEXT) or _invented(str(value), shown):
        return wrong
    context, unit = _plain(str(value)), _plain(request.unit)
    if len(context.split()) < 2:
        return "a context of one word"
    if context == unit or context in unit or (len(unit) >= _COPY_FROM and unit in context):
        return "a copy of the unit instead of a context"
    return None


def _propositions_flaw(request: PropositionsRequest, value: object) -> str | None:
    """The unit itself is always right; else the propositions must each be a text and together say no less and no more."""
    if not isinstance(value, tuple) or not value:
        return "no propositions"
    if value == (request.unit,):
        return None
    longest = max(LONGEST_SUMMARY, 2 * len(request.unit))
    return next((wrong for text in value if (wrong := _text_flaw(text, longest))), None) or _loss(request.unit, value)


def _loss(unit: str, propositions: tuple[str, ...]) -> str | None:
    """Every number, citation and negation of the unit must be in some proposition, and no number in one that is not in the unit."""
    union = " \n ".join(dict.fromkeys(propositions))
    if lost := numbers(unit) - numbers(union) - digits(union):
        return f"numbers lost: {_listed(lost)}"
    if lost := _lost_citations(unit, propositions):
        return f"citations lost: {_listed(lost)}"
    if negations(union) < negations(unit):
        return "a negation is lost"
    return _invented(union, unit)


def _boundary_flaw(request: BoundaryRequest, value: object) -> str | None:
    most = len(request.units) + 1
    if not isinstance(value, int) or isinstance(value, bool):
        return "no whole number"
    return None if 2 <= value <= most else f"{value} is not between 2 and {most}"


def _summary_flaw(request: SummaryRequest, value: object) -> str | None:
    return _text_flaw(value, LONGEST_SUMMARY) or _invented(str(value), " ".join(request.texts))


def _text_flaw(value: object, longest: int) -> str | None:
    if not isinstance(value, str) or not re.search(r"\w", value):
        return "an empty text"
    if value != value.strip() or "\n" in value:
        return "a text of several lines, or with space around it"
    if len(value) > longest:
        return f"a text of {len(value)} characters, more than {longest}"
    if re.search(r"[\ud800-\udfff]", value):  # JSON lets half a character through; no file and no cache can hold it
        return "a text with half a character (an unpaired surrogate)"
    return f"not an answer: {value[:60]!r}" if _NO_ANSWER.match(value) else None


def _invented(text: str, source: str) -> str | None:
    new = digits(text) - digits(source)
    if new and (new := new - numbers(source)):  # numbers in words take longer to find
        return f"numbers that the text does not have: {_listed(new)}"
    return None


def _lost_citations(unit: str, propositions: tuple[str, ...]) -> set[str]:
    """Places that no proposition cites; a proposition may name more of a place ("§ 5 Absatz 1" for "Absatz 1"), never less."""
    kept = {citation for proposition in propositions for citation in citations(proposition)}
    lost = set()
    for path, law in citations(unit):
        if not any(other[-len(path) :] == path and law in (named, None) for other, named in kept):
            lost.add(_written(path, law))
    return lost


def _written(path: Path, law: str | None) -> str:
    return " ".join([f"{level} {number}" for level, number in path] + ([law] if law else []))


def _listed(things: set[str]) -> str:
    return ", ".join(sorted(things)[:5])


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.lower()))
