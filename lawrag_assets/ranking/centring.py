"""Dense retrieval centred on the training questions' own mean: people who ask alike share more than any calibration set knows.

It needs questions, not labels; but questions of the tested kind, so it is told apart from `dense_centred` and stays within this room.
"""

from collections.abc import Mapping

import numpy as np

from lawrag_assets.ranking.features import Retrieved, SectionFacts
from lawrag_assets.retrieval.asked import Asked
from lawrag_assets.retrieval.dense import DenseCentred
from lawrag_assets.retrieval.hits import Floats, Ints
from lawrag_assets.retrieval.index import Index

NAME = "dense_centred_on_training"

Passages = Mapping[str, Index]
"""Cells' indexes by the cells' names."""


def centred_on(mean: Floats, passages: Passages, vectors: Floats, sections: SectionFacts) -> dict[str, Retrieved]:
    """What each cell finds for questions (q, d) less this mean (d,), by "<cell> NAME"."""
    nameless = Asked([""] * len(vectors), [""] * len(vectors), [None] * len(vectors), vectors)
    found = {}
    for cell, index in passages.items():
        retriever = DenseCentred(index, {"": mean})
        number = places(retriever.section_ids, sections.ids)
        parts = [Retrieved.of_ranking(retriever.rank(block), number, begin) for begin, block in nameless.blocks()]
        found[f"{cell} {NAME}"] = Retrieved.concat(parts)
    return found


def places(ids: tuple[str, ...], among: tuple[str, ...]) -> Ints:
    """Where each id stands among others, −1 where it does not: (ids,)."""
    number = {section: place for place, section in enumerate(among)}
    return np.array([number.get(section, -1) for section in ids], dtype=np.int64)
