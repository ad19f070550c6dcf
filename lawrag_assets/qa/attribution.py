"""Which passage of the evidence supports a claim best, sentence by sentence, and whether that is enough.

A claim that repeats a sentence of the law is supported. Any other is as well supported as its centred vector is near a sentence's, and
not at all by a passage that lacks a number it states: "30 minutes" is not borne out by a rule on 45.
"""

import re
from collections.abc import Sequence

import numpy as np

from lawrag_assets.qa.guard import Evidence
from lawrag_assets.qa.guard import guarded as checked
from lawrag_assets.qa.model import Claim, Language, Passage
from lawrag_assets.qa.numbers import numbers_in
from lawrag_assets.qa.views import PassageView, QuestionView, Views

THRESHOLD = 0.3
"""The score from which a claim counts as supported."""
_REFERENCE = re.compile(r"\(?(?:§+|Art\.?)\s*\d[^)]*?(?:\)|(?=[.;]$)|$)")
_LETTERS = re.compile(r"[\W_]+")


class Attributor:
    """Attributes claims. Threads may share one."""

    def __init__(self, views: Views, threshold: float = THRESHOLD) -> None:
        self._views, self._threshold = views, threshold

    def attribute(self, statement: str, evidence: Sequence[Passage], language: Language) -> Claim:
        """A statement of an answer as a claim with the passage and sentence that support it best."""
        citations = checked(statement, Evidence(evidence)).citations
        bare = _REFERENCE.sub("", statement).strip() or statement
        for passage in evidence:
            for sentence in passage.sentences:
                if (letters := _letters(sentence.text)) and letters in _letters(bare):
                    return Claim(statement, citations, False, passage.passage_id, passage.citation, sentence, 1.0, True)
        if not evidence:
            return Claim(statement, citations)
        asked = self._views.question(bare, language)
        stated = numbers_in(bare)
        fits = [
            (self._fit(asked, view, has=stated <= numbers_in(passage.text)), passage)
            for passage, view in zip(evidence, self._views.of(evidence), strict=True)
        ]
        (score, place), passage = max(fits, key=lambda fit: fit[0][0])
        return Claim(
            text=statement,
            citations=citations,
            passage_id=passage.passage_id,
            citation=passage.citation,
            sentence=passage.sentences[place] if place < len(passage.sentences) else None,
            score=score,
            supported=score >= self._threshold,
        )

    def _fit(self, asked: QuestionView, view: PassageView, *, has: bool) -> tuple[float, int]:
        """A passage's score and best sentence; `has`: it states all numbers that the claim does."""
        cosines = self._views.sentence_cosines(asked, view)
        place = int(np.argmax(cosines))
        score = float(np.clip(cosines[place], 0.0, 1.0))
        return (score if has else min(score, self._threshold) / 2), place


def _letters(text: str) -> str:
    return _LETTERS.sub("", text.casefold())
