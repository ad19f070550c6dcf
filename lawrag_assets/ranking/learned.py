"""The retriever `learned`: a fitted ranker over retrievers without labels, for questions that people ask."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from lawrag_assets.ranking.features import Retrieved
from lawrag_assets.ranking.labelled import word_counts
from lawrag_assets.ranking.measured import DEPTH
from lawrag_assets.ranking.ranker import Ranker
from lawrag_assets.ranking.reserve import reserve
from lawrag_assets.ranking.viewpoint import place_in, uncentring
from lawrag_assets.retrieval.aggregation import Ranking, set_apart
from lawrag_assets.retrieval.asked import Asked
from lawrag_assets.retrieval.fusion import Fused
from lawrag_assets.retrieval.index import Index
from lawrag_assets.retrieval.names import LEARNED
from lawrag_assets.retrieval.retriever import Retriever, Scorer, ranked


@dataclass(frozen=True)
class CellRetrievers:
    """A cell's retrievers without labels, asked together: what one has worked out, another need not."""

    index: Index
    dense: Retriever
    fused: Fused

    @property
    def section_ids(self) -> tuple[str, ...]:
        """Sections that rankings count by their position here."""
        return self.fused.section_ids

    def rankings(self, asked: Asked) -> dict[str, Ranking]:
        """Each one's ranking, by its name, as the retriever itself gives it."""
        by_vector, by_word = self.fused.dense.scores(asked), self.fused.lexical.scores(asked)
        return {
            self.dense.name: self.dense.rank(asked),
            self.fused.dense.name: ranked(by_vector, self.fused.sections),
            self.fused.lexical.name: self.fused.lexical.ranked(by_word),
            self.fused.name: ranked(self.fused.together(asked, by_vector, by_word), self.fused.sections),
        }


class Learned:
    """Ranks sections as labelled questions taught. Never to be measured: `measured` does that, on splits."""

    name = LEARNED

    def __init__(self, ranker: Ranker, cells: Mapping[str, CellRetrievers], shown: Scorer, reserved: int = 0) -> None:
        """`cells` by the names that the ranker was fitted with; the chunks of `shown` are shown; `reserved` places of the first ten are
        kept for sections without training questions."""
        self.section_ids, self.chunk_ids = shown.section_ids, shown.chunk_ids
        self._ranker, self._cells, self._shown, self._reserved = ranker, cells, shown, reserved
        self._number = {name: place_in(cell.section_ids, ranker.sections.ids) for name, cell in cells.items()}
        self._shown_at = place_in(ranker.sections.ids, shown.section_ids)
        self._centred = uncentring({name: cell.index for name, cell in cells.items()})
        self._unseen = np.ones(len(ranker.sections.ids), dtype=bool)
        self._unseen[ranker.remembered.seen(ranker.sections)] = False

    def rank(self, asked: Asked) -> Ranking:
        """The best sections of every question."""
        runs = {
            f"{name} {retriever}": Retrieved.of_ranking(ranking, self._number[name])
            for name, cell in self._cells.items()
            for retriever, ranking in cell.rankings(asked).items()
        }
        words, facts = word_counts(asked.texts), self._ranker.sections
        described = self._ranker.remembered.describe_asked(asked.vectors, words, runs, self._centred, facts)
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
