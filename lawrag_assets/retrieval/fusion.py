"""The retriever `fused`: what vectors and words say together, with nothing fitted.

Each part's scores of a question are put on one scale (mean 0 and deviation 1 over all sections) and added. Where the question is not in
the law's language, its words say nothing, and the vectors speak alone.
"""

import numpy as np

from lawrag_assets.retrieval.asked import Asked
from lawrag_assets.retrieval.dense import DenseCentred
from lawrag_assets.retrieval.hits import Floats
from lawrag_assets.retrieval.lexical import Lexical
from lawrag_assets.retrieval.retriever import Scorer, Scores

LAW_LANGUAGE = "de"


class Fused(Scorer):
    """The sum of the standardised scores of a dense and a lexical retriever of the same cell; shows the dense one's chunks."""

    name = "fused"

    def __init__(self, dense: DenseCentred, lexical: Lexical) -> None:
        super().__init__(dense.sections)
        self.dense, self.lexical = dense, lexical

    def scores(self, asked: Asked) -> Scores:
        """Standardised sums. A question whose language is not known counts as one in the law's."""
        return self.together(asked, self.dense.scores(asked), self.lexical.scores(asked))

    def together(self, asked: Asked, by_vector: Scores, by_word: Scores) -> Scores:
        """The same from what the two have said of the questions."""
        heard = np.array([language in (None, LAW_LANGUAGE) for language in asked.languages], dtype=np.float32)
        return Scores(standardised(by_vector.sections) + heard[:, None] * standardised(by_word.sections), by_vector.chunks)


def standardised(scores: Floats) -> Floats:
    """Each question's scores with mean 0 and deviation 1, all 0 where they are all the same: (q, sections)."""
    if scores.shape[1] == 0:
        return scores
    spread = scores.std(axis=1, keepdims=True)
    found: Floats = (scores - scores.mean(axis=1, keepdims=True)) / np.where(spread > 0, spread, np.float32(1))
    return found
