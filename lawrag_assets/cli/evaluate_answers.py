"""`lawrag evaluate-answers`."""

from typing import Annotated

import typer

from lawrag_assets.cli.options import CellOption, JsonOption, ProfileOption, StorageOption
from lawrag_assets.cli.output import print_json, results
from lawrag_assets.cli.settings import settings_of


def evaluate_answers(
    context: typer.Context,
    questions: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[QUESTIONS…]", help="Labelled question sets; the profile's where none is named.", show_default=False
        ),
    ] = None,
    cell: CellOption = "subsection/flat",
    storage: StorageOption = None,
    profile: ProfileOption = None,
    as_json: JsonOption = False,
) -> None:
    """Measure how well questions are answered: what is found, what is refused, where claims are attributed. Writes a page.

    Everything that is fitted is fitted on other questions than it is measured on.

    Example: lawrag evaluate-answers questions.jsonl
    """
    from lawrag_assets.cli.progress import BarProgress
    from lawrag_assets.defs.answer_evaluation import evaluate_answers

    with BarProgress() as progress:
        found = evaluate_answers(settings_of(context, storage=storage, profile=profile), questions or [], cell, progress)
    if as_json:
        print_json({**found.figures, "page": found.page})
        return
    results.print(found.answer, soft_wrap=True)
    results.print(f"report: {found.page}", soft_wrap=True)
