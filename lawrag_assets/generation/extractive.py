"""The generator without a model: rules over the text's own words. Deterministic, free, and named for what it does.

It makes every strategy buildable offline and is the baseline that costly calls must beat. Its likeness of texts is one of wording,
not of meaning: shared runs of four letters, weighted by how rare they are among the texts at hand.
"""

import re
import time
from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from lawrag_assets.generation.clauses import propositions
from lawrag_assets.generation.fallback import fallback, shortened
from lawrag_assets.generation.protocol import (
    Answer,
    Arrived,
    BoundaryRequest,
    ContextRequest,
    Fallback,
    Origin,
    PropositionsRequest,
    Request,
    SummaryRequest,
    Task,
    Trouble,
    Usage,
)
from lawrag_assets.generation.validation import LONGEST_CONTEXT, flaw
from lawrag_assets.laws.sentences import sentences_of

NAME = "extractive"
RULES = "1"
"""Rises when the same request would get another answer."""

_TOGETHER = 500  # answers handed over at once
_OPENING = 120
_SUMMARY = 600
"""In characters."""
_NEIGHBOURS = 2
"""Texts on either side of a gap. On the sample law's sentences 37 % of the boundaries then are section starts, with 1 17 %, with 3 32 %."""
_MARKER = re.compile(r"^\(\d+[a-z]*\)\s*")

V = TypeVar("V")
Matrix = npt.NDArray[np.float64]


class ExtractiveGenerator:
    """Contexts from the headings, propositions by clauses, boundaries and summaries from the texts' wording."""

    name = NAME

    def origin(self, task: Task) -> Origin:
        """See `Generator.origin`; the version of the rules stands in the place of a prompt's."""
        return Origin(NAME, NAME, task, f"rules-{RULES}", "{}")

    def generate(self, requests: Sequence[Request[V]], arrived: Arrived | None = None) -> list[Answer[V]]:
        """See `Generator.generate`. An answer depends on its request alone; the odd text that leads to one against the rules gets the
        fallback."""
        answers: list[Answer[V]] = []
        for start in range(0, len(requests), _TOGETHER):
            part = [_answer(request) for request in requests[start : start + _TOGETHER]]
            answers += part
            if arrived:
                arrived(dict(enumerate(part, start)))
        return answers


def _answer(request: Request[V]) -> Answer[V]:
    started = time.perf_counter()
    value: Any = _value(request)
    wrong = flaw(request, value)
    usage = Usage(seconds=time.perf_counter() - started)
    return Answer(fallback(request), usage, Fallback(Trouble.BAD_ANSWER, wrong)) if wrong else Answer(value, usage)


def _value(request: Request[Any]) -> object:
    match request:
        case ContextRequest():
            return context(request)
        case PropositionsRequest():
            return propositions(request.unit)
        case BoundaryRequest():
            return boundary([unit.text for unit in request.units])
        case SummaryRequest():
            return summary(request.texts)
        case _:
            raise TypeError(f"no rule for a {type(request).__name__}")


def context(request: ContextRequest) -> str:
    """Citation, the two innermost titles, the heading, and the section's opening where the unit is not itself that."""
    titles = [*request.hierarchy[-2:], request.heading]
    place = ": ".join(part for part in (request.citation, " › ".join(title for title in titles if title)) if part)
    opening = next(iter(sentences_of(_MARKER.sub("", request.section))), "")
    repeats = not opening or opening in request.unit or request.unit in opening
    whole = shortened(f"{place}. {shortened(opening, _OPENING)}", LONGEST_CONTEXT)
    return whole if not repeats and flaw(request, whole) is None else shortened(place, LONGEST_CONTEXT)


def boundary(texts: Sequence[str]) -> int:
    """The number, from 1, of the first text after the deepest drop in likeness; one past the last where it nowhere drops.

    The likeness at a gap is the mean of those between the two texts before it and the two behind it; a drop's depth is how far the
    highest likeness on either side lies above it (after Hearst's TextTiling). Of two equal drops the later counts.
    """
    vectors = wording(texts)
    pairs = vectors @ vectors.T
    gaps = range(1, len(texts))
    likeness = np.array([pairs[max(0, gap - _NEIGHBOURS) : gap, gap : gap + _NEIGHBOURS].mean() for gap in gaps])
    before = np.maximum.accumulate(likeness)
    behind = np.maximum.accumulate(likeness[::-1])[::-1]
    depths = np.round(before + behind - 2 * likeness, 9)
    deepest = int(np.flatnonzero(depths == depths.max())[-1])
    return gaps[deepest] + 1 if depths[deepest] > 0 else len(texts) + 1


def summary(texts: Sequence[str]) -> str:
    """The distinct texts nearest to the centroid of all, as many as fit, in their order; the nearest one cut if it is too long."""
    vectors = wording(texts)
    nearness = np.round(vectors @ vectors.mean(0), 9)
    chosen: list[int] = []
    room = _SUMMARY
    for place in sorted(range(len(texts)), key=lambda p: (-nearness[p], p)):
        if texts[place] in (texts[other] for other in chosen) or (chosen and len(texts[place]) >= room):
            continue
        chosen.append(place)
        room -= len(texts[place]) + 1
        if room <= 0:
            break
    return shortened(" ".join(texts[place] for place in sorted(chosen)), _SUMMARY)


def wording(texts: Sequence[str]) -> Matrix:
    """The texts as vectors (n, d) of length 1 over their runs of four letters, rare ones weighing more; zeros for an empty text."""
    from sklearn.feature_extraction.text import TfidfVectorizer

    if not any(text.strip() for text in texts):
        return np.zeros((len(texts), 1))
    matrix = TfidfVectorizer(analyzer="char_wb", ngram_range=(4, 4), sublinear_tf=True).fit_transform(texts)
    return np.asarray(matrix.toarray(), dtype=np.float64)
