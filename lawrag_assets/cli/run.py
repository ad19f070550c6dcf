"""`lawrag run`."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lawrag_assets.cli.options import ColumnsOption, JsonOption, ProfileOption, StorageOption
from lawrag_assets.cli.output import print_json, results, say
from lawrag_assets.cli.settings import settings_of
from lawrag_assets.errors import WorkFailedError
from lawrag_assets.presets import Preset
from lawrag_assets.presets import preset as load_preset
from lawrag_assets.settings import SAMPLE, Settings, absolute

if TYPE_CHECKING:
    from lawrag_assets.chunking.cells import Cell
    from lawrag_assets.defs.driver import Remembered


def run(
    context: typer.Context,
    law: Annotated[
        list[str] | None,
        typer.Option(metavar="SLUG", help="A law, by its folder on the official site; replaces the profile's laws."),
    ] = None,
    cells: Annotated[list[str] | None, typer.Option(metavar="SPEC", help="paper, all, or BASE_UNIT/STRATEGY with *.")] = None,
    questions: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE", help="A question set (JSON Lines, Parquet, hf://datasets/…), or `sample`; replaces the profile's."
        ),
    ] = None,
    training_questions: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE",
            help="A question set to learn to rank from (LAWRAG_TRAINING_QUESTIONS); the same as in --questions is cross-validated.",
        ),
    ] = None,
    columns: ColumnsOption = None,
    gold_mapping: Annotated[
        str | None,
        typer.Option(
            metavar="CSV", help="What gold citations are called now; `lawrag questions check` makes one, '' takes it back."
        ),
    ] = None,
    law_source: Annotated[str | None, typer.Option(metavar="URL|DIR", help="Where laws come from (LAWRAG_LAW_SOURCE).")] = None,
    embedding_model: Annotated[
        str | None, typer.Option(metavar="NAME", help="Model that embeds (LAWRAG_EMBEDDING_MODEL).")
    ] = None,
    device: Annotated[str | None, typer.Option(help="Device and precision of the model (LAWRAG_DEVICE).")] = None,
    llm: Annotated[
        str | None, typer.Option(metavar="NAME", help="What writes contexts, propositions, summaries (LAWRAG_LLM).")
    ] = None,
    llm_api_base: Annotated[
        str | None, typer.Option(metavar="URL", help="Where the language model is served (LAWRAG_LLM_API_BASE).")
    ] = None,
    llm_cache: Annotated[
        str | None, typer.Option(metavar="MODE", help="normal, only-cache or refresh (LAWRAG_LLM_CACHE); not remembered.")
    ] = None,
    preset: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="A named set of flags: paper. Flags given beside it win.", show_default=False),
    ] = None,
    dry_run: Annotated[
        bool,
        typer.Option("--dry-run", help="Say what calls, tokens, price and hours it would take; nothing is asked or written."),
    ] = False,
    as_of: Annotated[
        str | None,
        typer.Option(
            metavar="DATE", help="The law as of a day (YYYY-MM-DD), from the builds kept; '' is the law as it is now again."
        ),
    ] = None,
    storage: StorageOption = None,
    profile: ProfileOption = None,
    as_json: JsonOption = False,
) -> None:
    """Build and evaluate the named cells, with all they need; what is up to date is not redone.

    Without --cells: section/flat and subsection/flat. Laws, questions, columns, mapping, source, day, models and device are remembered
    in the profile's file. --preset paper is the paper's experiment: its questions, models and cells. --as-of takes of each law the newest
    kept build that the site made on that day or before.

    Example: lawrag run --law bgb --cells '*/flat' --questions questions.jsonl
    """
    flags = {
        "laws": law,
        "questions": questions,
        "training_questions": training_questions,
        "law_source": law_source,
        "embedding_model": embedding_model,
        "device": device,
        "llm": llm,
        "llm_api_base": llm_api_base,
    }
    named = load_preset(preset) if preset else Preset({}, [])
    given = named.settings | {name: value for name, value in flags.items() if value}
    emptied = {"question_columns": columns, "gold_mapping": gold_mapping, "as_of": as_of}
    given |= {name: value for name, value in emptied.items() if value is not None}
    from lawrag_assets.chunking.cells import parse_cells

    before = settings_of(context, storage=storage, profile=profile)
    remembered = _remembered(before, given)
    settings = settings_of(context, storage=storage, profile=profile, llm_cache=llm_cache, **remembered.values)
    chosen = parse_cells(cells or named.cells)
    if dry_run:
        _foresee(settings, chosen, as_json)
    else:
        _work(settings, remembered, chosen, as_json)


def _foresee(settings: Settings, cells: "list[Cell]", as_json: bool) -> None:
    from lawrag_assets.cli.forecast import forecast_json, print_forecast
    from lawrag_assets.cli.progress import BarProgress
    from lawrag_assets.defs.dry_run import dry_run
    from lawrag_assets.generation.protocol import Task

    with BarProgress() as progress:
        forecast = dry_run(settings, cells, progress=progress, say=progress.say)
    if as_json:
        print_json(forecast_json(forecast))
    else:
        print_forecast(forecast)
    missing = sum(line.needed - line.kept for line in forecast.lines if line.task in set(Task))
    if settings.llm_cache == "only-cache" and missing:
        say(f"only-cache: {missing:,} answers are not in the cache, so that this run would fail")


def _remembered(before: Settings, flags: dict[str, Any]) -> "Remembered":
    """The flags as the profile's file keeps them: paths absolute, files of the hub with their commit. The sample's questions come and go
    with the sample law."""
    from lawrag_assets.defs.driver import Remembered

    values = dict(flags)
    notes = []
    if "questions" in flags:
        values["questions"] = [_fixed(name) for name in flags["questions"]]
    elif "laws" in flags and SAMPLE not in flags["laws"] and SAMPLE in before.questions:
        values["questions"] = [name for name in before.questions if name != SAMPLE]
        notes.append("the sample law's questions are left out with it; name others with --questions")
    elif "laws" in flags and SAMPLE in flags["laws"] and not before.questions:
        values["questions"] = [SAMPLE]
    if "training_questions" in flags:
        values["training_questions"] = [_fixed(name) for name in flags["training_questions"]]
    if flags.get("gold_mapping"):
        values["gold_mapping"] = absolute(flags["gold_mapping"])
    if "law_source" in flags and "://" not in flags["law_source"]:
        values["law_source"] = absolute(flags["law_source"])
    if "embedding_model" in flags and Path(flags["embedding_model"]).expanduser().is_dir():
        values["embedding_model"] = absolute(flags["embedding_model"])
    if "laws" in flags and flags["laws"] != before.laws:
        notes.insert(0, f"profile {before.profile}: laws are now {', '.join(flags['laws'])} (were {', '.join(before.laws)})")
    return Remembered(values, tuple(notes))


def _fixed(question_set: str) -> str:
    """The question set's name such that it means the same tomorrow and in another folder."""
    from lawrag_assets.evaluation.hub_questions import SCHEME, pinned

    if question_set == SAMPLE:
        return question_set
    return pinned(question_set) if question_set.startswith(SCHEME) else absolute(question_set)


def _work(settings: Settings, remembered: "Remembered", cells: "list[Cell]", as_json: bool) -> None:
    from lawrag_assets.cli.progress import BarProgress
    from lawrag_assets.defs.driver import drive
    from lawrag_assets.reporting.terminal import print_report

    with BarProgress() as progress:
        finished = drive(settings, cells, to_remember=remembered, progress=progress, say=progress.say)
    if not finished.outcome.done and not finished.outcome.failed:
        say("everything is up to date")
    if as_json:
        print_json({"report": str(finished.report_file), "cells": finished.report.to_dicts()})
    elif finished.report_file.is_file():
        print_report(finished.report, results)
        results.print(f"report: {finished.report_file}", soft_wrap=True)
    if finished.outcome.failed:
        failed = "; ".join(f"{step}: {reason}" for step, reason in finished.outcome.failed.items())
        raise WorkFailedError(f"{len(finished.outcome.failed)} failed: {failed}")
