"""Every build of a law ever seen, kept by content: `<folder>/<slug>/<sha256>.xml`, and beside it `<sha256>.json`, which says when it
was first seen, and where. Which one is current, the caller knows.
"""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime
from functools import lru_cache

from lawrag_assets.errors import InputError
from lawrag_assets.files import Place, atomic_write_bytes
from lawrag_assets.laws.gii_xml import parse_law
from lawrag_assets.laws.law_file import LawFile, build_date, sample_law
from lawrag_assets.laws.model import Law
from lawrag_assets.laws.slugs import SAMPLE_SLUG, check_slug
from lawrag_assets.laws.watch import is_older


@dataclass(frozen=True, slots=True)
class Build:
    """A kept build. `build` is the site's own time of making it (YYYYMMDDhhmmss, may be empty), `first_seen` ours (ISO 8601, UTC);
    `source` is where it was seen first, empty of builds kept before that was written down."""

    slug: str
    sha256: str
    build: str
    first_seen: str
    source: str

    @property
    def date(self) -> str:
        """The build's date, YYYY-MM-DD; the day it was first seen where the file has none."""
        return build_date(self.build) or self.first_seen[:10]


def keep(folder: Place, file: LawFile, source: str) -> Place:
    """Store the build unless it is there already, and return where it lies."""
    path = _path(folder, file.slug, file.sha256)
    if not is_kept(folder, file.slug, file.sha256):
        build = Build(file.slug, file.sha256, file.build, _iso(datetime.now(UTC)), source)
        atomic_write_bytes(path.with_suffix(".json"), json.dumps(asdict(build)).encode())
        atomic_write_bytes(path, file.xml)
    return path


def is_kept(folder: Place, slug: str, sha256: str) -> bool:
    """Whether this build has been seen before."""
    return _path(folder, slug, sha256).is_file()


def kept(folder: Place, slug: str, sha256: str) -> LawFile:
    """A kept build. Raises FileNotFoundError where it was never kept or was deleted."""
    return LawFile(slug, _path(folder, slug, sha256).read_bytes(), sha256)


def builds(folder: Place, slug: str) -> list[Build]:
    """All kept builds of a law, oldest first."""
    found = [_described(path, slug) for path in (folder / slug).glob("[0-9a-f]*.xml")]
    return sorted(found, key=lambda build: (build.date, build.build, build.first_seen))


def former_build(folder: Place, file: LawFile) -> Build | None:
    """The newest kept build that is older than the file; None where there is none, or the file does not say how old it is."""
    older = [build for build in builds(folder, file.slug) if is_older(build.build, file.build)]
    return older[-1] if older else None


def build_known_on(all_builds: Sequence[Build], slug: str, day: date) -> Build:
    """The newest of a law's builds, given oldest first, that the site made on that day or before. InputError where there is none."""
    known = [build for build in all_builds if build.date <= day.isoformat()]
    if not known:
        held = f"the oldest is of {all_builds[0].date}" if all_builds else "none was ever seen"
        raise InputError(f"no build of {slug!r} from {day} or before is kept: {held}")
    return known[-1]


class ArchiveSource:
    """The kept builds as they were known on a day, as a `source.LawSource`. The sample law is always there."""

    def __init__(self, folder: Place, day: date) -> None:
        self.location = f"{folder} as of {day}"
        self._folder = folder
        self._day = day

    def fetch(self, slug: str) -> LawFile:
        """See `build_known_on`."""
        check_slug(slug)
        if slug == SAMPLE_SLUG:
            return sample_law()
        return kept(self._folder, slug, build_known_on(builds(self._folder, slug), slug, self._day).sha256)


@lru_cache(maxsize=4)
def parsed(file: LawFile) -> Law:
    """The whole law of a file. A process parses a build once, though several of its steps look at it; see `parse_law`."""
    return parse_law(file.xml, slug=file.slug)


def _path(folder: Place, slug: str, sha256: str) -> Place:
    return folder / slug / f"{sha256}.xml"


def _described(path: Place, slug: str) -> Build:
    """What is known of a kept file. One without a description was kept by an older version: its time says when it was seen."""
    description = path.with_suffix(".json")
    if description.is_file():
        return Build(**json.loads(description.read_text("utf-8")))
    file = LawFile(slug, path.read_bytes(), path.stem)
    return Build(slug, path.stem, file.build, _iso(datetime.fromtimestamp(path.stat().st_mtime, UTC)), "")


def _iso(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds")
