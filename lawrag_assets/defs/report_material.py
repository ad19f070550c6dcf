"""What the benchmark report is made of: the tables and figures of the cells that are up to date, handed to `reporting`.

Costs are put together in `costs`; which cells are up to date is decided by the asset.
"""

from dataclasses import asdict, dataclass, replace
from datetime import date

import polars as pl

from lawrag_assets.chunking.cells import Cell
from lawrag_assets.defs.costs import History, cell_chunking, cell_costs, with_latency
from lawrag_assets.defs.freshness import Freshness
from lawrag_assets.defs.partitions import cell_key
from lawrag_assets.evaluation.measures import PRIMARY
from lawrag_assets.evaluation.multi_hop import linked_questions, multi_hop
from lawrag_assets.evaluation.questions import answerable
from lawrag_assets.evaluation.significance import REFERENCE, compare
from lawrag_assets.question_sets import gold_of
from lawrag_assets.reporting.benchmark import BenchmarkReport, Facts, LawFacts, QuestionSetFacts
from lawrag_assets.reporting.benchmark import benchmark_report as put_together
from lawrag_assets.reporting.failures import readable
from lawrag_assets.reporting.frames import (
    CHUNKING_SCHEMA,
    COMPARISONS_SCHEMA,
    COSTS_SCHEMA,
    FAILURES_SCHEMA,
    FRIEDMAN_SCHEMA,
    LATENCY,
    SOURCES_SCHEMA,
    SUMMARIES_SCHEMA,
)
from lawrag_assets.retrieval.aggregation import DEFAULT_AGGREGATION
from lawrag_assets.retrieval.latency import latency_figures
from lawrag_assets.tables import TableStore


@dataclass(frozen=True)
class Material:
    """What a report is made of."""

    history: History
    tables: TableStore
    freshness: Freshness
    cells: list[Cell]
    """Those that are up to date."""
    evaluated: bool
    """Whether there are questions, and so measures."""

    def each(self, table: str) -> pl.DataFrame:
        """The cells' partitions of a table one below the other, each with base_unit, strategy and cell."""
        named = [{"base_unit": pl.lit(c.base_unit), "strategy": pl.lit(c.strategy), "cell": pl.lit(str(c))} for c in self.cells]
        return pl.concat([self.tables.read(table, [c]).with_columns(**name) for c, name in zip(self.cells, named, strict=True)])


def report_of(material: Material, generator: str) -> BenchmarkReport:
    """Put the report together. `generator`: what wrote contexts and the like, in words."""
    history, tables, cells = material.history, material.tables, material.cells
    corpus, questions = tables.read("corpus"), tables.read("questions")
    measured = material.evaluated and len(cells) > 0
    parse_seconds = sum(history.number("seconds", "law_sections", partition=slug) for slug in corpus["slug"].unique())
    costs = pl.DataFrame([cell_costs(history, cell, parse_seconds) for cell in cells], schema=COSTS_SCHEMA)
    latency = _latency(material) if measured else None
    comparisons, friedman = _compared(material, latency) if measured else (None, None)
    return put_together(
        _facts(history, corpus, questions, generator, latency),
        material.each("cell_metrics").select(SUMMARIES_SCHEMA.names()) if measured else SUMMARIES_SCHEMA.to_frame(),
        costs if latency is None else with_latency(costs, latency_figures(latency.rename({"cell": "index"}))),
        chunking=pl.DataFrame([cell_chunking(history, cell) for cell in cells], schema=CHUNKING_SCHEMA),
        comparisons=comparisons,
        friedman=friedman,
        failures=_failures(material, corpus, questions) if measured else None,
        sources=_sources(material) if measured else None,
        multi_hop=_multi_hop(material, corpus, questions) if measured else None,
    )


def _latency(material: Material) -> pl.DataFrame | None:
    """The timed searches of the cells; None where they are not of these indexes."""
    if material.freshness.why_stale("search_latency", None) is not None:
        return None
    return material.tables.read("search_latency").filter(pl.col("cell").is_in([str(cell) for cell in material.cells]))


def _failures(material: Material, corpus: pl.DataFrame, questions: pl.DataFrame) -> pl.DataFrame | None:
    """The misses of the cells that were looked into, with texts; None where none were."""
    looked_into = [cell for cell in material.cells if not material.freshness.is_stale("failures", cell_key(cell))]
    if not looked_into:
        return None
    return readable(replace(material, cells=looked_into).each("failures"), corpus, questions).select(FAILURES_SCHEMA.names())


