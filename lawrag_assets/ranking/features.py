"""What a ranker is told of a question and a section: how each retriever and the labelled questions see the two.

A feature is a number of a (question, section) pair, NaN where it is not known; its name says what gave it. Which pairs there are is
decided here, too: the candidates. Learning from them belongs to `ranker`.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from lawrag_assets.retrieval.aggregation import Ranking
from lawrag_assets.retrieval.hits import Floats, Ints

UNSUPERVISED_CANDIDATES = 20
"""Best sections of each retriever without labels that are looked at."""
REMEMBERED_CANDIDATES = 40
"""Best sections of each way of using labels that are looked at."""
_BLOCK = 128
"""Questions worked on at once: 128 × 10,000 sections × 30 features take 150 MB."""


@dataclass(frozen=True)
class SectionFacts:
    """What is known of the sections whatever is asked."""

    ids: tuple[str, ...]
    """Section ids, sorted by code point: their places are the ranker's section numbers."""
    chapters: Ints
    """(sections,): equal for sections that stand under the same headings, from 0."""
    lengths: Floats
    """(sections,): log of (1 + characters)."""

    @classmethod
    def of(cls, sections: pl.DataFrame) -> "SectionFacts":
        """Of a table of `laws.tables.SECTIONS_SCHEMA`: its sections in force."""
        ordered = sections.filter(pl.col("status") == "in_force").sort("section_id")
        places = [
            (slug, tuple((level["label"], level["title"]) for level in levels))
            for slug, levels in ordered.select("slug", "hierarchy").iter_rows()
        ]
        number = {place: index for index, place in enumerate(dict.fromkeys(places))}
        return cls(
            ids=tuple(ordered["section_id"]),
            chapters=np.array([number[place] for place in places], dtype=np.int64),
            lengths=np.log1p(ordered["text"].str.len_chars().to_numpy()).astype(np.float32),
        )

    @property
    def version(self) -> str:
        """A hash of all of it: another one where a section came, went, moved or changed its length."""
        digest = hashlib.sha256("\n".join(self.ids).encode())
        digest.update(self.chapters.tobytes() + self.lengths.tobytes())
        return digest.hexdigest()[:16]

    @property
    def known(self) -> frozenset[str]:
        """Their ids, to look up."""
        return frozenset(self.ids)


@dataclass(frozen=True)
class Retrieved:
    """What one retriever found for q questions: a row a (question, section), question by question, best section first."""

    questions: Ints
    sections: Ints
    """Section numbers of `SectionFacts`."""
    scores: Floats
    ranks: Ints
    """From 1."""

    @classmethod
    def of(cls, run: pl.DataFrame, queries: Sequence[str], sections: SectionFacts) -> "Retrieved":
        """Of a run table of one question set, retriever and aggregation. A section that is not in force is left out."""
        asked = pl.DataFrame({"query": queries}, schema={"query": pl.String}).with_row_index("question")
        known = pl.DataFrame({"section": sections.ids}, schema={"section": pl.String}).with_row_index("number")
        rows = run.join(asked, on="query").join(known, on="section").sort("question", "rank")
        return cls(
            rows["question"].to_numpy().astype(np.int64),
            rows["number"].to_numpy().astype(np.int64),
            rows["score"].to_numpy().astype(np.float32),
            rows["rank"].to_numpy().astype(np.int64),
        )

    @classmethod
    def of_ranking(cls, ranking: Ranking, number: Ints, begin: int = 0) -> "Retrieved":
        """Of a retriever's ranking; `number` says which section number each of its sections has, −1 for none, and questions count from
        `begin`."""
        sections = number[ranking.sections]
        there = sections >= 0
        return cls(ranking.queries[there] + begin, sections[there], ranking.scores[there], ranking.ranks[there])

    @classmethod
    def concat(cls, parts: "Sequence[Retrieved]") -> "Retrieved":
        """Several, of questions that follow one another."""
        nothing = np.zeros(0, dtype=np.int64)
        return cls(
            np.concatenate([nothing, *(part.questions for part in parts)]),
            np.concatenate([nothing, *(part.sections for part in parts)]),
            np.concatenate([nothing.astype(np.float32), *(part.scores for part in parts)]),
            np.concatenate([nothing, *(part.ranks for part in parts)]),
        )

    def between(self, begin: int, end: int) -> "Retrieved":
        """The part of the questions from `begin` to before `end`, counted from 0 again."""
        rows = slice(*np.searchsorted(self.questions, [begin, end]))
        return Retrieved(self.questions[rows] - begin, self.sections[rows], self.scores[rows], self.ranks[rows])


