"""`lawrag compare`."""

from pathlib import Path
from typing import Annotated

import typer

from lawrag_assets.cli.options import JsonOption, StorageOption
from lawrag_assets.cli.output import print_json
from lawrag_assets.cli.settings import settings_of
from lawrag_assets.files import Place


def compare(
    context: typer.Context,
    profiles: Annotated[
        list[str], typer.Argument(metavar="PROFILE…", help="Two or more; the others are compared with the first.")
    ],
    output: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where the page is written; without it, the first profile's reports.")
    ] = None,
    storage: StorageOption = None,
    as_json: JsonOption = False,
) -> None:
    """Compare profiles that differ in their embedding model, on one page: what does a bigger model buy over a better pipeline?

    Their laws and questions have to be the same; what both have built and measured is compared. Prints the path of the page (HTML;
    the same figures as Markdown and CSV beside it).

    Example: lawrag --profile base run --embedding-model intfloat/multilingual-e5-base && lawrag compare default base
    """
    from lawrag_assets.comparing import compare_profiles
    from lawrag_assets.reporting.comparison import comparison_answers, write_comparison

    compared = [settings_of(context, storage=storage, profile=name) for name in profiles]
    comparison = compare_profiles(compared)
    folder: Place = output if output is not None else compared[0].paths.reports
    if isinstance(folder, Path):
        folder.mkdir(parents=True, exist_ok=True)
    paths = write_comparison(comparison, folder)
    if as_json:
        files = {"html": paths.html, "markdown": paths.markdown, "csv": paths.csv}
        print_json(
            {
                **{kind: str(file) for kind, file in files.items()},
                "models": comparison.models.to_dicts(),
                "steps": comparison.steps.to_dicts(),
            }
        )
        return
    for answer in comparison_answers(comparison):
        print(answer)
    print(paths.html)
