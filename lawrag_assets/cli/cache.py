"""`lawrag cache`, with `export` and `import`: the answers of language models that were kept, and how they travel."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from lawrag_assets.cli.options import JsonOption, ProfileOption, StorageOption
from lawrag_assets.cli.output import print_json, results
from lawrag_assets.cli.settings import settings_of

if TYPE_CHECKING:
    from lawrag_assets.generation.answers import AnswerStore, Holding

FileArgument = Annotated[Path, typer.Argument(metavar="FILE", help="JSON Lines, one answer a line.", show_default=False)]

cache = typer.Typer(rich_markup_mode=None)


@cache.callback(invoke_without_command=True)
def show(
    context: typer.Context, storage: StorageOption = None, profile: ProfileOption = None, as_json: JsonOption = False
) -> None:
    """Show what answers of language models are kept, with their size and cost.

    All profiles share them. A fallback is what stands in for an answer that was of no use. A cost with + lacks the answers whose price
    is unknown. --json has calls, tokens and seconds too.

    Example: lawrag cache --json
    """
    flags = {"storage": storage, "profile": profile}
    context.obj = {**(context.obj or {}), **{name: value for name, value in flags.items() if value is not None}}
    if context.invoked_subcommand:
        return
    holdings = _store(context).holdings()
    if as_json:
        print_json([asdict(holding) for holding in holdings])
    else:
        results.print(_table(holdings))


@cache.command("export")
def export_(
    context: typer.Context,
    file: FileArgument,
    storage: StorageOption = None,
    profile: ProfileOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write all answers to a file.

    The file is replaced; `lawrag cache import` adds its answers to another cache, where they need not be asked for again.

    Example: lawrag cache export answers.jsonl
    """
    count = _store(context, storage=storage, profile=profile).export_lines(file)
    if as_json or _json_before(context):
        print_json({"file": str(file), "answers": count})
    else:
        print(f"{count:,} answers written to {file}")


@cache.command("import")
def import_(
    context: typer.Context,
    file: FileArgument,
    storage: StorageOption = None,
    profile: ProfileOption = None,
    as_json: JsonOption = False,
) -> None:
    """Add the answers of an exported file.

    Those that are there already stay as they are. What comes before a bad line may have been added: mend the line and import again.

    Example: lawrag cache import answers.jsonl
    """
    count = _store(context, storage=storage, profile=profile).import_lines(file)
    if as_json or _json_before(context):
        print_json({"file": str(file), "new": count})
    else:
        print(f"{count:,} new answers from {file}")


def _store(context: typer.Context, *, storage: Path | None = None, profile: str | None = None) -> "AnswerStore":
    from lawrag_assets.generation.answers import AnswerStore

    return AnswerStore(settings_of(context, storage=storage, profile=profile).paths.cache_room)


def _json_before(context: typer.Context) -> bool:
    """Whether --json stands before the name of the subcommand."""
    return bool(context.parent and context.parent.params["as_json"])


def _table(holdings: "list[Holding]") -> Table:
    table = Table(box=None, pad_edge=False)
    for column in ("model", "task", "prompt"):  # a model's name tells its generator: `--json` has both
        table.add_column(column, overflow="fold", no_wrap=column == "task")
    for column in ("answers", "fallbacks", "size", "cost"):
        table.add_column(column, justify="right", no_wrap=True)
    for holding in holdings:
        table.add_row(
            holding.model,
            str(holding.task),
            holding.prompt,
            f"{holding.entries:,}",
            f"{holding.fallbacks:,}",
            _size(holding.bytes),
            _cost(holding),
        )
    return table


def _size(count: int) -> str:
    return f"{count / 1e6:,.1f} MB" if count >= 1e6 else f"{count / 1e3:,.1f} kB"


def _cost(holding: "Holding") -> str:
    """In US dollars; "+" where some answers have no known price, "unknown" where none has one."""
    if holding.unpriced == holding.entries:
        return "unknown"
    return f"${holding.cost:,.4f}{'+' if holding.unpriced else ''}"
