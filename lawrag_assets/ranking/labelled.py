"""Questions with known answers, as what learns from them and what is tested on them need them."""

import hashlib
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from lawrag_assets.retrieval.hits import Floats, Ints

WORD_DIMENSIONS = 2**18

Rows = npt.NDArray[np.int64]
"""Places of questions in `LabelledQuestions`."""


@dataclass(frozen=True)
class LabelledQuestions:
    """n questions, each with the sections that answer it."""

    sets: tuple[str, ...]
    """Names of their question sets."""
    ids: tuple[str, ...]
    """Their ids, unique within a set."""
    pairs: tuple[str | None, ...]
    """Ids of the same questions in another language, where there are any."""
    texts: tuple[str, ...]
    vectors: Floats
    """(n, d), normalised: as the embedding model gives them."""
    gold: tuple[tuple[str, ...], ...]
    """Section ids; a citation that names no section of the corpus stays as it is written, and is learned from by nobody."""
    words: Any
    """`word_counts` of the texts."""

    def __len__(self) -> int:
        return len(self.ids)

    @classmethod
    def of(cls, questions: pl.DataFrame, vectors: Floats, gold: pl.DataFrame) -> "LabelledQuestions":
        """Of a table of `evaluation.questions.QUESTIONS_SCHEMA`, the vectors of its rows, and their gold (`evaluation.qrels`: question_set,
        query, section). Questions without gold are left out."""
        found = gold.group_by("question_set", "query", maintain_order=True).agg("section")
        kept = questions.select("question_set", "id", "pair", "question").with_row_index("row")
        kept = kept.join(
            found, how="inner", left_on=["question_set", "id"], right_on=["question_set", "query"], maintain_order="left"
        )
        return cls(
            sets=tuple(kept["question_set"]),
            ids=tuple(kept["id"]),
            pairs=tuple(kept["pair"]),
            texts=tuple(kept["question"]),
            vectors=np.ascontiguousarray(vectors[kept["row"].to_numpy()]),
            gold=tuple(tuple(sections) for sections in kept["section"].to_list()),
            words=word_counts(kept["question"].to_list()),
        )

    @classmethod
    def concat(cls, parts: Sequence["LabelledQuestions"]) -> "LabelledQuestions":
        """Several, one after the other; at least one."""
        from scipy.sparse import vstack

        return cls(
            sets=tuple(name for part in parts for name in part.sets),
            ids=tuple(name for part in parts for name in part.ids),
            pairs=tuple(pair for part in parts for pair in part.pairs),
            texts=tuple(text for part in parts for text in part.texts),
            vectors=np.concatenate([part.vectors for part in parts]),
            gold=tuple(sections for part in parts for sections in part.gold),
            words=vstack([part.words for part in parts], format="csr"),
        )

    def take(self, rows: Rows) -> "LabelledQuestions":
        """The questions at these places."""
        places = rows.tolist()
        return LabelledQuestions(
            sets=tuple(self.sets[place] for place in places),
            ids=tuple(self.ids[place] for place in places),
            pairs=tuple(self.pairs[place] for place in places),
            texts=tuple(self.texts[place] for place in places),
            vectors=np.ascontiguousarray(self.vectors[rows]),
            gold=tuple(self.gold[place] for place in places),
            words=self.words[rows],
        )

    @property
    def version(self) -> str:
        """A hash of what they say, vectors aside."""
        digest = hashlib.sha256()
        for row in zip(self.sets, self.ids, self.texts, self.gold, strict=True):
            digest.update(repr(row).encode())
        return digest.hexdigest()[:16]


def word_counts(texts: Sequence[str]) -> Any:
    """Character 5-grams of each text, as a scipy CSR matrix of counts."""
    from scipy.sparse import csr_matrix
    from sklearn.feature_extraction.text import HashingVectorizer

    if not len(texts):
        return csr_matrix((0, WORD_DIMENSIONS), dtype=np.float32)

    # Hashed, so that a stored memory needs no vocabulary; at 2^18 dimensions clashes do not show.
    vectorizer = HashingVectorizer(
        analyzer="char_wb", ngram_range=(5, 5), n_features=WORD_DIMENSIONS, alternate_sign=False, norm=None, dtype=np.float32
    )
    return vectorizer.transform(texts)


def plain(text: str) -> str:
    """A text without what does not make another question of it: case, spacing, punctuation at its ends, ways of encoding a character."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return re.sub(r"\s+", " ", folded).strip(" .?!\"'")


@dataclass(frozen=True)
class Labels:
    """Which sections answer which question, as compressed sparse rows over the sections that answer any."""

    sections: tuple[str, ...]
    """Section ids, sorted by code point."""
    starts: Ints
    """(questions + 1,)."""
    places: Ints
    """Positions in `sections`, question by question."""

    @classmethod
    def of(cls, gold: Sequence[Sequence[str]], known: frozenset[str]) -> "Labels":
        """Of gold section ids, a list a question; only `known` ones count."""
        kept = [[section for section in sections if section in known] for sections in gold]
        ids = tuple(sorted({section for sections in kept for section in sections}))
        number = {section: place for place, section in enumerate(ids)}
        counts = np.array([len(sections) for sections in kept], dtype=np.int64)
        places = np.array([number[section] for sections in kept for section in sections], dtype=np.int64)
        return cls(ids, np.concatenate([np.zeros(1, dtype=np.int64), np.cumsum(counts)]), places)

    @property
    def questions(self) -> Ints:
        """For each of `places`, the question it belongs to."""
        return np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))

    @property
    def counts(self) -> Ints:
        """How many questions each section answers: its popularity."""
        return np.bincount(self.places, minlength=len(self.sections)).astype(np.int64)
