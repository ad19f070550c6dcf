"""`lawrag changes`: the kept builds of a law, and what changed from one to another."""

from dataclasses import asdict
from datetime import date, datetime
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from lawrag_assets.cli.options import JsonOption, ProfileOption, StorageOption
from lawrag_assets.cli.output import print_json, results
from lawrag_assets.cli.settings import settings_of
from lawrag_assets.errors import InputError

if TYPE_CHECKING:
    from lawrag_assets.laws.archive import Build
    from lawrag_assets.laws.changes import Change


def changes(
    context: typer.Context,
    law: Annotated[
        str | None, typer.Option(metavar="SLUG", help="The law; need not be said where the profile has one.", show_default=False)
    ] = None,
    from_: Annotated[
        datetime | None,
        typer.Option("--from", formats=["%Y-%m-%d"], metavar="DATE", help="The law as of this day.", show_default=False),
    ] = None,
    to: Annotated[
        datetime | None,
        typer.Option(formats=["%Y-%m-%d"], metavar="DATE", help="Compared with the law as of that day.", show_default=False),
    ] = None,
    storage: StorageOption = None,
    profile: ProfileOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show what changed in a law: sections added, removed, changed, or with another heading, with the words that went and came.

    Without --from and --to: the two newest builds of those that were ever seen, which all profiles share.

    Example: lawrag changes --law bgb --from 2024-08-16 --to 2025-02-06
    """
    from lawrag_assets.laws.archive import builds, kept, parsed
    from lawrag_assets.laws.changes import section_changes, summary

    settings = settings_of(context, storage=storage, profile=profile)
    slug = _law(law, settings.laws)
    folder = settings.paths.laws
    all_builds = builds(folder, slug)
    old, new = _two(all_builds, slug, from_ and from_.date(), to and to.date())
    before, after = (parsed(kept(folder, slug, build.sha256)) for build in (old, new))
    found = section_changes(before, after)
    if as_json:
        print_json(_as_json(slug, old, new, all_builds, found))
        return
    results.print(f"{after.abbreviation}: {len(all_builds)} build(s) kept: {', '.join(build.date for build in all_builds)}")
    results.print(f"{old.date} → {new.date}: {summary(found)}\n")
    for change in found:
        results.print(_in_words(change), soft_wrap=True)


def _law(law: str | None, laws: list[str]) -> str:
    from lawrag_assets.laws.slugs import check_slug

    if law is None and len(laws) > 1:
        raise InputError(f"say which law with --law: {', '.join(laws)}")
    slug = law or laws[0]
    check_slug(slug)
    return slug


def _two(all_builds: "list[Build]", slug: str, first: date | None, second: date | None) -> "tuple[Build, Build]":
    """The builds as of the two days; of a day that is not given, the newest build and the one before the other."""
    from lawrag_assets.laws.archive import build_known_on

    if not all_builds:
        raise InputError(f"no build of {slug!r} is kept: `lawrag run --law {slug}` fetches one")
    new = build_known_on(all_builds, slug, second) if second else all_builds[-1]
    older = all_builds[: all_builds.index(new)]
    if not first and not older:
        raise InputError(f"one build of {slug!r} is kept, that of {new.date}, and none before it: nothing to compare with yet")
    return (build_known_on(all_builds, slug, first) if first else older[-1]), new


def _as_json(slug: str, old: "Build", new: "Build", all_builds: "list[Build]", found: "list[Change]") -> dict[str, object]:
    kinds = ("added", "removed", "changed", "retitled")
    return {
        "law": slug,
        "from": old.date,
        "to": new.date,
        **{kind: [_change_as_json(change) for change in found if change.kind == kind] for kind in kinds},
        "builds": [{**asdict(build), "date": build.date} for build in all_builds],
    }


def _change_as_json(change: "Change") -> dict[str, object]:
    from lawrag_assets.laws.changes import pieces

    described = asdict(change)
    del described["kind"]
    return {**described, "diff": [asdict(piece) for piece in pieces(change)]}


_STYLES = {"same": "", "gone": "red strike", "new": "green"}
_SIGNS = {"same": "{}", "gone": "[-{}-]", "new": "{{+{}+}}"}


def _in_words(change: "Change") -> Text:
    """A change as coloured text; where there is no colour, words that went are in [-…-], those that came in {+…+}."""
    from lawrag_assets.laws.changes import pieces

    text = Text.assemble((f"{change.citation} {change.heading}".strip(), "bold"), f" – {change.kind}")
    text.append(f": {', '.join(change.subsections)}\n" if change.subsections else "\n")
    for piece in pieces(change):
        text.append(_SIGNS[piece.kind].format(piece.text), _STYLES[piece.kind])
        text.append(" ")
    return text.append("\n")
