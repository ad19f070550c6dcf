"""What a search finds, before anything is handed to sections: chunks and their similarities."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float32]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Hits:
    """The k nearest chunks of q questions, best first; equally similar chunks in the order of the index."""

    chunks: Ints
    """(q, k): positions of chunks in the index."""
    similarities: Floats
    """(q, k): cosine similarities, as dot products of normalised vectors."""


@dataclass(frozen=True)
class Parents:
    """Which sections each chunk belongs to, as compressed sparse rows.

    Chunk `i` has the sections `ids[j]` for `j` in `sections[starts[i]:starts[i + 1]]`. `ids` is sorted, so that the order of
    section numbers is the order of section ids: ties broken by the one are broken by the other.
    """

    starts: Ints
    """(chunks + 1,): where each chunk's sections begin."""
    sections: Ints
    """(all parents of all chunks,): positions in `ids`, distinct within a chunk."""
    ids: tuple[str, ...]
    """Section ids, sorted by code point."""

    @classmethod
    def from_lists(cls, parents: list[list[str]]) -> "Parents":
        """Compress one list of section ids a chunk; a section that a chunk names twice counts once."""
        distinct = [dict.fromkeys(sections) for sections in parents]
        ids = tuple(sorted({section for sections in distinct for section in sections}))
        number = {section: i for i, section in enumerate(ids)}
        counts = np.array([len(sections) for sections in distinct], dtype=np.int64)
        flat = np.array([number[section] for sections in distinct for section in sections], dtype=np.int64)
        return cls(starts=np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(counts)]), sections=flat, ids=ids)
