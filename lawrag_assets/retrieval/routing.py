"""The way of a question down a tree of summaries to its leaves (paper, section 3, "RAPTOR": "routed through these summary nodes").

The other way, searching all nodes of the tree at once as if it had no levels (the original's "collapsed tree"), is a plain search.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lawrag_assets.retrieval.hits import Floats, Ints

BREADTH = 8
"""At every level the best nodes are followed until this many times as many leaves as are wanted lie below them.

On a tree over the BGB's subsections (extractive summaries, 700 questions) R@10 was .056, .064, .070 and .073 at 4, 8, 16 and 32, in
0.7, 1.1, 1.4 and 3.3 ms; all nodes at once found .10. Where a summary misses what a question is about, its leaves are lost.
"""


@dataclass(frozen=True)
class Tree:
    """Which chunks lie below which, by position in the index, as compressed sparse rows.

    The children of chunk `i` are `children[starts[i]:starts[i + 1]]`; a leaf has none.
    """

    starts: Ints
    children: Ints
    roots: Ints
    """Chunks that are no other's child: summaries at the top, and leaves of a law too short for a summary."""
    leaf_counts: Ints
    """(chunks,): leaves below each chunk, 1 for a leaf; one below two children counts twice."""

    @classmethod
    def from_lists(cls, chunk_ids: Sequence[str], children: Sequence[Sequence[str]]) -> "Tree | None":
        """The tree of chunks and the ids of their children; None where no chunk has any. Children stand before their parents."""
        position = {chunk_id: row for row, chunk_id in enumerate(chunk_ids)}
        return cls._from_rows([[position[child] for child in below] for below in children])

    @classmethod
    def _from_rows(cls, rows: list[list[int]]) -> "Tree | None":
        if not any(rows):
            return None
        counts = np.ones(len(rows), dtype=np.int64)
        for row, below in enumerate(rows):
            if below:
                counts[row] = counts[below].sum()
        flat = np.array([child for below in rows for child in below], dtype=np.int64)
        starts = np.concatenate([[0], np.cumsum([len(below) for below in rows])]).astype(np.int64)
        return cls(starts, flat, np.setdiff1d(np.arange(len(rows)), flat), counts)

    @property
    def leaves(self) -> int:
        """How many leaves there are."""
        return int((self.starts[1:] == self.starts[:-1]).sum())

    def of_rows(self, rows: Sequence[int]) -> "Tree | None":
        """The tree of some of the chunks, which are then counted anew."""
        new = {row: place for place, row in enumerate(rows)}
        kept = [self.children[self.starts[row] : self.starts[row + 1]].tolist() for row in rows]
        return self._from_rows([[new[child] for child in below if child in new] for below in kept])

    def descend(self, vectors: Floats, query: Floats, k: int, breadth: int = BREADTH) -> tuple[Ints, Floats]:
        """The k best leaves, best first, among those that the question (d,) is led to, and their similarities.

        `vectors` are all chunks'; k is at most the number of leaves.
        """
        level, found = self.roots, np.zeros(0, dtype=np.int64)
        while len(level):
            is_leaf = self.starts[level + 1] == self.starts[level]
            found = np.union1d(found, level[is_leaf])
            level = self._below(self._best(vectors, query, level[~is_leaf], breadth * k))
        if len(found) < k:  # leaves that lie below several summaries were counted several times
            return self.descend(vectors, query, k, 2 * breadth)
        similarities = np.vecdot(vectors[found], query)
        best = np.argsort(-similarities, kind="stable")[:k]
        return found[best], similarities[best]

    def _best(self, vectors: Floats, query: Floats, nodes: Ints, leaves: int) -> Ints:
        """The most similar nodes that have so many leaves below them, or all; at least one."""
        ranked = nodes[np.argsort(-np.vecdot(vectors[nodes], query), kind="stable")]
        enough = np.searchsorted(np.cumsum(self.leaf_counts[ranked]), leaves)
        return ranked[: int(enough) + 1]

    def _below(self, nodes: Ints) -> Ints:
        runs = [self.children[self.starts[node] : self.starts[node + 1]] for node in nodes]
        return np.unique(np.concatenate(runs)) if runs else np.zeros(0, dtype=np.int64)
