"""What stands in for an answer that could not be had. Plain and the same every time; each is counted as a fallback.

- context: the titles of the hierarchy and the heading, or the citation where there is neither
- propositions: the unit itself, unchanged
- boundary: the whole run is one chunk
- summary: the openings of the texts, as much as fits
"""

from typing import Any, TypeVar, cast

from lawrag_assets.generation.protocol import BoundaryRequest, ContextRequest, PropositionsRequest, Request, SummaryRequest
from lawrag_assets.generation.validation import LONGEST_CONTEXT, LONGEST_SUMMARY

V = TypeVar("V")


def fallback(request: Request[V]) -> V:
    """The value that stands in for an answer to this request."""
    return cast(V, _value(request))


def _value(request: Request[Any]) -> object:
    match request:
        case ContextRequest():
            titles = [title for title in (*request.hierarchy, request.heading) if title]
            return shortened(" › ".join(titles) or request.citation, LONGEST_CONTEXT)
        case PropositionsRequest():
            return (request.unit,)
        case BoundaryRequest():
            return len(request.units) + 1
        case SummaryRequest():
            room = LONGEST_SUMMARY // len(request.texts) - 1
            openings = [shortened(text, max(room, 20)) for text in request.texts]
            return shortened(" ".join(openings), LONGEST_SUMMARY)
        case _:
            raise TypeError(f"no fallback for a {type(request).__name__}")


def shortened(text: str, longest: int) -> str:
    """A text cut at a word so that it has at most `longest` characters, " …" included; unchanged if it is short enough."""
    if len(text) <= longest:
        return text
    cut = text[: longest - 1]
    return (cut.rsplit(" ", 1)[0] if " " in cut else cut[:-1]).rstrip() + " …"
