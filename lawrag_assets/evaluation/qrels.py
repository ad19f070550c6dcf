"""Gold labels: which sections of the corpus answer which question. Reading citations is the work of `laws`."""

from dataclasses import dataclass
from typing import Protocol

import polars as pl

from lawrag_assets.errors import InputError
from lawrag_assets.evaluation.questions import answerable

_SCHEMA = pl.Schema({"question_set": pl.String, "query": pl.String, "section": pl.String})
_UNKNOWN_SCHEMA = pl.Schema({"question_set": pl.String, "query": pl.String, "citation": pl.String})


class Citations(Protocol):
    """Whatever can say which section of the corpus a citation names."""

    def section_id(self, citation: str) -> str | None:
        """Return the section's id, None where the corpus has no such section; InputError where the text is no citation."""
        ...


@dataclass(frozen=True)
class Qrels:
    """Gold of the answerable questions; every one of them has a row at least.

    A citation that names no section of the corpus stays in `table` as itself: no run can hold it, so it counts as missed, in
    recall's denominator as in nDCG's ideal ranking. `unknown` lists these.
    """

    table: pl.DataFrame
    """question_set, query, section: distinct rows."""
    unknown: pl.DataFrame
    """question_set, query, citation."""


def qrels(questions: pl.DataFrame, citations: Citations) -> Qrels:
    """Normalise the gold citations of the answerable questions to section ids; two names of one section count once."""
    gold = answerable(questions).select("question_set", pl.col("id").alias("query"), pl.col("gold").alias("citation"))
    gold = gold.explode("citation")
    known = {citation: _section_id(citations, citation) for citation in gold["citation"].unique(maintain_order=True)}
    section = pl.Series([known[citation] for citation in gold["citation"]], dtype=pl.String)
    gold = gold.with_columns(section.alias("section"))
    table = gold.with_columns(pl.coalesce("section", "citation").alias("section")).select(_SCHEMA.names())
    unknown = gold.filter(pl.col("section").is_null()).select(_UNKNOWN_SCHEMA.names())
    return Qrels(
        table=table.unique(maintain_order=True).cast(_SCHEMA), unknown=unknown.unique(maintain_order=True).cast(_UNKNOWN_SCHEMA)
    )


def _section_id(citations: Citations, citation: str) -> str | None:
    """A text that is no citation names no section: it is reported like one that the corpus lacks, and fails no run."""
    try:
        return citations.section_id(citation)
    except InputError:
        return None
