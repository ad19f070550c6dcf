"""What is served at a time: a pipeline, the sections it answers from, and their plane; and the changing of one for the next.

An edition never changes. When a cell has been indexed anew, the next edition is opened beside the old one and then takes its place; a
question is answered by the edition that it began with.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import polars as pl

from lawrag_assets.errors import InputError, WorkFailedError
from lawrag_assets.laws.citations import CitationIndex, parse_citation
from lawrag_assets.qa.pipeline import Pipeline
from lawrag_assets.service.plane import Plane, fit_plane

log = logging.getLogger("lawrag.service")


@dataclass(frozen=True)
class About:
    """What a service says of itself. `sends_to`: the language model that gets question and evidence; empty where nothing is sent."""

    version: str
    profile: str
    cell: str
    embedding_model: str
    sends_to: str = ""


@dataclass(frozen=True)
class Edition:
    """A pipeline over one build of a cell."""

    stamp: str
    """Changes with everything that answers depend on."""
    pipeline: Pipeline
    corpus: pl.DataFrame
    """The sections, as `laws.tables.SECTIONS_SCHEMA`."""
    about: About
    plane: Plane = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "plane", fit_plane(self.pipeline.parts.finder.vectors()))

    @property
    def dimension(self) -> int:
        """Numbers in a vector."""
        return int(self.pipeline.parts.finder.vectors().shape[1])

    @cached_property
    def citations(self) -> CitationIndex:
        """Finds sections by their citations."""
        return CitationIndex(self.corpus)

    def section(self, citation: str) -> dict[str, Any] | None:
        """The section that a citation names, whose law may be left out where there is one only. InputError where it is no citation."""
        parsed = parse_citation(citation)
        laws = self.pipeline.laws
        if parsed.law is None and len(laws) == 1:
            citation = f"{parsed.designation} {laws[0].law}"
        identifier = self.citations.section_id(citation)
        return None if identifier is None else self.corpus.row(by_predicate=pl.col("section_id") == identifier, named=True)


class Shelf:
    """The edition that is served now. Threads may share one."""

    def __init__(self, stamp: Callable[[], str], open_edition: Callable[[], Edition]) -> None:
        """`stamp` says cheaply what `open_edition` would make."""
        self._stamp, self._open = stamp, open_edition
        self.edition = open_edition()
        self._failed = ""

    def look(self) -> bool:
        """Open the next edition if there is one; whether there was. One that cannot be opened yet leaves the old one in its place."""
        try:
            stamp = self._stamp()
            if stamp in (self.edition.stamp, ""):
                return False
            self.edition = self._open()
        except (InputError, WorkFailedError, OSError) as error:
            if type(error).__name__ != self._failed:
                log.warning("the new index cannot be served yet, the old one goes on (%s)", type(error).__name__)
            self._failed = type(error).__name__
            return False
        self._failed = ""
        log.info("serving the new index: %s", ", ".join(f"{law.law} {law.build}" for law in self.edition.pipeline.laws))
        return True
