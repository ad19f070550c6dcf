"""Made-up frames for benchmark reports of any size: the same ones every time."""

import random

import polars as pl

from lawrag_assets.chunking.cells import PAPER_CELLS, grid
from lawrag_assets.evaluation.failures import CAUSES
from lawrag_assets.evaluation.measures import MEASURES
from lawrag_assets.reporting.benchmark import BenchmarkReport, Facts, LawFacts, QuestionSetFacts, benchmark_report
from lawrag_assets.reporting.frames import (
    CHUNKING_SCHEMA,
    COMPARISONS_SCHEMA,
    COSTS_SCHEMA,
    FAILURES_SCHEMA,
    FRIEDMAN_SCHEMA,
    SOURCES_SCHEMA,
    SUMMARIES_SCHEMA,
)

Cells = list[tuple[str, str]]

ALL: Cells = [tuple(cell) for cell in grid()]
PAPER_STRATEGIES = ("flat", "contextual", "semantic_cluster", "lumber", "raptor")
PAPER_45: Cells = [cell for cell in ALL if cell[1] in PAPER_STRATEGIES]
PAPER_21: Cells = [cell for cell in ALL if cell in PAPER_CELLS]
THREE: Cells = [("section", "flat"), ("subsection", "flat"), ("window_128_32", "flat")]
SET = "gerlayqa_bgb_dev"

FACTS = Facts(
    laws=(LawFacts("BGB", "2025-02-06", 2_470),),
    question_sets=(QuestionSetFacts(SET, answerable=2_154, unanswerable=0, unknown_gold=6),),
    model="bundled-e5-small-1571fc982750.1-float32",
    generator="extractive (rules, no language model)",
    date="2026-11-30",
    machine="2 cores, x86-64",
    timing="exact search in memory",
)


def recalls(cells: Cells) -> dict[tuple[str, str], float]:
    """R@10 of each cell, all different."""
    chance = random.Random(7)
    return {cell: round(0.47 - 0.006 * place - chance.random() * 0.005, 4) for place, cell in enumerate(cells)}


def summaries(cells: Cells, aggregations: tuple[str, ...] = ("max", "sum", "mean_top_n")) -> pl.DataFrame:
    rows = []
    for (base_unit, strategy), recall in recalls(cells).items():
        for subset, questions, shift in (("all", 2_154, 0), ("lang=de", 2_000, 0.01), ("lang=en", 154, -0.1)):
            for place, aggregation in enumerate(aggregations):
                for measure in MEASURES:
                    mean = (
                        recall
                        - 0.03 * place
                        + shift
                        + {"R@100": 0.3, "R@25": 0.12, "R@1": -0.3, "RR@10": -0.2, "nDCG@10": -0.1}.get(measure, 0)
                    )
                    rows.append(
                        (
                            SET,
                            "dense",
                            aggregation,
                            measure,
                            mean,
                            mean - 0.02,
                            mean + 0.02,
                            questions,
                            base_unit,
                            strategy,
                            subset,
                        )
                    )
    return pl.DataFrame(rows, schema=SUMMARIES_SCHEMA, orient="row")


def costs(cells: Cells) -> pl.DataFrame:
    chance = random.Random(8)
    rows = []
    for place, (base_unit, strategy) in enumerate(cells):
        chunks = 2_470 + 900 * place
        written = 0.0 if strategy in ("flat", "semantic_cluster") else 900.0 * (1 + place)
        parts = (4.2, written, chunks / 20, 12.0 if strategy in ("raptor", "semantic_cluster") else 0.0, 0.8)
        calls = chunks if written else 0
        search = 0.3 + 0.0001 * chunks + chance.random() * 0.2
        rows.append(
            (
                base_unit, strategy, chunks, sum(parts), *parts, 6.0 + place / 10, calls, 400 * calls, 60 * calls, 0.0001 * calls,
                search, 1.8 * search, 1.1 * search, 0.6 * search, chunks * 1_600,
            )
        )  # fmt: skip
    return pl.DataFrame(rows, schema=COSTS_SCHEMA, orient="row")


