"""How users name cells."""

import pytest

from lawrag_assets.chunking import BASE_UNITS
from lawrag_assets.chunking.cells import DEFAULT_CELLS, PAPER_CELLS, Cell, grid, parse_cells
from lawrag_assets.chunking.registry import BaseUnit, Registry
from lawrag_assets.errors import InputError


def test_the_paper_has_21_cells() -> None:
    assert len(set(PAPER_CELLS)) == 21


def test_a_star_stands_for_every_name_and_order_is_the_grids() -> None:
    assert parse_cells(["*/flat"]) == [Cell(base_unit, "flat") for base_unit in BASE_UNITS]
    assert parse_cells(["subsection/flat", "section/*", "section/flat"])[0] == Cell("section", "flat")
    assert parse_cells(["all"]) == grid()
    assert parse_cells([]) == list(DEFAULT_CELLS)


@pytest.mark.parametrize("spec", ["", "section", "section/none", "/flat", "sections/flat", "section/flat/x"])
def test_an_unknown_cell_is_refused_with_the_known_names(spec: str) -> None:
    with pytest.raises(InputError, match=r"base units: section, subsection.*strategies: flat"):
        parse_cells([spec])


def test_a_registry_refuses_a_name_twice_and_lists_its_names() -> None:
    registry: Registry[BaseUnit] = Registry("base unit")
    unit = registry.register(BaseUnit("mine", "1", lambda corpus, tokenize: corpus))
    with pytest.raises(ValueError, match="mine"):
        registry.register(unit)
    with pytest.raises(InputError, match="unknown base unit 'other'; known: mine"):
        registry["other"]
