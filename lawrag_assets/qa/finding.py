"""From a question to candidate passages: what the retrievers of a cell say of each chunk, handed to the passages it is about.

The retrievers are `retrieval`'s. A passage is as good as its best chunk. Which candidates are best in the end is the reranker's say.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lawrag_assets.qa.model import Candidate
from lawrag_assets.qa.passages import Passages
from lawrag_assets.retrieval.asked import Asked
from lawrag_assets.retrieval.dense import DenseCentred
from lawrag_assets.retrieval.fusion import LAW_LANGUAGE, standardised
from lawrag_assets.retrieval.hits import Floats
from lawrag_assets.retrieval.index import Index
from lawrag_assets.retrieval.lexical import Lexical

POOL = 20
"""Candidates that are reranked. 30 hold the gold of more questions on the Arbeitszeitgesetz (98 % to 95 %), and rank it worse."""
WORDS = 0.3
"""What words count beside vectors. On German questions on the Arbeitszeitgesetz a third was best (RR .64; as much .58, not at all .63)."""


@dataclass(frozen=True)
class PassageScores:
    """What each way of searching says of every passage of the corpus, each (passages,), in the order of `Passages.all`.

    `dense` and `centred` are cosine similarities, plain and of centred vectors, `lexical` is a BM25 score, 0 in another language than the
    law's. A passage that no chunk is about has -1 and 0.
    """

    dense: np.ndarray
    centred: np.ndarray
    lexical: np.ndarray

    @property
    def fused(self) -> np.ndarray:
        """The standardised scores of `centred` and, for `WORDS` as much, of `lexical`, added."""
        return np.asarray(self.standardised_centred + WORDS * standardised(self.lexical[None, :])[0])

    @property
    def standardised_centred(self) -> np.ndarray:
        """`centred` with mean 0 and deviation 1."""
        return np.asarray(standardised(self.centred[None, :])[0])


class Finder:
    """The retrievers of one cell, at the level of passages. Threads may share one."""

    def __init__(
        self, index: Index, centred: DenseCentred, lexical: Lexical, chunk_passages: Sequence[Sequence[str]], passages: Passages
    ) -> None:
        """`chunk_passages` has for each chunk of the index, in its order, the ids of the passages it is about."""
        self._index, self._centred, self._lexical = index, centred, lexical
        self.passages = passages
        self._slugs = np.array([passage.slug for passage in passages.all])
        self._place = {passage.passage_id: number for number, passage in enumerate(passages.all)}
        pairs = sorted((self._place[identifier], chunk) for chunk, about in enumerate(chunk_passages) for identifier in about)
        self._pairs_passage = np.array([passage for passage, _ in pairs], np.int64)
        self._pairs_chunk = np.array([chunk for _, chunk in pairs], np.int64)
        self._starts = np.flatnonzero(np.diff(self._pairs_passage, prepend=-1))

    def scores(self, asked: Asked) -> PassageScores:
        """Search the whole cell for one question."""
        dense = np.vecdot(self._index.vectors, asked.vectors[0])
        lexical = (
            self._lexical.scores(asked).chunks[0] if asked.languages[0] == LAW_LANGUAGE else np.zeros(len(dense), np.float32)
        )
        centred = self._centred.scores(asked).chunks[0]
        return PassageScores(self._best(dense, -1.0), self._best(centred, -1.0), self._best(lexical, 0.0))

    def candidates(self, scores: PassageScores, laws: Sequence[str], k: int = POOL) -> list[Candidate]:
        """The k best passages of these laws by `fused`, of all where none is named; the score shown is the cosine similarity."""
        fused = np.where(self.of_laws(laws), scores.fused, -np.inf)
        best = [place for place in np.argsort(-fused, kind="stable")[:k] if np.isfinite(fused[place])]
        return [Candidate(self.passages.all[p], float(scores.dense[p]), rank) for rank, p in enumerate(best, 1)]

    def of_laws(self, laws: Sequence[str]) -> np.ndarray:
        """Which passages are of these laws, all where none is named: (passages,)."""
        return np.isin(self._slugs, list(laws)) if laws else np.ones(len(self._slugs), bool)

    def place(self, passage_id: str) -> int:
        """A passage's place in the order of the scores."""
        return self._place[passage_id]

    def vectors(self) -> Floats:
        """Each passage's vector, (passages, d): the mean of its chunks', of length 1; 0 of a passage that no chunk is about."""
        found = np.zeros((len(self.passages), self._index.vectors.shape[1]), np.float32)
        if len(self._starts):
            sums = np.add.reduceat(self._index.vectors[self._pairs_chunk], self._starts, axis=0)
            found[self._pairs_passage[self._starts]] = sums / np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-9)
        return found

    def _best(self, of_chunks: np.ndarray, nothing: float) -> np.ndarray:
        best = np.full(len(self.passages), nothing, np.float32)
        if len(self._starts):
            best[self._pairs_passage[self._starts]] = np.maximum.reduceat(of_chunks[self._pairs_chunk], self._starts)
        return best