def chunking(cells: Cells) -> pl.DataFrame:
    rows = [(*cell, 2_470 + 900 * i, 60.0 - i, 180.0 - i, 0.01 * i, 0.02 * i, 1 + 0.1 * i, 0.004) for i, cell in enumerate(cells)]
    return pl.DataFrame(rows, schema=CHUNKING_SCHEMA, orient="row")


def comparisons(cells: Cells, reference: str = "section/flat") -> pl.DataFrame:
    """Every cell against the reference; significant from a difference of 0.03 on."""
    rows = []
    means = {"/".join(cell): mean for cell, mean in recalls(cells).items()}
    for cell, mean in means.items():
        if cell == reference:
            rows.append((SET, "R@10", cell, mean, *[None] * 10))
        else:
            difference = mean - means[reference]
            significant = abs(difference) >= 0.03
            p = 0.0001 if significant else 0.31
            counts = (300, 1_400, 454)
            figures = (difference, difference - 0.015, difference + 0.015, p, min(1.0, p * 20), significant, difference * 5)
            rows.append((SET, "R@10", cell, mean, *figures, *counts))
    found = pl.DataFrame(rows, schema=COMPARISONS_SCHEMA, orient="row")
    return pl.concat([found, found.with_columns(measure=pl.lit("search_ms"))])


def friedman() -> pl.DataFrame:
    return pl.DataFrame(
        [(SET, "R@10", 812.4, 0.0, 0.021), (SET, "search_ms", 40_000.0, 0.0, 0.91)], schema=FRIEDMAN_SCHEMA, orient="row"
    )


def failures(cells: Cells, a_cell: int) -> pl.DataFrame:
    chance = random.Random(9)
    questions = [
        f"Frage {i}: Mein Vermieter zahlt die Kaution nicht zurück, obwohl ich vor {i} Monaten ausgezogen bin. "
        + "Was kann ich tun und bis wann? " * (1 + i % 6)
        for i in range(a_cell)
    ]
    texts = [f"(1) Der Mieter hat die Mietsache nach Nummer {i} zurückzugeben. " * (3 + i % 9) for i in range(2_470)]
    rows = []
    for cell in cells:
        for i in range(a_cell):
            gold, found = chance.randrange(2_470), chance.randrange(2_470)
            cause = CAUSES[min(chance.randrange(9), 6)]
            rank = chance.randrange(11, 100) if cause.startswith("ranked") else None
            linked = f"§ {found} BGB" if cause.startswith("linked") else None
            overlap, length = chance.random(), chance.randrange(400)
            citations = (f"§ {gold} BGB", cause, rank, f"§ {found} BGB", linked)
            texts_of = ("Buch 2 › Mietverhältnis", texts[gold], texts[found])
            rows.append((SET, "/".join(cell), f"q{i}", questions[i], *citations, overlap, length, *texts_of))
    return pl.DataFrame(rows, schema=FAILURES_SCHEMA, orient="row")


def sources(cells: Cells) -> pl.DataFrame:
    rows = [
        ("questions", None, "tables/questions.parquet", "run-0"),
        ("search_latency", None, "tables/search_latency.parquet", "run-1"),
    ]
    for base_unit, strategy in cells:
        for table in ("retrieval_run", "question_measures"):
            rows.append((table, f"{base_unit}/{strategy}", f"tables/{table}/{base_unit}/{strategy}.parquet", "run-2"))
    return pl.DataFrame(rows, schema=SOURCES_SCHEMA, orient="row")


def full_report(cells: Cells, misses_a_cell: int = 30) -> BenchmarkReport:
    return benchmark_report(
        FACTS,
        summaries(cells),
        costs(cells),
        chunking=chunking(cells),
        comparisons=comparisons(cells),
        friedman=friedman(),
        failures=failures(cells, misses_a_cell),
        sources=sources(cells),
    )
