"""`lumber`: a stream of units, cut where the generator sees the next chunk begin (paper, section 3, "Lumber-style chunking").

After LumberChunker, without its faults: an answer that is no place in the shown run leaves the run whole, a unit longer than the bound
is a chunk of its own, every step moves on by at least one unit, and the last units are looked at like all others. The stream starts
anew at every lowest heading, so that an amendment is felt under its own heading only. As in the paper a chunk stands for its units by
the mean of their vectors.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

import polars as pl

from lawrag_assets.chunking.groups import group_chunks, groups_table
from lawrag_assets.chunking.material import Material
from lawrag_assets.chunking.registry import STRATEGIES, Strategy
from lawrag_assets.generation.protocol import BoundaryRequest, ShownUnit, Task

SHOWN_TOKENS = 550
"""The most that is shown at once, in tokens of the bundled model's tokenizer: the bound that LumberChunker published."""

Row = dict[str, Any]


@dataclass
class _Stream:
    """The units under one heading, cut up to `at`."""

    units: list[Row]
    tokens: list[int]
    at: int = 0
    chunks: list[list[Row]] = field(default_factory=list)

    def shown(self) -> list[Row]:
        """The next units up to the bound, at least one; none at the end."""
        end, total = self.at, 0
        while end < len(self.units) and (end == self.at or total + self.tokens[end] <= SHOWN_TOKENS):
            total += self.tokens[end]
            end += 1
        return self.units[self.at : end]

    def cut(self, count: int) -> None:
        """Make the next `count` units a chunk."""
        self.chunks.append(self.units[self.at : self.at + count])
        self.at += count


def enrich_lumber(material: Material) -> pl.DataFrame:
    """The chunks as groups of units. Streams are cut side by side, so that a generator has many requests at a time."""
    streams = _streams(material)
    while waiting := [(stream, shown) for stream in streams if (shown := stream.shown())]:
        asked = [(stream, shown) for stream, shown in waiting if len(shown) > 1]
        answers = material.generator.generate([_request(shown) for _, shown in asked])
        for stream, shown in waiting:
            if len(shown) == 1:
                stream.cut(1)
        for (stream, _), answer in zip(asked, answers, strict=True):
            stream.cut(answer.value - 1)
    chunks = [[unit["unit_id"] for unit in chunk] for stream in streams for chunk in stream.chunks]
    return groups_table(1, [(f"{members[0]}+{len(members) - 1}", members) for members in chunks])


def _streams(material: Material) -> list[_Stream]:
    headings = dict(material.corpus.select("section_id", "hierarchy").iter_rows())
    units = list(material.units.select("unit_id", "slug", "citation", "text", "parents").iter_rows(named=True))
    counts = {
        unit["unit_id"]: len(tokens) for unit, tokens in zip(units, material.tokenize([u["text"] for u in units]), strict=True)
    }
    runs = groupby(units, key=lambda unit: (unit["slug"], headings[unit["parents"][0]]))
    return [_Stream(run, [counts[unit["unit_id"]] for unit in run]) for _, members in runs for run in [list(members)]]


def _request(shown: Sequence[Row]) -> BoundaryRequest:
    return BoundaryRequest(tuple(ShownUnit(unit["citation"], unit["text"]) for unit in shown))


def build_lumber(units: pl.DataFrame, enrichment: pl.DataFrame) -> pl.DataFrame:
    """One chunk a group."""
    return group_chunks(units, enrichment)


def register() -> None:
    """Add `lumber` to the registry."""
    STRATEGIES.register(Strategy("lumber", "1", build_lumber, enrich_lumber, (Task.BOUNDARY,)))
