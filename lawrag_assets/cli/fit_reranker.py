"""`lawrag fit-reranker`."""

from typing import Annotated, Any

import typer
from rich.table import Table

from lawrag_assets.cli.options import CellOption, JsonOption, ProfileOption, StorageOption
from lawrag_assets.cli.output import print_json, results
from lawrag_assets.cli.settings import settings_of


def fit_reranker(
    context: typer.Context,
    questions: Annotated[
        list[str], typer.Argument(metavar="QUESTIONS…", help="Labelled question sets, with Absätze as gold where they are known.")
    ],
    cell: CellOption = "subsection/flat",
    test: Annotated[
        list[str] | None,
        typer.Option(metavar="QUESTIONS", help="Other questions to test the fit on; none may be among the first."),
    ] = None,
    storage: StorageOption = None,
    profile: ProfileOption = None,
    as_json: JsonOption = False,
) -> None:
    """Fit the offline reranker, and when to refuse, on labelled questions; `lawrag ask` then uses it in this profile.

    The figures shown are cross-validated: each question is ranked and judged by a fit that has not seen it, nor its translation.

    Example: lawrag fit-reranker questions.jsonl
    """
    from lawrag_assets.cli.progress import BarProgress
    from lawrag_assets.defs.answering import fit

    with BarProgress() as progress:
        figures = fit(settings_of(context, storage=storage, profile=profile), questions, test or [], cell, progress)
    if as_json:
        print_json(figures)
        return
    for name, found in figures.items():
        results.print(name, style="bold")
        _show(found)


def _show(found: dict[str, Any]) -> None:
    """Measures at section level, how well answerable questions are told from others, and the errors."""
    rows: dict[tuple[str, str], dict[str, float]] = {}
    for row in found["measures"]:
        if row["level"] == "section":
            rows.setdefault((row["configuration"], row["lang"]), {})[row["measure"]] = row["mean"]
    measures = list(next(iter(rows.values())))
    table = Table("ranking", "language", *measures, box=None, pad_edge=False)
    for (configuration, language), values in rows.items():
        table.add_row(configuration, language, *(f"{values[measure]:.3f}" for measure in measures))
    results.print(table)
    separation = Table("unanswerable", "language", "AUROC", box=None, pad_edge=False)
    for row in found["separation"]:
        if row["signal"] == "combined" and row["auroc"] is not None:
            separation.add_row(row["stratum"], row["lang"], f"{row['auroc']:.3f}")
    results.print(separation)
    errors = found["errors"]
    results.print(f"wrong answers {errors['wrong answers']:.2f}, wrong refusals {errors['wrong refusals']:.2f}", soft_wrap=True)
