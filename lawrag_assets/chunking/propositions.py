"""`proposition`: the self-contained statements of a subsection as a base unit (paper, section 3, "Proposition chunking").

Written by a generator, or the subsection itself where nothing is to split. What was written anew has no place of its own in the
statute: a proposition's span is its subsection's.
"""

from typing import Any

import polars as pl

from lawrag_assets.chunking.material import Tokenize
from lawrag_assets.chunking.registry import BASE_UNITS, BaseUnit
from lawrag_assets.chunking.tables import PROPOSITIONS_SCHEMA
from lawrag_assets.chunking.units import cut_subsections, units_table
from lawrag_assets.generation.protocol import Generator, PropositionsRequest, Task

PROPOSITION = "proposition"

Row = dict[str, Any]


def write_propositions(corpus: pl.DataFrame, generator: Generator) -> pl.DataFrame:
    """The propositions of every subsection in force: a table of PROPOSITIONS_SCHEMA."""
    subsections = list(cut_subsections(corpus, lambda _: []).iter_rows(named=True))
    answers = generator.generate([PropositionsRequest(subsection["text"]) for subsection in subsections])
    rows = [
        _row(subsection, number, text)
        for subsection, answer in zip(subsections, answers, strict=True)
        for number, text in enumerate(answer.value, 1)
    ]
    return pl.DataFrame(rows, schema=PROPOSITIONS_SCHEMA)


def _row(subsection: Row, number: int, text: str) -> Row:
    (span,) = subsection["spans"]
    columns = ("slug", "build", "citation")
    return {
        "source": subsection["unit_id"],
        "number": number,
        "text": text,
        **{name: subsection[name] for name in columns},
        **span,
    }


def cut_propositions(propositions: pl.DataFrame, _tokenize: Tokenize) -> pl.DataFrame:
    """One unit a proposition: `bgb/§433/Abs1/P2`, the second of the subsection `bgb/§433/Abs1`."""
    return units_table(PROPOSITION, [_unit(row) for row in propositions.iter_rows(named=True)])


def _unit(proposition: Row) -> Row:
    return {
        "unit_id": f"{proposition['source']}/P{proposition['number']}",
        **{name: proposition[name] for name in ("slug", "build", "citation", "text")},
        "parents": [proposition["section_id"]],
        "spans": [{name: proposition[name] for name in ("section_id", "start", "end")}],
    }


def register() -> None:
    """Add `proposition` to the registry."""
    BASE_UNITS.register(BaseUnit(PROPOSITION, "1", cut_propositions, "propositions", (Task.PROPOSITIONS,)))
