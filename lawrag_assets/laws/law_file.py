"""A law's XML as a source hands it out, and what a source says where it cannot. Where it comes from is not known here."""

import hashlib
import re
from dataclasses import dataclass
from importlib import resources

from lawrag_assets.errors import InputError, WorkFailedError
from lawrag_assets.laws.slugs import SAMPLE_SLUG

_BUILDDATE = re.compile(rb"""<(?:dokumente|norm)\b[^>]*?\sbuilddate\s*=\s*["'](\d{8,14})["']""")
_HEAD = 20_000
"""Bytes of a file in which its root and its first norm begin."""


class SourceError(WorkFailedError):
    """The source failed (an error page, a broken download): one line naming the place and the reason. No fault of the user's."""


class SiteDownError(SourceError):
    """The site as a whole has trouble: asking it for another law would be of no use. `retry_after` is what it asks to be left
    alone for, in seconds; 0 where it does not say."""

    def __init__(self, message: str, retry_after: float = 0.0) -> None:
        super().__init__(message)
        self.retry_after = retry_after


@dataclass(frozen=True, slots=True)
class LawFile:
    """A law's XML as it was found. `sha256` is the hex digest of `xml`, whatever zip it came in."""

    slug: str
    xml: bytes
    sha256: str

    @property
    def build(self) -> str:
        """When the site made this build, as digits that sort: YYYYMMDDhhmmss; empty where the file does not say."""
        found = _BUILDDATE.search(self.xml, 0, _HEAD)
        return found[1].decode() if found else ""


@dataclass(frozen=True, slots=True)
class Fetched:
    """A file, and the mark by which its source knows this version again; empty where the source has none."""

    file: LawFile
    mark: str


def law_file(slug: str, xml: bytes) -> LawFile:
    """The file of these bytes."""
    return LawFile(slug, xml, hashlib.sha256(xml).hexdigest())


def sample_law() -> LawFile:
    """The fictional law shipped with the package, found under the slug `sample` whatever the source."""
    resource = resources.files("lawrag_assets") / "sample" / "sample.xml"
    try:
        return law_file(SAMPLE_SLUG, resource.read_bytes())
    except FileNotFoundError as error:
        raise InputError("the sample law is missing from the installed package; reinstall lawrag-assets") from error


def build_date(build: str) -> str:
    """YYYY-MM-DD of a build's digits; empty where they are."""
    return f"{build[:4]}-{build[4:6]}-{build[6:8]}" if build else ""
