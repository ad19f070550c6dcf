"""Where laws come from: a folder of `<slug>/xml.zip`, or a site that serves `<base>/<slug>/xml.zip` (`site`).

Fetching and checking what was fetched; parsing it is `gii_xml`'s concern, keeping it `archive`'s, asking again and again `look`'s.
"""

import difflib
import re
from pathlib import Path
from typing import Protocol

from lawrag_assets.errors import InputError
from lawrag_assets.laws.law_file import Fetched, LawFile, SourceError, law_file, sample_law
from lawrag_assets.laws.safe_xml import MAX_ZIP_BYTES, xml_from_zip
from lawrag_assets.laws.site import SiteSource
from lawrag_assets.laws.slugs import OFFICIAL_SITE, SAMPLE_SLUG, check_slug


class LawSource(Protocol):
    """Something that has laws. `location` is the folder or URL, for messages."""

    location: str

    def fetch(self, slug: str) -> LawFile:
        """The law's XML. InputError for a slug that is none or not there; SourceError where a site fails."""
        ...


class WatchedSource(LawSource, Protocol):
    """A source that can be asked again cheaply whether anything has changed."""

    def fetch_if_changed(self, slug: str, mark: str) -> Fetched | None:
        """The law's XML, or None where it is still the version of this mark ("" is the mark of none). Errors as in `fetch`."""
        ...

    def contents(self) -> frozenset[str]:
        """The slugs of all laws that it has, never none. SourceError where they cannot be read, InputError where it keeps no list."""
        ...


def law_source(location: str) -> WatchedSource:
    """The source at a folder's path or a base URL (http, https). InputError if it is neither. The slug `sample` is served by
    every source."""
    if re.match(r"https?://", location):
        return SiteSource(location)
    if re.match(r"[a-z][a-z0-9+.-]+://", location, re.IGNORECASE):
        raise InputError(f"law source {location!r}: only folders, http:// and https:// are understood")
    folder = Path(location).expanduser()
    if not folder.is_dir():
        raise InputError(
            f"law source {location!r}: no such folder (it must hold <slug>/xml.zip; or give a URL such as {OFFICIAL_SITE})"
        )
    return FolderSource(folder)


class FolderSource:
    """A folder of `<slug>/xml.zip`, as a mirror of the site has it."""

    def __init__(self, folder: Path) -> None:
        """`folder` exists; see `law_source`."""
        self.folder = folder
        self.location = str(folder)

    def fetch(self, slug: str) -> LawFile:
        """See `LawSource.fetch`; a slug that is not there is answered with those that look like it."""
        check_slug(slug)
        if slug == SAMPLE_SLUG:
            return sample_law()
        path = self._path(slug)
        try:
            if path.stat().st_size > MAX_ZIP_BYTES:
                raise InputError(f"{path}: larger than {MAX_ZIP_BYTES:,} bytes; that is no law's xml.zip")
            data = path.read_bytes()
        except OSError as error:
            raise InputError(f"{path}: cannot be read ({error.strerror or error})") from error
        return law_file(slug, xml_from_zip(data, str(path)))

    def fetch_if_changed(self, slug: str, mark: str) -> Fetched | None:
        """See `WatchedSource.fetch_if_changed`; a mark is the file's time and size."""
        check_slug(slug)
        if slug == SAMPLE_SLUG:
            return Fetched(sample_law(), "")
        state = self._path(slug).stat()
        now = f"{state.st_mtime_ns} {state.st_size}"
        return None if now == mark else Fetched(self.fetch(slug), now)

    def contents(self) -> frozenset[str]:
        """See `WatchedSource.contents`; a folder that is empty or gone, as one not mounted is, cannot be read."""
        slugs = self.slugs()
        if not slugs:
            raise SourceError(f"{self.location}: no <slug>/xml.zip in this folder")
        return frozenset(slugs)

    def slugs(self) -> list[str]:
        """The slugs of all laws in the folder, sorted."""
        return sorted(path.parent.name for path in self.folder.glob("*/xml.zip"))

    def _path(self, slug: str) -> Path:
        path = self.folder / slug / "xml.zip"
        if not path.is_file():
            raise InputError(f"no law {slug!r} in {self.location} (looked for {path}){self._like(slug)}")
        return path

    def _like(self, slug: str) -> str:
        known = [*self.slugs(), SAMPLE_SLUG]
        close = difflib.get_close_matches(slug.lower(), known, n=3, cutoff=0.5)
        return f"; close: {', '.join(close)}" if close else f"; it holds {len(known) - 1} laws"
