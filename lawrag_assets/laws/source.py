"""Where laws come from: a folder of `<slug>/xml.zip`, or a site that serves `<base>/<slug>/xml.zip` as gesetze-im-internet.de
does.

Fetching and checking what was fetched; parsing it is `gii_xml`'s concern, keeping it the callers'.
"""

import difflib
import hashlib
import re
import time
from dataclasses import dataclass
from importlib import metadata, resources
from pathlib import Path
from typing import Protocol

import httpx

from lawrag_assets.errors import InputError, WorkFailedError
from lawrag_assets.laws.safe_xml import MAX_ZIP_BYTES, xml_from_zip

OFFICIAL_SITE = "https://www.gesetze-im-internet.de"
SAMPLE_SLUG = "sample"

_SLUG = re.compile(r"[a-z0-9_][a-z0-9_.-]*")
_DEADLINE = 120.0


class SourceError(WorkFailedError):
    """The site failed (not reachable, an error page, a broken download): one line naming the URL and the reason. No fault of
    the user's."""


@dataclass(frozen=True, slots=True)
class LawFile:
    """A law's XML as it was found. `sha256` is the hex digest of `xml`, whatever zip it came in."""

    slug: str
    xml: bytes
    sha256: str


class LawSource(Protocol):
    """Something that has laws. `location` is the folder or URL, for messages."""

    location: str

    def fetch(self, slug: str) -> LawFile:
        """The law's XML. InputError for a slug that is none or not there; SourceError where a site fails."""
        ...


def law_source(location: str) -> LawSource:
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
        path = self.folder / slug / "xml.zip"
        if not path.is_file():
            raise InputError(f"no law {slug!r} in {self.location} (looked for {path}){self._like(slug)}")
        try:
            if path.stat().st_size > MAX_ZIP_BYTES:
                raise InputError(f"{path}: larger than {MAX_ZIP_BYTES:,} bytes; that is no law's xml.zip")
            data = path.read_bytes()
        except OSError as error:
            raise InputError(f"{path}: cannot be read ({error.strerror or error})") from error
        return _law_file(slug, xml_from_zip(data, str(path)))

    def slugs(self) -> list[str]:
        """The slugs of all laws in the folder, sorted."""
        return sorted(path.parent.name for path in self.folder.glob("*/xml.zip"))

    def _like(self, slug: str) -> str:
        known = [*self.slugs(), SAMPLE_SLUG]
        close = difflib.get_close_matches(slug.lower(), known, n=3, cutoff=0.5)
        return f"; close: {', '.join(close)}" if close else f"; it holds {len(known) - 1} laws"


class SiteSource:
    """A web site in the manner of gesetze-im-internet.de: GET `<base>/<slug>/xml.zip`, one request a law, no retries."""

    def __init__(self, base_url: str, *, timeout: float = 20.0, deadline: float = _DEADLINE) -> None:
        """`timeout` in seconds for connecting and between bytes, `deadline` for a whole download."""
        self.location = base_url.rstrip("/")
        self.timeout = timeout
        self.deadline = deadline

    def fetch(self, slug: str) -> LawFile:
        """See `LawSource.fetch`; 404 is an InputError, everything else that goes wrong on the way a SourceError."""
        check_slug(slug)
        if slug == SAMPLE_SLUG:
            return sample_law()
        url = f"{self.location}/{slug}/xml.zip"
        data = self._download(url, slug)
        try:
            return _law_file(slug, xml_from_zip(data, url))
        except InputError as error:
            raise SourceError(f"{error}; the download may be incomplete, try again") from error

    def _download(self, url: str, slug: str) -> bytes:
        ends = time.monotonic() + self.deadline
        headers = {"User-Agent": f"lawrag/{metadata.version('lawrag-assets')}"}
        try:
            with (
                httpx.Client(timeout=self.timeout, follow_redirects=True, headers=headers) as client,
                client.stream("GET", url) as response,
            ):
                if response.status_code in (404, 410):
                    raise InputError(f"no law {slug!r} at {self.location} ({url}: HTTP {response.status_code})")
                if response.status_code != 200:
                    raise SourceError(f"{url}: HTTP {response.status_code}")
                if "html" in response.headers.get("content-type", ""):
                    raise SourceError(f"{url}: answered with an HTML page in place of a zip file")
                data = bytearray()
                for piece in response.iter_bytes():
                    data += piece
                    if len(data) > MAX_ZIP_BYTES:
                        raise SourceError(f"{url}: larger than {MAX_ZIP_BYTES:,} bytes; that is no law's xml.zip")
                    if time.monotonic() > ends:
                        raise SourceError(f"{url}: not done after {self.deadline:.0f} seconds")
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise SourceError(f"{url}: {str(error) or type(error).__name__}") from error
        if not data.startswith(b"PK"):
            raise SourceError(f"{url}: what came is no zip file (it starts with {bytes(data[:12])!r})")
        return bytes(data)


def check_slug(slug: str) -> None:
    """InputError unless the text can be a slug: one folder name of the site, in lower case ("bgb", "sgb_9_2018")."""
    if not _SLUG.fullmatch(slug) or ".." in slug:
        rule = "lower-case letters, digits, '_', '-', '.' only, as in the site's addresses ('bgb', 'sgb_9_2018')"
        raise InputError(f"{slug!r} is no law's slug: {rule}")


def sample_law() -> LawFile:
    """The fictional law shipped with the package, found under the slug `sample` whatever the source."""
    resource = resources.files("lawrag_assets") / "sample" / "sample.xml"
    try:
        return _law_file(SAMPLE_SLUG, resource.read_bytes())
    except FileNotFoundError as error:
        raise InputError("the sample law is missing from the installed package; reinstall lawrag-assets") from error


def _law_file(slug: str, xml: bytes) -> LawFile:
    return LawFile(slug, xml, hashlib.sha256(xml).hexdigest())
