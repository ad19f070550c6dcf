"""Cells (base unit × strategy) and the words a user names them with."""

from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import NamedTuple

from lawrag_assets.chunking import BASE_UNITS, STRATEGIES
from lawrag_assets.chunking.propositions import PROPOSITION
from lawrag_assets.chunking.windows import SIZES_AND_OVERLAPS, window_name
from lawrag_assets.errors import InputError


class Cell(NamedTuple):
    """One chunking of the corpus. Prints as users write it: `subsection/flat`."""

    base_unit: str
    strategy: str

    def __str__(self) -> str:
        return f"{self.base_unit}/{self.strategy}"

    @property
    def table(self) -> str:
        """Name of the cell's LanceDB table."""
        return f"{self.base_unit}.{self.strategy}"


WINDOW_NAMES = tuple(window_name(size, overlap) for size, overlap in SIZES_AND_OVERLAPS)
PAPER_CELLS = (
    *(Cell(base_unit, "flat") for base_unit in ("section", "subsection", "sentence", PROPOSITION, *WINDOW_NAMES)),
    *(
        Cell(base_unit, strategy)
        for strategy in ("contextual", "semantic_cluster", "lumber", "raptor")
        for base_unit in ("subsection", "sentence", PROPOSITION)
    ),
)
"""The 21 cells of the paper's Figure 2."""

DEFAULT_CELLS = (Cell("section", "flat"), Cell("subsection", "flat"))


def grid() -> list[Cell]:
    """Every cell, strategies within base units, both in the order of their registries."""
    return [Cell(base_unit, strategy) for base_unit in BASE_UNITS for strategy in STRATEGIES]


def parse_cells(specs: Sequence[str]) -> list[Cell]:
    """Cells in the grid's order named by `paper`, `all` or `BASE_UNIT/STRATEGY` with `*`; without specs the default ones.

    Raises InputError for a spec that names no cell.
    """
    known = grid()
    wanted = set(DEFAULT_CELLS) if not specs else {cell for spec in specs for cell in _cells_of(spec, known)}
    return [cell for cell in known if cell in wanted]


def _cells_of(spec: str, known: list[Cell]) -> list[Cell]:
    if spec == "all":
        return known
    if spec == "paper":
        return list(PAPER_CELLS)
    base_unit, _, strategy = spec.partition("/")
    cells = [cell for cell in known if fnmatchcase(cell.base_unit, base_unit) and fnmatchcase(cell.strategy, strategy)]
    if not cells:
        known_names = f"base units: {', '.join(BASE_UNITS)}; strategies: {', '.join(STRATEGIES)}"
        raise InputError(f"no cell {spec!r}: write paper, all or BASE_UNIT/STRATEGY; {known_names}")
    return cells
