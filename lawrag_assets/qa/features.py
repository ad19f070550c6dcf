"""What the offline reranker sees of a candidate beside a question, as numbers.

Each earned its place on questions on the Arbeitszeitgesetz, cross-validated:

- `centred`: cosine of centred vectors, question and Absatz
- `lexical`: BM25 of German questions
- `max_sim`: late interaction of centred token vectors, which tells the Absätze of one section apart; the most of it
- `sentence`: centred cosine with the nearest sentence
- `section`: the best `centred` of the candidate's section

These bought nothing: plain cosines (they drag English questions down), the cosine with the Absatz behind its headings (which the token
vectors are read behind anyway), the length of an Absatz, its place in the section. Features are standardised among the candidates of a
question, for their scale differs between questions.
"""

from collections.abc import Sequence

import numpy as np

from lawrag_assets.qa.finding import Finder, PassageScores
from lawrag_assets.qa.model import Candidate
from lawrag_assets.qa.views import QuestionView, Views
from lawrag_assets.retrieval.asked import Asked

FEATURES = ("centred", "lexical", "max_sim", "sentence", "section")


class FeatureMaker:
    """Makes the features of candidates. Threads may share one."""

    def __init__(self, finder: Finder, views: Views) -> None:
        self._finder, self.views = finder, views
        self._sections: dict[str, list[int]] = {}
        for place, passage in enumerate(finder.passages.all):
            self._sections.setdefault(passage.section_id, []).append(place)

    def features(self, asked: Asked, candidates: Sequence[Candidate], scores: PassageScores) -> np.ndarray:
        """(candidates, FEATURES), standardised among the candidates."""
        if not candidates:
            return np.zeros((0, len(FEATURES)))
        passages = [candidate.passage for candidate in candidates]
        places = [self._finder.place(passage.passage_id) for passage in passages]
        question: QuestionView = self.views.question(asked.texts[0], asked.languages[0] or "")
        views = self.views.of(passages)
        raw = np.column_stack(
            [
                scores.centred[places],
                scores.lexical[places],
                self.views.max_sim(question, views),
                [float(self.views.sentence_cosines(question, view).max()) for view in views],
                [float(scores.centred[self._sections[passage.section_id]].max()) for passage in passages],
            ]
        ).astype(np.float64)
        spread = raw.std(axis=0)
        return np.asarray((raw - raw.mean(axis=0)) / np.where(spread > 1e-9, spread, 1.0))
