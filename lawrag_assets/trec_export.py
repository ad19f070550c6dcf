"""Writing what the newest report was computed from in TREC's formats. No Dagster is needed to read."""

from collections.abc import Iterator
from pathlib import Path

import polars as pl

from lawrag_assets.chunking.cells import Cell
from lawrag_assets.errors import InputError
from lawrag_assets.evaluation.measures import PRIMARY, evaluate
from lawrag_assets.evaluation.trec import trec_qrels, trec_run
from lawrag_assets.files import atomic_write_bytes
from lawrag_assets.question_sets import gold_of
from lawrag_assets.retrieval.aggregation import DEFAULT_AGGREGATION
from lawrag_assets.settings import Settings
from lawrag_assets.tables import TableStore


def export_trec(settings: Settings, folder: Path) -> list[Path]:
    """Write `SET/qrels.txt` and `SET/BASE_UNIT.STRATEGY.RETRIEVER.run` for each question set and cell of the newest report.

    Raises InputError where no questions were asked, where the runs are no longer those of the report (its R@10 is computed again from
    them), and where the folder cannot be written.
    """
    tables = TableStore(settings.paths.tables)
    report = tables.read("benchmark_report") if tables.exists("benchmark_report") else pl.DataFrame()
    if report.is_empty() or report[PRIMARY].null_count() == report.height:
        raise InputError(f"profile {settings.profile!r} has no report of cells that were asked questions: `lawrag run` makes one")
    gold = gold_of(tables.read("questions"), tables.read("corpus")).table
    files = [(f"{name}/qrels.txt", trec_qrels(labels)) for (name,), labels in gold.group_by("question_set", maintain_order=True)]
    for cell in report["cell"].unique(maintain_order=True):
        base_unit, strategy = cell.split("/")
        run = tables.read("retrieval_run", [Cell(base_unit, strategy)]).filter(pl.col("aggregation") == DEFAULT_AGGREGATION)
        _require_same_figures(run, gold, report.filter(pl.col("cell") == cell))
        files += _run_files(run, base_unit, strategy)
    try:
        for name, text in files:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            atomic_write_bytes(folder / name, text.encode())
    except OSError as error:
        raise InputError(f"{folder}: cannot be written: {error.strerror}") from None
    return [folder / name for name, _ in files]


def _run_files(run: pl.DataFrame, base_unit: str, strategy: str) -> Iterator[tuple[str, str]]:
    for (question_set, retriever), ranking in run.group_by("question_set", "retriever", maintain_order=True):
        name = f"{base_unit}.{strategy}.{retriever}"
        yield f"{question_set}/{name}.run", trec_run(ranking, name)


def _require_same_figures(run: pl.DataFrame, gold: pl.DataFrame, rows: pl.DataFrame) -> None:
    """Refuse runs that do not give the report's figures: they were made anew after it."""
    found = evaluate(run.filter(pl.col("rank") <= 10, pl.col("retriever") == "dense"), gold)
    means = dict(found.group_by("question_set").agg(pl.col(PRIMARY).mean()).iter_rows())
    for row in rows.iter_rows(named=True):
        if abs(means.get(row["question_set"], 0.0) - row[PRIMARY]) > 1e-9:
            raise InputError(
                f"the run of cell {row['cell']} is not the one of the newest report: `lawrag run` makes a new report"
            )
