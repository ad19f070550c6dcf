"""The retriever `learned`: a fitted ranker over retrievers without labels, for questions that people ask."""

from collections.abc import Mapping

import numpy as np

from lawrag_assets.ranking.features import Retrieved
from lawrag_assets.ranking.labelled import word_counts
from lawrag_assets.ranking.measured import DEPTH
from lawrag_assets.ranking.ranker import Ranker
from lawrag_assets.ranking.reserve import reserve
from lawrag_assets.retrieval.aggregation import Ranking, set_apart
from lawrag_assets.retrieval.asked import Asked
from lawrag_assets.retrieval.hits import Ints
from lawrag_assets.retrieval.names import LEARNED
from lawrag_assets.retrieval.retriever import Retriever, Scorer


class Learned:
    """Ranks sections as labelled questions taught. Never to be measured: `measured` does that, on splits."""

    name = LEARNED

    def __init__(self, ranker: Ranker, parts: Mapping[str, Retriever], shown: Scorer, reserved: int = 0) -> None:
        """`parts` are the retrievers by the names that the ranker was fitted with; the chunks of `shown` are shown; `reserved` places of
        the first ten are kept for sections without training questions."""
        self.section_ids, self.chunk_ids = shown.section_ids, shown.chunk_ids
        self._ranker, self._parts, self._shown, self._reserved = ranker, parts, shown, reserved
        number = {section: place for place, section in enumerate(ranker.sections.ids)}
        self._number = {name: _places(part.section_ids, number) for name, part in parts.items()}
        shown_at = {section: place for place, section in enumerate(shown.section_ids)}
        self._shown_at = _places(ranker.sections.ids, shown_at)
        self._unseen = np.ones(len(ranker.sections.ids), dtype=bool)
        self._unseen[ranker.remembered.seen(ranker.sections)] = False

    def rank(self, asked: Asked) -> Ranking:
        """The best sections of every question."""
        runs = {name: _retrieved(part.rank(asked), self._number[name]) for name, part in self._parts.items()}
        described = self._ranker.remembered.describe_asked(asked.vectors, word_counts(asked.texts), runs, self._ranker.sections)
        scores = self._ranker.score(described)
        order = np.lexsort((described.sections, -scores, described.questions))
        questions, sections, scores = described.questions[order], described.sections[order], scores[order]
        if self._reserved:
            kept = reserve(questions, self._unseen[sections], self._reserved)
            questions, sections = questions[kept], sections[kept]
            scores = -np.arange(len(kept), dtype=np.float32)
        place = np.arange(len(questions)) - np.searchsorted(questions, questions)
        there = (self._shown_at[sections] >= 0) & (place < DEPTH)
        questions, found, scores = questions[there], self._shown_at[sections[there]], scores[there]
        chunks = self._shown.sections.best_chunks(self._shown.scores(asked).chunks, questions, found)
        return Ranking(questions, found, set_apart(scores, questions), chunks)


def _places(ids: tuple[str, ...], number: Mapping[str, int]) -> Ints:
    """Where each id stands elsewhere, −1 where it does not: (ids,)."""
    return np.array([number.get(section, -1) for section in ids], dtype=np.int64)


def _retrieved(ranking: Ranking, number: Ints) -> Retrieved:
    """A retriever's ranking in the ranker's section numbers."""
    sections = number[ranking.sections]
    there = sections >= 0
    return Retrieved(ranking.queries[there], sections[there], ranking.scores[there], ranking.ranks[there])
