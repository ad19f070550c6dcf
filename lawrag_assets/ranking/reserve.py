"""Keeping places for sections that no labelled question is about, which a ranker that learns from labels all but forgets.

What that costs is measured beside it: a place kept for the unseen is a place that the popular lose.
"""

from itertools import pairwise

import numpy as np

from lawrag_assets.retrieval.hits import Ints

CUTOFF = 10
"""The places that are looked at."""


def reserve(questions: Ints, unseen: np.ndarray, places: int, cutoff: int = CUTOFF) -> Ints:
    """Reorder ranked pairs so that the first `cutoff` of a question hold `places` sections without training questions, if it has so many.

    `questions` (pairs,) is question by question, best section first; `unseen` (pairs,) says which sections are such. Returns the new order
    of the pairs. Within and below the cutoff the ranking is kept; where enough of the unseen are among the first, nothing changes.
    """
    order = []
    starts = np.flatnonzero(np.diff(questions, prepend=-1))
    for start, end in pairwise([*starts.tolist(), len(questions)]):
        pairs = np.arange(start, end)
        kept = pairs[unseen[start:end]][:places]
        others = pairs[~np.isin(pairs, kept)]
        first = np.sort(np.concatenate([kept, others[: max(0, cutoff - len(kept))]]))
        order += [first, pairs[~np.isin(pairs, first)]]
    return np.concatenate(order) if order else np.zeros(0, dtype=np.int64)
