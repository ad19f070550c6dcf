"""Which laws a question is about: those it names, then those whose passages fit it best.

A law is as near as its best `TOP` passages are on average, and all of its passages: the best alone favour long laws, which have more to
choose from. Both are standardised over the corpus. A name decides before any score: a citation
("§ 3 BUrlG"), an abbreviation, or the law's name in any case ("des Arbeitszeitgesetzes").
"""

import re
from collections.abc import Sequence

import numpy as np

from lawrag_assets.laws.citations import law_key
from lawrag_assets.laws.law_names import abbreviation
from lawrag_assets.laws.reference_grammar import find
from lawrag_assets.qa.finding import PassageScores
from lawrag_assets.qa.model import Passage, Route

TOP = 3
_WORD = re.compile(r"[A-ZÄÖÜ][\wäöüß-]+")
_LONGEST_NAME = 4


class Router:
    """Routes questions over the laws of a corpus."""

    def __init__(self, passages: Sequence[Passage]) -> None:
        """`passages` in the order of the scores."""
        self._laws: dict[str, str] = {passage.slug: passage.law for passage in passages}
        slugs = np.array([passage.slug for passage in passages])
        self._rows = {slug: np.flatnonzero(slugs == slug) for slug in self._laws}
        self._by_name = {law_key(name): slug for slug, law in self._laws.items() for name in (slug, law)}

    def route(self, question: str, scores: PassageScores) -> list[Route]:
        """All laws, the best first."""
        named = self.named(question)
        fused, centred = scores.fused, scores.standardised_centred
        near = {slug: float(np.sort(fused[rows])[-TOP:].mean() + centred[rows].mean()) for slug, rows in self._rows.items()}
        routes = [Route(slug, law, near[slug], slug in named) for slug, law in self._laws.items()]
        return sorted(routes, key=lambda route: (not route.named, -route.score))

    def named(self, question: str) -> set[str]:
        """The laws of the corpus that the question names."""
        names = [found.law for found in find(question) if found.law]
        words = list(_WORD.finditer(question))
        for first in range(len(words)):
            for last in range(first, min(first + _LONGEST_NAME, len(words))):
                name = question[words[first].start() : words[last].end()]
                names += [name, abbreviation(name) or ""]
        return {self._by_name[key] for key in map(law_key, names) if key in self._by_name}
