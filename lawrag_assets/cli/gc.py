"""`lawrag gc`."""

from dataclasses import asdict
from typing import Annotated

import typer

from lawrag_assets.cli.options import JsonOption, StorageOption
from lawrag_assets.cli.output import print_json, results, say
from lawrag_assets.cli.settings import settings_of


def gc(
    context: typer.Context,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would be removed, and remove nothing.")] = False,
    answers: Annotated[
        bool,
        typer.Option(
            "--answers",
            help="Also answers of language models, and vectors that were paid for, of models and prompts no profile names.",
        ),
    ] = False,
    storage: StorageOption = None,
    as_json: JsonOption = False,
) -> None:
    """Remove what no profile of the storage folder uses: indexes and tables of cells and laws that are gone, vectors of models that none
    names, temporary files of killed processes.

    Builds of laws are never removed; answers of language models only with --answers.

    Example: lawrag gc --dry-run
    """
    from lawrag_assets.defs.gc import collect

    collected = collect(settings_of(context, storage=storage), answers=answers, dry_run=dry_run, say=say)
    if as_json:
        litter = [asdict(piece) | {"path": str(piece.path)} for piece in collected.litter]
        print_json({"removed": not dry_run, "bytes": collected.bytes, "litter": litter, "answers": collected.answers})
        return
    for piece in collected.litter:
        results.print(f"{piece.bytes:>13,}  {piece.path}  ({piece.why})", soft_wrap=True, highlight=False, markup=False)
    if collected.answers:
        results.print(
            f"{collected.answer_bytes:>13,}  {collected.answers:,} answers of models and prompts no profile names", soft_wrap=True
        )
    said = "would be removed" if dry_run else "removed"
    results.print(
        f"{collected.bytes:,} bytes {said}" if collected.litter or collected.answers else "nothing to remove", soft_wrap=True
    )
