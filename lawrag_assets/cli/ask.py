"""`lawrag ask`."""

from typing import TYPE_CHECKING, Annotated

import typer

from lawrag_assets.cli.options import (
    AnsweringModelBaseOption,
    AnsweringModelOption,
    CellOption,
    JsonOption,
    ProfileOption,
    StorageOption,
)
from lawrag_assets.cli.output import print_json, results, say
from lawrag_assets.cli.settings import settings_of

if TYPE_CHECKING:
    from lawrag_assets.qa.reply import Reply


def ask(
    context: typer.Context,
    question: Annotated[str, typer.Argument(show_default=False)],
    law: Annotated[
        list[str] | None, typer.Option(metavar="SLUG", help="Only this law; otherwise those the question names, or all.")
    ] = None,
    cell: CellOption = "subsection/flat",
    llm: AnsweringModelOption = None,
    llm_api_base: AnsweringModelBaseOption = None,
    storage: StorageOption = None,
    profile: ProfileOption = None,
    as_json: JsonOption = False,
) -> None:
    """Answer a question from the law, each claim with its citation, or refuse where the law indexed does not answer it.

    Without a language model the answer quotes the law. With one, the question and the passages found are sent to its provider. No legal
    advice.

    Example: lawrag ask 'Wie lange darf ich ein Gerät ausleihen?'
    """
    from lawrag_assets.asking import open_pipeline

    settings = settings_of(context, storage=storage, profile=profile, llm=llm, llm_api_base=llm_api_base)
    reply = open_pipeline(settings, cell=cell).ask(question, laws=law or [])
    if as_json:
        print_json(reply.as_json())
    else:
        _show(reply)
    for note in reply.notes:
        say(note)
    for removed in reply.removed_citations:
        say(f"removed from the answer: {removed.citation} ({removed.reason})")


def _show(reply: "Reply") -> None:
    results.print(reply.answer, markup=False, highlight=False, soft_wrap=True)
    results.print()
    for claim in reply.claims:
        if claim.meta:
            continue
        mark = "✓" if claim.supported else "?"
        by = (
            f"{claim.citation} ({claim.score:.2f})"
            if claim.supported
            else f"not supported; nearest {claim.citation} ({claim.score or 0:.2f})"
        )
        results.print(f"{mark} {claim.text}\n    {by}", markup=False, highlight=False, soft_wrap=True)
    if reply.refused and reply.evidence:
        nearest = ", ".join(passage.citation for passage in reply.evidence[:3])
        results.print(f"nearest: {nearest}", markup=False, highlight=False, soft_wrap=True)
    builds = ", ".join(f"{law.law} {law.build}" for law in reply.laws)
    results.print(f"{builds}. {reply.disclaimer}", markup=False, highlight=False, soft_wrap=True)
