"""Questions as retrievers see them: texts, languages and vectors, one or many."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from lawrag_assets.retrieval.hits import Floats

BLOCK = 256
"""Questions answered at once: 256 × 65,000 chunks take 66 MB of similarities."""


@dataclass(frozen=True)
class Asked:
    """q questions."""

    ids: Sequence[str]
    texts: Sequence[str]
    languages: Sequence[str | None]
    """"de", "en", or None where it is not known."""
    vectors: Floats
    """(q, d), normalised, as the embedding model gives them."""

    def __len__(self) -> int:
        return len(self.ids)

    @classmethod
    def one(cls, text: str, language: str | None, vector: Floats) -> "Asked":
        """One question; `vector` is (d,)."""
        return cls(("",), (text,), (language,), np.asarray(vector, dtype=np.float32)[None, :])

    def blocks(self) -> Iterator[tuple[int, "Asked"]]:
        """The questions in blocks of at most `BLOCK`, each with the position of its first."""
        for begin in range(0, len(self), BLOCK):
            yield begin, self._part(slice(begin, begin + BLOCK))

    def at(self, place: int) -> "Asked":
        """The question at a place, alone."""
        return self._part(slice(place, place + 1))

    def _part(self, part: slice) -> "Asked":
        return Asked(self.ids[part], self.texts[part], self.languages[part], self.vectors[part])