def _multi_hop(material: Material, corpus: pl.DataFrame, questions: pl.DataFrame) -> pl.DataFrame:
    """How the cells do on questions whose gold sections refer to each other."""
    linked = linked_questions(gold_of(questions, corpus).table, material.tables.read("corpus_references"))
    return multi_hop(material.each("question_measures").filter(pl.col("aggregation") == DEFAULT_AGGREGATION), linked)


def _sources(material: Material) -> pl.DataFrame:
    """Where figures come from: `SOURCES_SCHEMA`."""
    tables = material.tables
    wanted: list[tuple[str, Cell | None]] = [("questions", None), ("corpus", None), ("search_latency", None)]
    wanted += [(table, cell) for cell in material.cells for table in ("retrieval_run", "question_measures", "failures")]
    rows = [
        (table, str(cell) if cell else None, tables.name(table, cell or ()), run_id)
        for table, cell in wanted
        if (run_id := tables.run_id(table, cell or ()))
    ]
    return pl.DataFrame(rows, schema=SOURCES_SCHEMA, orient="row")


def _compared(material: Material, latency: pl.DataFrame | None) -> tuple[pl.DataFrame, pl.DataFrame]:
    """The cells compared, on the primary measure for each question set, and on search times: `COMPARISONS_SCHEMA`, `FRIEDMAN_SCHEMA`."""
    shown = material.each("question_measures").filter(
        pl.col("retriever") == "dense", pl.col("aggregation") == DEFAULT_AGGREGATION
    )
    of_sets = shown.select("question_set", "query", "cell", value=PRIMARY).group_by("question_set", maintain_order=True)
    comparisons, tests = [COMPARISONS_SCHEMA.to_frame()], [FRIEDMAN_SCHEMA.to_frame()]
    compared = [(str(name), PRIMARY, values) for (name,), values in of_sets]
    if latency is not None and latency.height:
        sets = ", ".join(latency["question_set"].unique(maintain_order=True))
        compared.append((sets, LATENCY, _typical(latency)))
    for question_set, measure, values in compared:
        there = values["cell"].unique(maintain_order=True)
        reference = REFERENCE if REFERENCE in there else there[0]
        found = compare(values, reference=reference, higher_is_better=measure != LATENCY)
        named = {"question_set": pl.lit(question_set), "measure": pl.lit(measure)}
        comparisons.append(found.table.with_columns(**named).select(COMPARISONS_SCHEMA.names()))
        if found.friedman:
            tests.append(pl.DataFrame([asdict(found.friedman)]).with_columns(**named).select(FRIEDMAN_SCHEMA.names()))
    return pl.concat(comparisons), pl.concat(tests)


def _timing(latency: pl.DataFrame) -> str:
    runs, asked = latency["run"].n_unique(), latency.select("question_set", "query").n_unique()
    return f"exact search in memory, on one thread; {runs} runs over {asked} of the questions, cells in turns"


def _typical(latency: pl.DataFrame) -> pl.DataFrame:
    """Milliseconds of each question on each cell: query, cell, value. The median of its runs, so that a turn in which the machine was
    busy with something else makes no difference between cells."""
    query = pl.concat_str("question_set", "query", separator="\0")
    return latency.group_by("cell", query.alias("query"), maintain_order=True).agg(value=pl.col("search_ms").median())


def _facts(
    history: History, corpus: pl.DataFrame, questions: pl.DataFrame, generator: str, latency: pl.DataFrame | None
) -> Facts:
    in_force = corpus.group_by("law", "build", maintain_order=True).agg((pl.col("status") == "in_force").sum())
    unknown = gold_of(questions, corpus).unknown
    sets = []
    for (name,), asked in questions.group_by("question_set", maintain_order=True):
        answered = answerable(asked).height
        missing = unknown.filter(pl.col("question_set") == name).height
        sets.append(QuestionSetFacts(str(name), answered, asked.height - answered, missing))
    return Facts(
        laws=tuple(LawFacts(law, build, sections) for law, build, sections in in_force.iter_rows()),
        question_sets=tuple(sets),
        model=history.text("version", "embedding_model"),
        generator=generator,
        date=date.today().isoformat(),
        machine=history.text("machine", "search_latency") if latency is not None else "",
        timing=_timing(latency) if latency is not None else "",
    )
