"""`lawrag questions check`: the findings of a question set, in words."""

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from lawrag_assets.cli.options import ColumnsOption, JsonOption, ProfileOption, StorageOption
from lawrag_assets.cli.output import print_json, results, say
from lawrag_assets.cli.settings import settings_of

if TYPE_CHECKING:
    from lawrag_assets.evaluation.question_checks import GoldFinding, NearDuplicates
    from lawrag_assets.question_sets import Checked, CheckedFile

_SHOWN = 5

questions = typer.Typer(
    name="questions", help="Question sets: see what is in them before anything is measured.", no_args_is_help=True
)


@questions.callback()
def _group() -> None:
    """Keep `check` a command of its own, though it is the only one so far."""


@questions.command()
def check(
    context: typer.Context,
    files: Annotated[
        list[str],
        typer.Argument(metavar="FILE…", help="JSON Lines, Parquet, hf://datasets/…, or `sample`.", show_default=False),
    ],
    law: Annotated[
        list[str] | None,
        typer.Option(metavar="SLUG", help="A law to fetch and check against, in place of the profile's.", show_default=False),
    ] = None,
    law_source: Annotated[
        str | None, typer.Option(metavar="URL|DIR", help="Where laws come from (LAWRAG_LAW_SOURCE).", show_default=False)
    ] = None,
    columns: ColumnsOption = None,
    write_mapping: Annotated[
        Path | None,
        typer.Option(
            metavar="CSV", help="Write gold without a section in force to a mapping for you to fill in.", show_default=False
        ),
    ] = None,
    storage: StorageOption = None,
    profile: ProfileOption = None,
    as_json: JsonOption = False,
) -> None:
    """Check question sets against the law: gold that names no section, repeated questions, languages; leakage between files.

    Near-duplicates are pairs with a cosine of 0.9 or more (tf-idf of character 4-grams). Findings are no failure: the exit code is 0.

    Example: lawrag questions check dev.jsonl test.jsonl --law bgb
    """
    from lawrag_assets.question_sets import check_question_files
    from lawrag_assets.question_sets import write_mapping as write

    flags = {"laws": law or None, "law_source": law_source, "question_columns": columns}
    settings = settings_of(context, storage=storage, profile=profile, **flags)
    fetch_laws = bool(law) or law_source is not None
    checked = check_question_files(settings, files, fetch_laws=fetch_laws, say=say)
    if write_mapping is not None:
        count = write(checked, write_mapping)
        say(f"{write_mapping}: {count} citations to fill in; then `lawrag run --gold-mapping {write_mapping}`")
    if as_json:
        print_json(_as_json(checked))
    else:
        _print(checked)


def _as_json(checked: "Checked") -> dict[str, object]:
    return {
        "corpus": {"laws": checked.laws, "sections": checked.sections},
        "files": [{"file": file.file, "gold_mapped": file.gold_mapped, **asdict(file.findings)} for file in checked.files],
        "between": [{"files": list(names), **asdict(pairs)} for names, pairs in checked.between.items()],
    }


def _print(checked: "Checked") -> None:
    results.print(f"checked against {checked.sections:,} sections of {', '.join(checked.laws)}", soft_wrap=True)
    for file in checked.files:
        results.print()
        results.print(_overview(file))
        _print_problems(file)
    for (first, second), pairs in checked.between.items():
        results.print()
        _print_near(f"near-duplicates between {first} and {second}", pairs)


def _overview(file: "CheckedFile") -> Table:
    found = file.findings
    table = Table(title=file.file, title_justify="left", box=None, pad_edge=False, show_header=False)
    table.add_column(no_wrap=True)
    table.add_column()
    rows = {
        "questions": f"{found.questions:,}: {_counts(found.kinds)}",
        "language": _counts(found.languages),
        "characters": _counts(found.characters, "{} {:,}"),
        "gold citations": f"{found.gold_citations:,}" + (f", {file.gold_mapped:,} of all mapped" if file.gold_mapped else ""),
    }
    for name, value in rows.items():
        table.add_row(name, value)
    return table


def _counts(counts: dict[str, int], form: str = "{1:,} {0}") -> str:
    return ", ".join(form.format(name.replace("_", " "), count) for name, count in counts.items())


def _print_problems(file: "CheckedFile") -> None:
    found = file.findings
    _print_gold("gold citations that name no section", found.unknown_gold)
    _print_gold("gold citations of sections not in force", found.gold_not_in_force)
    _print_some("questions that are there more than once", [", ".join(ids) for ids in found.duplicates])
    _print_near("near-duplicates", found.near_duplicates)
    others = [f"{other.question}: says {other.declared}, looks {other.guessed}" for other in found.other_language]
    _print_some("questions that look another language than they say", others)


def _print_gold(title: str, gold: "Sequence[GoldFinding]") -> None:
    lines = [f"{one.citation} ({one.reason}): {_some(one.questions)}" for one in gold]
    times = sum(len(one.questions) for one in gold)
    _print_some(title, lines, f" in {times:,} places" if times else "")


def _print_near(title: str, near: "NearDuplicates") -> None:
    lines = [f"{pair.first}, {pair.second} ({pair.similarity:.2f})" for pair in near.pairs[:_SHOWN]]
    _print_some(f"{title} (cosine {near.threshold} or more)", lines, found=near.found)


def _print_some(title: str, lines: Sequence[str], suffix: str = "", found: int | None = None) -> None:
    count = len(lines) if found is None else found
    results.print(f"{title}: {f'{count:,}' if count else 'none'}{suffix}", soft_wrap=True, highlight=False, markup=False)
    for line in lines[:_SHOWN]:
        results.print(f"  {line}", soft_wrap=True, highlight=False, markup=False)
    if count > _SHOWN:
        results.print(f"  … and {count - _SHOWN:,} more (--json lists them)", highlight=False)


def _some(ids: Sequence[str]) -> str:
    return ", ".join(ids[:_SHOWN]) + (f" … {len(ids) - _SHOWN:,} more" if len(ids) > _SHOWN else "")
