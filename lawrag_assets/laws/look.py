"""A polite look at a source: few requests, one after the other, and none to a site that has trouble.

What follows from the readings, and when to look again, is `watch`'s decision.
"""

import time
from collections.abc import Callable, Mapping, Sequence

from lawrag_assets.errors import InputError
from lawrag_assets.files import Place
from lawrag_assets.laws.archive import is_kept, keep
from lawrag_assets.laws.gii_xml import parse_law
from lawrag_assets.laws.law_file import SiteDownError, SourceError
from lawrag_assets.laws.slugs import SAMPLE_SLUG
from lawrag_assets.laws.source import WatchedSource
from lawrag_assets.laws.watch import Content, Current, Failed, Found, Known, Reading, Same

PAUSE = 0.5
"""Seconds between two requests to a site."""

BUDGET = 30.0
"""Seconds after which a look begins no further request; the laws left over are the first of the next look."""


def look(
    source: WatchedSource,
    archive: Place,
    laws: Sequence[str],
    known: Mapping[str, Known],
    *,
    now: float,
    with_contents: bool,
    pause: float = PAUSE,
    sleep: Callable[[float], None] = time.sleep,
) -> Current:
    """Ask about the laws that are due, those longest due first. Every build found is kept in the archive, once it was seen to be law.

    `with_contents`: read the table of contents too. A failed read is a reading of its own, or None of the contents; nothing is raised.
    """
    ends = time.monotonic() + BUDGET
    due = sorted((law for law in laws if known.get(law, Known()).due <= now), key=lambda law: known.get(law, Known()).due)
    readings: dict[str, Reading] = {}
    contents = None
    try:
        if with_contents and due:
            contents = _contents(source)
        for number, law in enumerate(due):
            if time.monotonic() > ends:
                break
            if number or contents:
                sleep(pause)
            readings[law] = _read(source, archive, law, known.get(law, Known()))
    except _DownError as down:
        readings[down.law or due[0]] = down.reading  # whoever was asked about stands for the site; the others are not asked about
    return Current(readings, None if contents is None else contents | {SAMPLE_SLUG})


class _DownError(Exception):
    def __init__(self, law: str, error: SiteDownError) -> None:
        self.law = law
        self.reading = Failed(str(error), error.retry_after)


def _contents(source: WatchedSource) -> frozenset[str] | None:
    try:
        return source.contents()
    except SiteDownError as error:
        raise _DownError("", error) from error
    except (SourceError, InputError):
        return None  # a site may have none; each law is asked about all the same


def _read(source: WatchedSource, archive: Place, law: str, known: Known) -> Reading:
    try:
        fetched = source.fetch_if_changed(law, known.mark)
        if fetched is None:
            return Same()
        file = fetched.file
        if not is_kept(archive, law, file.sha256):
            parse_law(file.xml, slug=law, references=False)
            keep(archive, file, source.location)
        return Found(Content(file.sha256, file.build), fetched.mark)
    except SiteDownError as error:
        raise _DownError(law, error) from error
    except (SourceError, InputError, OSError) as error:
        return Failed(str(error))
