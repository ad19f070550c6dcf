"""How training questions teach to look at passages: less what they have in common, and moved to where their answers are.

- `dense_centred_on_training`: vectors less the training questions' mean. People who ask alike share more than a calibration set knows.
- `dense_aligned`: a linear map (ridge regression) from questions to the passages that answer them, so that a section nobody has asked
  about is found by what its neighbours were asked.
- `dense_aligned_evenly`: the same with every section weighing alike, however often it was the answer.

They belong to this room and not to `retrieval`, for all of them know questions of the tested kind.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from lawrag_assets.ranking.features import Retrieved, SectionFacts
from lawrag_assets.ranking.memory import QuestionMemory, centred
from lawrag_assets.retrieval.asked import BLOCK, Asked
from lawrag_assets.retrieval.calibration import QuestionMeans
from lawrag_assets.retrieval.dense import DenseCentred
from lawrag_assets.retrieval.hits import Floats, Ints
from lawrag_assets.retrieval.index import Index
from lawrag_assets.retrieval.retriever import top_sections

CENTRED, ALIGNED, EVENLY = "dense_centred_on_training", "dense_aligned", "dense_aligned_evenly"
_PENALTIES = {ALIGNED: 3.0, EVENLY: 30.0}
_OWN = 0.5
"""How much of a question stays where it was when it is moved."""

Passages = Mapping[str, Index]
"""Cells' indexes by the cells' names."""


@dataclass(frozen=True)
class Viewpoint:
    """What m training questions teach about d-dimensional vectors."""

    mean: Floats
    """(d,): of the questions."""
    maps: Mapping[str, Floats]
    """(d, d) each: "<cell> <name>" of ALIGNED and EVENLY."""

    @classmethod
    def fit(cls, memory: QuestionMemory, passages: Passages) -> "Viewpoint":
        """Learn where the answers of a memory's questions are."""
        maps = {}
        for cell, index in passages.items():
            places = place_in(memory.labels.sections, index.section_ids)
            vectors = section_vectors(index)[places]
            for name, penalty in _PENALTIES.items():
                maps[f"{cell} {name}"] = _map(memory, vectors, penalty, evenly=name == EVENLY)
        return cls(memory.mean, maps)

    def look(self, vectors: Floats, cells: Mapping[str, DenseCentred], sections: SectionFacts) -> dict[str, Retrieved]:
        """What each cell (`uncentring`) finds for questions (q, d) by each name, as "<cell> <name>"."""
        here = centred(vectors, self.mean)
        found: dict[str, Retrieved] = {}
        for cell, passages in cells.items():
            moved = [_unit(here @ self.maps[f"{cell} {name}"]) + _OWN * here for name in _PENALTIES]
            runs = _rank(passages, np.stack([here, *moved]), place_in(passages.section_ids, sections.ids))
            found |= {f"{cell} {name}": run for name, run in zip((CENTRED, *_PENALTIES), runs, strict=True)}
        return found


def uncentring(passages: Passages) -> dict[str, DenseCentred]:
    """The cells, ready to be asked with questions that are centred already."""
    nothing = {cell: QuestionMeans({"": np.zeros(index.vectors.shape[1], np.float32)}) for cell, index in passages.items()}
    return {cell: DenseCentred(index, nothing[cell]) for cell, index in passages.items()}


def section_vectors(index: Index) -> Floats:
    """The mean of each section's chunks, less the mean of all, of length 1: (sections, d), in the order of `section_ids`."""
    moved = centred(index.vectors, index.vectors.mean(axis=0, dtype=np.float64).astype(np.float32))
    parents = index.parents
    chunks = np.repeat(np.arange(len(moved)), np.diff(parents.starts))
    order = np.argsort(parents.sections, kind="stable")
    starts = np.searchsorted(parents.sections[order], np.arange(len(parents.ids)))
    if len(starts) == 0:
        return moved[:0]
    return _unit(np.add.reduceat(moved[chunks[order]], starts, axis=0))


@lru_cache(maxsize=16)
def place_in(ids: tuple[str, ...], among: tuple[str, ...]) -> Ints:
    """Where each id stands among others, −1 where it does not: (ids,)."""
    number = {section: place for place, section in enumerate(among)}
    return np.array([number.get(section, -1) for section in ids], dtype=np.int64)


def _map(memory: QuestionMemory, answers: Floats, penalty: float, *, evenly: bool) -> Floats:
    """Ridge regression of the mean of a question's answers on its vector; `answers` is (labelled sections, d)."""
    weights = 1 / memory.labels.counts if evenly else np.ones(len(answers))
    questions, labels = memory.labels.questions, memory.labels.places
    given = np.maximum(np.bincount(questions, minlength=len(memory.vectors)), 1)
    targets = np.zeros(memory.vectors.shape)
    np.add.at(targets, questions, answers[labels] * (weights[labels] / given[questions])[:, None])
    vectors = memory.vectors.astype(np.float64)
    solved = np.linalg.solve(vectors.T @ vectors + penalty * np.eye(vectors.shape[1]), vectors.T @ targets)
    return np.asarray(solved, dtype=np.float32)


def _unit(vectors: Floats) -> Floats:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.where(lengths > 0, lengths, 1), dtype=np.float32)


def _rank(passages: DenseCentred, views: Floats, number: Ints) -> list[Retrieved]:
    """What is found for v views of q questions (v, q, d), a run a view: as the retriever ranks, but for the chunks to show.

    All views are one matrix product: a product reads every passage, however few questions it is for.
    """
    count = len(views)
    parts: list[list[Retrieved]] = [[] for _ in range(count)]
    for begin in range(0, max(views.shape[1], 1), BLOCK):
        block = views[:, begin : begin + BLOCK]
        size = block.shape[1]
        nameless = [""] * (count * size)
        scores = passages.scores(Asked(nameless, nameless, [None] * (count * size), block.reshape(count * size, -1))).sections
        for view in range(count):
            queries, sections, values = top_sections(scores[view * size : (view + 1) * size])
            there = number[sections] >= 0
            ranks = np.arange(len(queries)) - np.searchsorted(queries, queries) + 1
            parts[view].append(Retrieved(queries[there] + begin, number[sections[there]], values[there], ranks[there]))
    return [Retrieved.concat(of_view) for of_view in parts]
