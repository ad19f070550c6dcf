"""From chunks to sections: each chunk hands its similarity to its parent sections, which are ranked (paper, Figure 1, step 5).

One file because the three ways differ in one line each. Searching and run tables do not belong here.

The ways, by name: `max`, a section's best hit (default); `sum` of its hits among the candidates; `mean_top_n`, the mean of its
three best hits, or of all where it has fewer. Sections with equal scores are ranked by section id.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from lawrag_assets.errors import InputError
from lawrag_assets.retrieval.hits import Floats, Hits, Ints, Parents

DEFAULT_AGGREGATION = "max"
TOP_N = 3


@dataclass(frozen=True)
class Groups:
    """Hits put together by question and section, the best hit of each group first."""

    similarities: npt.NDArray[np.float64]
    """(hits,): one group after the other."""
    starts: Ints
    """(groups,): where each group begins."""
    counts: Ints
    """(groups,): hits of each group, at least 1."""


@dataclass(frozen=True)
class Ranking:
    """Ranked sections of q questions: one row a (question, section), question by question, best section first."""

    queries: Ints
    """Position of the question in the block searched."""
    sections: Ints
    """Position in `Parents.ids`."""
    scores: Floats
    """Strictly falling within a question, see `rank_sections`."""
    chunks: Ints
    """The section's best chunk: position in the index."""

    @property
    def ranks(self) -> Ints:
        """Rank within the question, from 1."""
        positions = np.arange(len(self.queries))
        return positions - np.searchsorted(self.queries, self.queries) + 1


Aggregation = Callable[[Groups], npt.NDArray[np.float64]]
"""Scores of the groups, (groups,)."""


def best_hit(groups: Groups) -> npt.NDArray[np.float64]:
    """Score a section by its most similar chunk."""
    return groups.similarities[groups.starts]


def sum_of_hits(groups: Groups) -> npt.NDArray[np.float64]:
    """Score a section by the sum over its chunks among the candidates: many fair hits beat one good one."""
    return np.add.reduceat(groups.similarities, groups.starts)


def mean_of_best_hits(groups: Groups) -> npt.NDArray[np.float64]:
    """Score a section by the mean of its `TOP_N` most similar chunks, of all where it has fewer."""
    place = np.arange(len(groups.similarities)) - np.repeat(groups.starts, groups.counts)
    best = np.where(place < TOP_N, groups.similarities, 0.0)
    return np.add.reduceat(best, groups.starts) / np.minimum(groups.counts, TOP_N)


AGGREGATIONS: dict[str, Aggregation] = {"max": best_hit, "sum": sum_of_hits, "mean_top_n": mean_of_best_hits}


def aggregation_named(name: str) -> Aggregation:
    """Look an aggregation up; InputError lists the known names."""
    if name not in AGGREGATIONS:
        raise InputError(f"unknown aggregation {name!r}: one of {', '.join(AGGREGATIONS)}")
    return AGGREGATIONS[name]


def rank_sections(hits: Hits, parents: Parents, aggregation: Aggregation = best_hit) -> Ranking:
    """Rank all sections that the hits of each question belong to.

    Equal scores are ranked by section id, and then set apart by the smallest step of a float32, downwards. Evaluation tools
    order by score alone and break ties each in their own way (trec_eval by falling id, MS MARCO's script by rising id): with
    strictly falling scores all of them see this ranking. It matters: the parents of one best chunk always tie under `max`.
    """
    rows, sections, similarities, chunks = _hand_to_parents(hits, parents)
    if len(rows) == 0:
        return Ranking(rows, sections, np.zeros(0, dtype=np.float32), chunks)
    key = rows * len(parents.ids) + sections
    order = np.argsort(key, kind="stable")  # hits come best first, and stay so within a group
    key = key[order]
    starts = np.flatnonzero(np.concatenate([[True], key[1:] != key[:-1]]))
    counts = np.diff(np.append(starts, len(key)))
    scores = aggregation(Groups(similarities[order], starts, counts)).astype(np.float32)
    first = order[starts]
    ranked = np.lexsort((sections[first], -scores, rows[first]))
    first = first[ranked]
    return Ranking(rows[first], sections[first], set_apart(scores[ranked], rows[first]), chunks[first])


def _hand_to_parents(hits: Hits, parents: Parents) -> tuple[Ints, Ints, npt.NDArray[np.float64], Ints]:
    """Repeat every hit for each of its parent sections: question, section, similarity, chunk."""
    chunks = hits.chunks.ravel()
    begin = parents.starts[chunks]
    counts = parents.starts[chunks + 1] - begin
    hit = np.repeat(np.arange(len(chunks)), counts)
    within = np.arange(len(hit)) - np.repeat(np.cumsum(counts) - counts, counts)
    rows = hit // max(hits.chunks.shape[1], 1)
    return rows, parents.sections[begin[hit] + within], hits.similarities.ravel()[hit].astype(np.float64), chunks[hit]


def set_apart(scores: Floats, rows: Ints) -> Floats:
    """Lower scores by as few float32 steps as make them strictly falling within each question; they are falling already."""
    bits = scores.view(np.int32).astype(np.int64)
    steps = np.where(bits < 0, np.int64(-(2**31)) - bits, bits)  # consecutive floats are consecutive integers
    position = np.arange(len(scores)) - rows * np.int64(2**33)  # a question's integers lie below all of the one before
    apart = np.minimum.accumulate(steps + position) - position
    back = np.where(apart < 0, np.int64(-(2**31)) - apart, apart).astype(np.int32)
    return back.view(np.float32)
