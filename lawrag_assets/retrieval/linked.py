"""The retriever `linked`: one step along the references of the law, taken while a question is asked.

What the best sections refer to is let in: a provision that answers a question often leaves half of it to another one. The step only adds
to scores, so a section that nothing refers to stays where it was among its like.
"""

import numpy as np
import polars as pl

from lawrag_assets.retrieval.asked import Asked
from lawrag_assets.retrieval.hits import Floats
from lawrag_assets.retrieval.retriever import Scorer, Scores, top_sections

FROM, SHARE = 10, 0.2
"""The ten best sections hand a fifth of their score to each section that they refer to.

Chosen from FROM 5, 10, 20 and SHARE .15, .2, .3 by the mean R@10 of five cells of the BGB on one half of GerLayQA's development questions
(those whose id's SHA-256 is even). On the other half, too, four of the five rise (such as .219 → .224 with proposition/contextual), and
one falls (section/flat, .212 → .210).
"""


class Linked(Scorer):
    """Another scorer's scores, raised for sections that its best ones refer to."""

    name = "linked"

    def __init__(self, first: Scorer, references: pl.DataFrame) -> None:
        """`first` gives good sections positive scores, as `Fused` does. `references` has source and target, section ids (`laws.edges`);
        what leads to no section that `first` knows is left out."""
        super().__init__(first.sections)
        self._first = first
        number = {section: place for place, section in enumerate(first.section_ids)}
        edges = references.select("source", "target").unique(maintain_order=True).iter_rows()
        known = sorted({(number[a], number[b]) for a, b in edges if a in number and b in number and a != b})
        sources, self._targets = np.array(known, dtype=np.int64).reshape(-1, 2).T
        self._starts = np.searchsorted(sources, np.arange(len(number) + 1))

    def scores(self, asked: Asked) -> Scores:
        """A section that several of the best refer to is raised by what the best of them hands on."""
        found = self._first.scores(asked)
        return Scores(found.sections + self._raise(found.sections), found.chunks)

    def _raise(self, scores: Floats) -> Floats:
        queries, best, values = top_sections(scores, FROM)
        counts = self._starts[best + 1] - self._starts[best]
        within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        targets = self._targets[np.repeat(self._starts[best], counts) + within]
        raised = np.zeros_like(scores)
        handed = np.repeat(np.float32(SHARE) * np.maximum(values, np.float32(0)), counts)
        np.maximum.at(raised, (np.repeat(queries, counts), targets), handed)
        return raised
