"""Laws from a web site in the manner of gesetze-im-internet.de: GET `<base>/<slug>/xml.zip` and `<base>/gii-toc.xml`.

One request a call, no retries: how often to ask is the callers' concern (`look`).
"""

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import metadata

import httpx

from lawrag_assets.errors import InputError
from lawrag_assets.laws.contents import FILE_NAME, read_contents
from lawrag_assets.laws.law_file import Fetched, LawFile, SiteDownError, SourceError, law_file, sample_law
from lawrag_assets.laws.safe_xml import MAX_ZIP_BYTES, xml_from_zip
from lawrag_assets.laws.slugs import SAMPLE_SLUG, check_slug

_DEADLINE = 120.0
_ABSENT = (404, 410)
_MARKS = (("etag", "If-None-Match"), ("last-modified", "If-Modified-Since"))
"""A header that names a version, and the one that asks whether it is still the same: a mark is the latter with its value."""
_REDIRECTS = 3


class SiteSource:
    """A web site. See `source.LawSource`; 404 is an InputError, everything else that goes wrong on the way a SourceError."""

    def __init__(self, base_url: str, *, timeout: float = 20.0, deadline: float = _DEADLINE) -> None:
        """`timeout` in seconds for connecting and between bytes, `deadline` for a whole download."""
        self.location = base_url.rstrip("/")
        self.timeout = timeout
        self.deadline = deadline

    def fetch(self, slug: str) -> LawFile:
        """See `LawSource.fetch`."""
        fetched = self.fetch_if_changed(slug, "")
        assert fetched is not None  # nothing to be unchanged from
        return fetched.file

    def fetch_if_changed(self, slug: str, mark: str) -> Fetched | None:
        """See `LawSource.fetch_if_changed`; a mark is an ETag or else a Last-Modified."""
        check_slug(slug)
        if slug == SAMPLE_SLUG:
            return Fetched(sample_law(), "")
        url = f"{self.location}/{slug}/xml.zip"
        answer = self._get(url, mark, absent=f"no law {slug!r} at {self.location}")
        if answer is None:
            return None
        data, mark = answer
        if not data.startswith(b"PK"):
            raise SourceError(f"{url}: what came is no zip file (it starts with {data[:12]!r})")
        try:
            return Fetched(law_file(slug, xml_from_zip(data, url)), mark)
        except InputError as error:
            raise SourceError(f"{error}; the download may be incomplete, try again") from error

    def contents(self) -> frozenset[str]:
        """See `LawSource.contents`."""
        url = f"{self.location}/{FILE_NAME}"
        answer = self._get(url, "", absent="no table of contents")
        assert answer is not None
        try:
            return read_contents(answer[0], url)
        except InputError as error:
            raise SourceError(str(error)) from error

    def _get(self, url: str, mark: str, *, absent: str) -> tuple[bytes, str] | None:
        """Body and mark of an answer; None where it says that nothing has changed. `absent` is said of a 404."""
        name, _, value = mark.partition(": ")
        with self._answer(url, {name: value} if value else {}) as response:
            if response.status_code == 304 and mark:
                return None
            if response.status_code in _ABSENT:
                raise InputError(f"{absent} ({url}: HTTP {response.status_code})")
            if response.status_code != 200:
                raise _refusal(url, response)
            if "html" in response.headers.get("content-type", ""):
                raise SourceError(f"{url}: answered with an HTML page in place of a {url.rpartition('.')[2]} file")
            return self._body(url, response), _mark(response)

    @contextmanager
    def _answer(self, url: str, headers: dict[str, str]) -> Iterator[httpx.Response]:
        """The answer at `url`, or at a place to which it moved under the same path: https, or the host's other name."""
        headers = {"User-Agent": f"lawrag/{metadata.version('lawrag-assets')}", **headers}
        asked = httpx.URL(url)
        try:
            with httpx.Client(timeout=self.timeout, headers=headers) as client:
                for _ in range(_REDIRECTS):
                    with client.stream("GET", asked) as response:
                        if response.next_request is None:
                            yield response
                            return
                        if response.next_request.url.path != asked.path:
                            raise SourceError(f"{url}: redirects to {response.next_request.url}, which is not where the law was")
                        asked = response.next_request.url
                raise SourceError(f"{url}: redirects without end")
        except httpx.HTTPError as error:
            raise SiteDownError(f"{url}: {str(error) or type(error).__name__}") from error
        except httpx.InvalidURL as error:
            raise SourceError(f"{url}: {error}") from error

    def _body(self, url: str, response: httpx.Response) -> bytes:
        ends = time.monotonic() + self.deadline
        data = bytearray()
        for piece in response.iter_bytes():
            data += piece
            if len(data) > MAX_ZIP_BYTES:
                raise SourceError(f"{url}: larger than {MAX_ZIP_BYTES:,} bytes; that is no law's xml.zip")
            if time.monotonic() > ends:
                raise SiteDownError(f"{url}: not done after {self.deadline:.0f} seconds")
        return bytes(data)


def _mark(response: httpx.Response) -> str:
    return next((f"{asks}: {response.headers[says]}" for says, asks in _MARKS if response.headers.get(says)), "")


def _refusal(url: str, response: httpx.Response) -> SourceError:
    """The error for a status that is no answer; the site as a whole is meant where it is overloaded or broken."""
    reason = f"{url}: HTTP {response.status_code}"
    if response.status_code < 500 and response.status_code != 429:
        return SourceError(reason)
    wait = response.headers.get("retry-after", "")
    return SiteDownError(reason, float(wait) if re.fullmatch(r"\d{1,6}", wait) else 0.0)
