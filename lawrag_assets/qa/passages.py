"""The passages of a corpus: its Absätze in force, by id, and which of them a chunk of any cell is about."""

from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import polars as pl

from lawrag_assets.chunking.units import cut_subsections, sections_in_force
from lawrag_assets.qa.model import LawBuild, Passage, Sentence


class Passages:
    """All passages of a corpus in document order, law by law."""

    def __init__(self, passages: Iterable[Passage], spans: dict[str, tuple[int, int]]) -> None:
        """`spans` says where each passage stands in its section's text."""
        self.all: tuple[Passage, ...] = tuple(passages)
        self._by_id = {passage.passage_id: passage for passage in self.all}
        self._places: dict[str, list[tuple[int, int, str]]] = defaultdict(list)
        for passage in self.all:
            insort(self._places[passage.section_id], (*spans[passage.passage_id], passage.passage_id))

    @classmethod
    def of_corpus(cls, corpus: pl.DataFrame) -> "Passages":
        """The passages of a table of `laws.tables.SECTIONS_SCHEMA`."""
        sections = {section["section_id"]: section for section in sections_in_force(corpus).iter_rows(named=True)}
        units = cut_subsections(corpus, _no_tokens).iter_rows(named=True)
        made = [(_passage(unit, sections[unit["parents"][0]]), unit["spans"][0]) for unit in units]
        return cls((passage for passage, _ in made), {p.passage_id: (span["start"], span["end"]) for p, span in made})

    def __getitem__(self, passage_id: str) -> Passage:
        return self._by_id[passage_id]

    def __contains__(self, passage_id: object) -> bool:
        return passage_id in self._by_id

    def __len__(self) -> int:
        return len(self.all)

    @property
    def laws(self) -> tuple[LawBuild, ...]:
        """The laws with their build dates, in the order of the corpus."""
        return tuple(dict.fromkeys(LawBuild(p.slug, p.law, p.build) for p in self.all))

    def of_section(self, section_id: str) -> list[Passage]:
        """A section's passages in document order; empty for a section that has none."""
        return [self._by_id[identifier] for _, _, identifier in self._places.get(section_id, [])]

    def within(self, section_id: str, start: int, end: int) -> Iterator[str]:
        """Ids of the passages that overlap characters `start` to `end` of a section's text."""
        places = self._places.get(section_id, [])
        first = max(0, bisect_left(places, (start,)) - 1)
        for begin, until, identifier in places[first:]:
            if begin >= end:
                break
            if until > start:
                yield identifier


def passages_of_chunks(
    chunk_units: Sequence[Sequence[str]], parents: Sequence[Sequence[str]], units: pl.DataFrame, passages: Passages
) -> list[list[str]]:
    """For each chunk the ids of the passages its units overlap; of a chunk with no unit of its own, its parents' passages.

    `units` is a table of `chunking.tables.UNITS_SCHEMA`.
    """
    spans = dict(units.select("unit_id", "spans").iter_rows())
    return [_of_chunk(own, above, spans, passages) for own, above in zip(chunk_units, parents, strict=True)]


def _of_chunk(units: Sequence[str], parents: Sequence[str], spans: dict[str, Any], passages: Passages) -> list[str]:
    found: dict[str, None] = {}
    for unit in units:
        for span in spans.get(unit, ()):
            found.update(dict.fromkeys(passages.within(span["section_id"], span["start"], span["end"])))
    if not found:
        found = {passage.passage_id: None for section in parents for passage in passages.of_section(section)}
    return list(found)


def _passage(unit: dict[str, Any], section: dict[str, Any]) -> Passage:
    span = unit["spans"][0]
    subsection = next(s for s in section["subsections"] if (s["start"], s["end"]) == (span["start"], span["end"]))
    return Passage(
        passage_id=unit["unit_id"],
        section_id=section["section_id"],
        slug=section["slug"],
        law=section["law"],
        build=section["build"],
        citation=unit["citation"],
        section_citation=section["citation"],
        heading=section["heading"] or "",
        hierarchy=tuple(level["title"] or level["label"] for level in section["hierarchy"]),
        text=unit["text"],
        sentences=tuple(
            Sentence(s["number"], s["citation"], s["text"], s["start"] - span["start"], s["end"] - span["start"])
            for s in subsection["sentences"]
        ),
    )


def _no_tokens(texts: Sequence[str]) -> list[list[tuple[int, int]]]:
    """Absätze are not counted in tokens."""
    raise AssertionError("unreachable")
