"""Where laws come from: folders, a site on the loopback, the sample; and everything that goes wrong on the way."""

import io
import threading
import zipfile
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from laws.made import document, norm

from lawrag_assets.errors import InputError
from lawrag_assets.laws.source import SiteSource, SourceError, law_source

XML = document(norm("<P>A.</P>"))


def zipped(*members: tuple[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members:
            archive.writestr(name, data)
    return buffer.getvalue()


@pytest.fixture
def folder(tmp_path):
    for slug in ("bgb", "bgbeg", "sgb_9_2018"):
        (tmp_path / slug).mkdir()
        (tmp_path / slug / "xml.zip").write_bytes(zipped(("BJNR1.xml", XML), ("bild.jpg", b"...")))
    return tmp_path


def test_a_folder(folder):
    law = law_source(str(folder)).fetch("bgb")
    assert (law.slug, law.xml) == ("bgb", XML)
    assert law.sha256 == law_source(str(folder)).fetch("bgbeg").sha256
    assert len(law.sha256) == 64


def test_a_missing_slug_names_slug_place_and_close_ones(folder):
    with pytest.raises(InputError) as caught:
        law_source(str(folder)).fetch("bgbe")
    assert "'bgbe'" in str(caught.value)
    assert str(folder) in str(caught.value)
    assert "bgbeg, bgb" in str(caught.value)


@pytest.mark.parametrize(
    "slug", ["", "..", "../bgb", "a/b", "/etc", "bgb/../bgb", "BGB", "bgb\x00", "a..b", "%2e%2e", "bgb\n", "~", "§ 1"]
)
def test_no_slug(folder, slug):
    for source in (law_source(str(folder)), law_source("http://127.0.0.1:9")):
        with pytest.raises(InputError, match="no law's slug"):
            source.fetch(slug)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "not a readable zip"),
        (b"PK\x03\x04 broken", "not a readable zip"),
        (zipped(("BJNR1.xml", XML))[:-40], "not a readable zip"),
        (zipped(("a.txt", b"x")), "holds 0 .xml files"),
        (zipped(("a.xml", XML), ("b.xml", XML)), "holds 2 .xml files"),
    ],
)
def test_a_bad_zip_in_a_folder(folder, data, reason):
    (folder / "bgb" / "xml.zip").write_bytes(data)
    with pytest.raises(InputError, match=reason) as caught:
        law_source(str(folder)).fetch("bgb")
    assert str(folder / "bgb" / "xml.zip") in str(caught.value)


@pytest.mark.parametrize("location", ["/no/such/folder", "ftp://example.org", "file:///tmp", ""])
def test_no_source(location, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    if location:
        with pytest.raises(InputError, match="law source"):
            law_source(location)


class Site(BaseHTTPRequestHandler):
    """Answers by slug."""

    seen: list[tuple[str, str]]

    def do_GET(self) -> None:
        self.seen.append((self.path, self.headers["User-Agent"]))
        good = zipped(("BJNR1.xml", XML))
        slug = self.path.split("/")[-2]
        status, kind, body = {
            "bgb": (200, "application/zip", good),
            "page": (200, "text/html; charset=utf-8", b"<html>error</html>"),
            "text": (200, "application/zip", b"<html>error</html>"),
            "half": (200, "application/zip", good[:-30]),
            "broken": (503, "text/plain", b"later"),
            "cut": (200, "application/zip", good),
            "moved": (302, "text/plain", b""),
            "renamed": (200, "application/zip", good) if "localhost" in self.headers["Host"] else (301, "text/plain", b""),
            "round": (302, "text/plain", b""),
        }.get(slug, (404, "text/html", b"nothing"))
        self.send_response(status)
        self.send_header("Content-Type", kind)
        if status == 302:
            self.send_header("Location", "/base/bgb/xml.zip" if slug == "moved" else self.path)
        if status == 301:
            self.send_header("Location", f"http://localhost:{self.server.server_port}{self.path}")
        self.send_header("Content-Length", str(len(body) + (100 if slug == "cut" else 0)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: object) -> None:
        """Be quiet."""


@pytest.fixture
def site() -> Iterator[str]:
    Site.seen = []
    server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/base"
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.mark.parametrize("slug", ["bgb", "renamed"])
def test_a_site(site, slug):
    law = law_source(site + "/").fetch(slug)
    assert law.xml == XML
    assert Site.seen[0][0] == f"/base/{slug}/xml.zip"
    assert Site.seen[0][1].startswith("lawrag/")


def test_a_slug_the_site_does_not_have(site):
    with pytest.raises(InputError, match="no law 'nix'") as caught:
        law_source(site).fetch("nix")
    assert f"{site}/nix/xml.zip" in str(caught.value)


@pytest.mark.parametrize(
    ("slug", "reason"),
    [
        ("page", "HTML page"),
        ("text", "no zip file"),
        ("half", "not a readable zip"),
        ("broken", "HTTP 503"),
        ("moved", "redirects to http.*/base/bgb/xml.zip"),
        ("round", "redirects without end"),
        ("cut", "closed|incomplete"),
    ],
)
def test_a_site_that_fails(site, slug, reason):
    with pytest.raises(SourceError, match=reason) as caught:
        law_source(site).fetch(slug)
    assert f"{site}/{slug}/xml.zip" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_no_site_there():
    with pytest.raises(SourceError, match=r"http://127\.0\.0\.1:9/bgb/xml\.zip"):
        SiteSource("http://127.0.0.1:9", timeout=2).fetch("bgb")


def test_the_sample_is_found_whatever_the_source(folder, site):
    (folder / "sample").mkdir()
    (folder / "sample" / "xml.zip").write_bytes(zipped(("a.xml", XML)))
    assert law_source(str(folder)).fetch("sample") == law_source(site).fetch("sample")
    assert not Site.seen
