"""Comparing profiles that differ in their embedding model: what is read from each, and what may be compared. No Dagster is needed to read.

Each profile has tables and indexes of its own; vectors are cached by model, so a second profile embeds with its own model only.
"""

from collections.abc import Sequence

import polars as pl

from lawrag_assets.chunking.cells import Cell
from lawrag_assets.errors import InputError
from lawrag_assets.evaluation.measures import ALL, PRIMARY
from lawrag_assets.evaluation.significance import REFERENCE, compare
from lawrag_assets.reporting.comparison import GRID_SCHEMA, MODELS_SCHEMA, STEPS_SCHEMA, ModelComparison
from lawrag_assets.retrieval.aggregation import DEFAULT_AGGREGATION
from lawrag_assets.settings import Settings
from lawrag_assets.tables import TableStore, content_hash

_KEYS = ["question_set", "cell", "retriever"]


def compare_profiles(profiles: Sequence[Settings]) -> ModelComparison:
    """Compare the newest reports' cells of at least two profiles, the first being what the others are held against.

    Raises InputError for a profile without a report, for profiles of other laws or questions, and where they have no cell in common.
    """
    names = [settings.profile for settings in profiles]
    if len(set(names)) < 2:
        raise InputError("name at least two profiles, each once: they are compared with the first")
    stores = {settings.profile: TableStore(settings.paths.tables) for settings in profiles}
    reports = {name: _report(name, tables) for name, tables in stores.items()}
    _require_same(stores, "questions", "other questions")
    _require_same(stores, "corpus", "other laws, or other builds of them,")
    of_each = [report["cell"].unique(maintain_order=True) for report in reports.values()]
    cells = [cell for cell in of_each[0] if all(cell in others for others in of_each[1:])]
    if not cells:
        raise InputError(f"{', '.join(names)} have no cell in common: `lawrag run --cells …` makes the same of each")
    plain = REFERENCE if REFERENCE in cells else cells[0]
    grid = pl.concat([_grid(name, tables, cells) for name, tables in stores.items()])
    grid = grid.filter(pl.len().over(_KEYS) == len(names))
    models = [
        (name, stores[name].read("embedding_model")["version"].item(), *_costs(report, plain)) for name, report in reports.items()
    ]
    return ModelComparison(
        models=pl.DataFrame(models, schema=MODELS_SCHEMA, orient="row"), grid=grid, steps=_steps(stores, grid, plain), plain=plain
    )


def _report(name: str, tables: TableStore) -> pl.DataFrame:
    report = tables.read("benchmark_report") if tables.exists("benchmark_report") else pl.DataFrame()
    if report.is_empty() or report[PRIMARY].null_count() == report.height:
        raise InputError(
            f"profile {name!r} has no report of cells that were asked questions: `lawrag --profile {name} run` makes one"
        )
    return report


def _require_same(stores: dict[str, TableStore], table: str, reason: str) -> None:
    first, *others = stores
    known = content_hash(stores[first].read(table))
    for name in others:
        if content_hash(stores[name].read(table)) != known:
            raise InputError(f"profile {name!r} has {reason} than {first!r}: figures would not be of the same thing")


def _grid(name: str, tables: TableStore, cells: Sequence[str]) -> pl.DataFrame:
    """R@10 of a profile's cells by every retriever."""
    found = []
    for cell in cells:
        metrics = tables.read("cell_metrics", [_cell(cell)]).filter(
            pl.col("aggregation") == DEFAULT_AGGREGATION, pl.col("measure") == PRIMARY, pl.col("subset") == ALL
        )
        found.append(metrics.with_columns(cell=pl.lit(cell), profile=pl.lit(name)).select(GRID_SCHEMA.names()))
    return pl.concat(found).cast(GRID_SCHEMA)


def _costs(report: pl.DataFrame, cell: str) -> tuple[float | None, float | None, float | None]:
    row = report.filter(pl.col("cell") == cell).row(0, named=True)
    return row["embed_seconds"], row["index_mb"], row["search_ms"]


def _steps(stores: dict[str, TableStore], grid: pl.DataFrame, plain: str) -> pl.DataFrame:
    """The plain retrieval and the best of each profile, tested against the first profile's plain one on the same questions."""
    tables = [STEPS_SCHEMA.to_frame()]
    for (question_set,), of_set in grid.group_by("question_set", maintain_order=True):
        chosen: list[tuple[str, str, str]] = []
        for name in stores:
            own = of_set.filter(pl.col("profile") == name)
            best = own.sort("mean", descending=True, maintain_order=True).row(0, named=True)
            chosen += [(name, plain, "dense"), (name, best["cell"], best["retriever"])]
        chosen = list(dict.fromkeys(chosen))
        values = [
            _values(stores[name], cell, retriever, str(question_set), row) for row, (name, cell, retriever) in enumerate(chosen)
        ]
        found = compare(pl.concat(values), reference="0").table.with_columns(row=pl.col("cell").cast(pl.Int64)).drop("cell")
        labels = (
            pl.DataFrame(chosen, schema=["profile", "cell", "retriever"], orient="row")
            .with_row_index("row")
            .cast({"row": pl.Int64})
        )
        step = labels.join(found, on="row", maintain_order="left").with_columns(question_set=pl.lit(str(question_set)))
        tables.append(step.select(STEPS_SCHEMA.names()).cast(STEPS_SCHEMA))
    return pl.concat(tables)


def _values(tables: TableStore, cell: str, retriever: str, question_set: str, row: int) -> pl.DataFrame:
    """R@10 question by question: query, cell (here the row's number), value."""
    measures = tables.read("question_measures", [_cell(cell)]).filter(
        pl.col("question_set") == question_set,
        pl.col("retriever") == retriever,
        pl.col("aggregation") == DEFAULT_AGGREGATION,
    )
    return measures.select("query", cell=pl.lit(str(row)), value=PRIMARY)


def _cell(name: str) -> Cell:
    base_unit, _, strategy = name.partition("/")
    return Cell(base_unit, strategy)
