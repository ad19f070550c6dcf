"""The registries of base units and strategies: the two axes of the grid.

Names are public (`contextual`, `window_64_16`) and become partition keys. What a base unit or a strategy does stands in its own file.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Generic, Literal, Protocol, TypeVar

import polars as pl

from lawrag_assets.chunking.material import Material, Tokenize
from lawrag_assets.errors import InputError
from lawrag_assets.generation.protocol import Task


@dataclass(frozen=True)
class BaseUnit:
    """One way of cutting the corpus. `version` rises when the same corpus would be cut differently."""

    name: str
    version: str
    cut: Callable[[pl.DataFrame, Tokenize], pl.DataFrame]
    """The table `source` to units (`chunking.tables.UNITS_SCHEMA`)."""
    source: Literal["corpus", "propositions"] = "corpus"
    """What is cut: `laws.tables.SECTIONS_SCHEMA`, or `chunking.tables.PROPOSITIONS_SCHEMA`."""
    tasks: tuple[Task, ...] = ()
    """What a generator is asked for `source`; another model or prompt then makes other units."""


@dataclass(frozen=True)
class Strategy:
    """One way of turning units into chunks. `version` rises when the same units would give other chunks.

    Two steps, so that the lineage shows what was generated: `enrich` writes contexts, groups and summaries, `build` makes chunks of
    units and these. Neither may depend on which base unit it gets.
    """

    name: str
    version: str
    build: Callable[[pl.DataFrame, pl.DataFrame], pl.DataFrame]
    """Units (`chunking.tables.UNITS_SCHEMA`) and enrichment to chunks (`chunking.tables.CHUNKS_SCHEMA`)."""
    enrich: Callable[[Material], pl.DataFrame] | None = None
    """The enrichment (`chunking.tables.ENRICHMENT_SCHEMA`); None: the strategy has none, and `build` gets an empty one."""
    tasks: tuple[Task, ...] = ()
    """What `enrich` asks a generator; another model or prompt then makes other chunks."""
    pooling: Literal["units", "tokens"] = "units"
    """What a chunk without a text to embed is the mean of: its units' vectors, or those of its units' tokens, see `late.parts_read`."""


class Named(Protocol):
    """What a registry holds."""

    @property
    def name(self) -> str:
        """Public name, unique in its registry."""
        ...


T = TypeVar("T", bound=Named)


class Registry(Generic[T]):
    """Things by name, in the order they were registered. A clash is refused; an unknown name lists the known ones."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self._things: dict[str, T] = {}

    def register(self, thing: T) -> T:
        """Add `thing`. Raises ValueError where its name is taken."""
        if thing.name in self._things:
            raise ValueError(f"{self.kind} {thing.name!r} is registered already")
        self._things[thing.name] = thing
        return thing

    def __getitem__(self, name: str) -> T:
        if name not in self._things:
            raise InputError(f"unknown {self.kind} {name!r}; known: {', '.join(self._things)}")
        return self._things[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._things)

    def __len__(self) -> int:
        return len(self._things)


BASE_UNITS: Registry[BaseUnit] = Registry("base unit")
STRATEGIES: Registry[Strategy] = Registry("strategy")