@dataclass(frozen=True)
class Features:
    """The candidates of q questions and what is known of them."""

    questions: Ints
    """(pairs,): place of the question, rising."""
    sections: Ints
    """(pairs,): section number, rising within a question."""
    values: Floats
    """(pairs, features)."""
    names: tuple[str, ...]

    @classmethod
    def concat(cls, parts: "Sequence[Features]", begins: Sequence[int]) -> "Features":
        """Several, at least one, of the same names; the questions of each count from its `begins`."""
        return cls(
            np.concatenate([part.questions + begin for part, begin in zip(parts, begins, strict=True)]),
            np.concatenate([part.sections for part in parts]),
            np.concatenate([part.values for part in parts]),
            parts[0].names,
        )


def features(
    runs: Mapping[str, Retrieved],
    remembered: Mapping[str, Floats],
    seen: Ints,
    popular: Ints,
    sections: SectionFacts,
    questions: int,
) -> Features:
    """Choose the candidates of the questions and describe them.

    `runs` are retrievers by name; `remembered` are scores by name that labels gave, (questions, seen), for the sections `seen` (their
    numbers); `popular` (seen,) counts how many questions of the training each answers.
    """
    begins = range(0, max(questions, 1), _BLOCK)
    blocks = [
        _block(
            {name: run.between(begin, begin + _BLOCK) for name, run in runs.items()},
            {name: scores[begin : begin + _BLOCK] for name, scores in remembered.items()},
            seen,
            popular,
            sections,
            min(_BLOCK, questions - begin),
        )
        for begin in begins
    ]
    return Features.concat(blocks, begins)


def _block(
    runs: Mapping[str, Retrieved],
    remembered: Mapping[str, Floats],
    seen: Ints,
    popular: Ints,
    sections: SectionFacts,
    questions: int,
) -> Features:
    shape = (questions, len(sections.ids))
    candidates = np.zeros(shape, dtype=bool)
    planes: dict[str, Floats] = {}
    for name, run in runs.items():
        score, rank = np.full(shape, np.nan, np.float32), np.full(shape, np.nan, np.float32)
        score[run.questions, run.sections] = run.scores
        rank[run.questions, run.sections] = run.ranks
        candidates |= rank <= UNSUPERVISED_CANDIDATES
        planes |= {f"{name} score": score, f"{name} rank": rank, f"{name} lead": score - _best(score)}
    for name, scores in remembered.items():
        score, rank = np.full(shape, np.nan, np.float32), np.full(shape, np.nan, np.float32)
        score[:, seen] = scores
        rank[:, seen] = _ranks(scores)
        candidates |= (rank <= REMEMBERED_CANDIDATES) & (score != 0)
        planes |= {f"{name} score": score, f"{name} rank": rank}
    planes["popularity"] = np.zeros(shape, np.float32)
    planes["popularity"][:, seen] = popular
    planes["chapter popularity"] = _by_chapter(planes["popularity"], sections)
    if "memory" in remembered:
        planes["chapter memory"] = _by_chapter(np.nan_to_num(planes["memory score"]), sections)
    planes["length"] = np.broadcast_to(sections.lengths, shape)
    rows, columns = np.nonzero(candidates)
    return Features(rows, columns, np.column_stack([plane[rows, columns] for plane in planes.values()]), tuple(planes))


def _best(scores: Floats) -> Floats:
    """The best score of each question, 0 where it has none: (questions, 1)."""
    filled = np.where(np.isnan(scores), -np.inf, scores).max(axis=1, initial=-np.inf, keepdims=True)
    return np.asarray(np.where(np.isfinite(filled), filled, 0), dtype=np.float32)


def _ranks(scores: Floats) -> Floats:
    """Ranks from 1, the best first, equal scores by section id; NaN ones last."""
    order = np.argsort(-np.nan_to_num(scores, nan=-np.inf), axis=1, kind="stable")
    ranks = np.empty(scores.shape, dtype=np.float32)
    np.put_along_axis(ranks, order, np.arange(1, scores.shape[1] + 1, dtype=np.float32)[None, :], axis=1)
    return ranks


def _by_chapter(scores: Floats, sections: SectionFacts) -> Floats:
    """Each section's score replaced by the sum over all sections under the same headings."""
    order = np.argsort(sections.chapters, kind="stable")
    starts = np.searchsorted(sections.chapters[order], np.arange(sections.chapters.max(initial=-1) + 1))
    if len(starts) == 0:
        return scores
    return np.asarray(np.add.reduceat(scores[:, order], starts, axis=1)[:, sections.chapters], dtype=np.float32)
