"""`lawrag report`."""

import tempfile
import webbrowser
from pathlib import Path
from typing import Annotated

import typer

from lawrag_assets.cli.options import JsonOption, ProfileOption, StorageOption
from lawrag_assets.cli.output import print_json
from lawrag_assets.cli.settings import settings_of
from lawrag_assets.errors import InputError
from lawrag_assets.files import Place


def report(
    context: typer.Context,
    open_it: Annotated[bool, typer.Option("--open", help="Open it in a browser.")] = False,
    trec: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Write the gold labels and runs it was computed from there, in TREC's formats."),
    ] = None,
    storage: StorageOption = None,
    profile: ProfileOption = None,
    as_json: JsonOption = False,
) -> None:
    """Print the path of the newest benchmark report (HTML; the same figures as Markdown, CSV and Parquet beside it).

    With --json all files are listed. --trec writes a folder a question set: qrels.txt, and a run file a cell and retriever.

    Example: lawrag report --trec runs && ir_measures runs/sample/qrels.txt runs/sample/section.flat.dense.run R@10
    """
    settings = settings_of(context, storage=storage, profile=profile)
    paths = settings.paths
    page = paths.reports / "report.html"
    if not page.is_file():
        raise InputError(f"profile {paths.profile!r} has no report yet: `lawrag run` makes one")
    written = []
    if trec is not None:
        from lawrag_assets.trec_export import export_trec

        written = export_trec(settings, trec)
    if as_json:
        forms = {"html": ".html", "markdown": ".md", "csv": ".csv", "parquet": ".parquet"}
        beside = sorted(paths.reports.glob("report-*.*"))
        print_json(
            {
                **{form: str(page.with_suffix(suffix)) for form, suffix in forms.items()},
                "beside": [str(file) for file in beside],
                "trec": [str(file) for file in written],
            }
        )
    else:
        print(page)
        for file in written:
            print(file)
    if open_it:
        webbrowser.open(_on_this_machine(page).as_uri())


def _on_this_machine(page: Place) -> Path:
    """The page, or a copy of it where it lies in an object store; it needs no other file."""
    if isinstance(page, Path):
        return page
    copy = Path(tempfile.mkdtemp(prefix="lawrag-")) / page.name
    copy.write_bytes(page.read_bytes())
    return copy
