"""A site on the loopback that serves laws as gesetze-im-internet.de does, and fails in every way that sites do."""

import contextlib
import hashlib
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

HTML = b"<!DOCTYPE html><html><body>Wartungsarbeiten</body></html>"
SLOW = 3.0
"""Seconds for which the site is silent where it is `slow`."""


class LawSite:
    """What is served now, and what was asked for. `mood`: "well", or one of those in `_Handler`."""

    def __init__(self) -> None:
        self.zips: dict[str, bytes] = {}
        self.mood = "well"
        self.marks = True
        self.asked: list[tuple[str, int]] = []
        site = self

        class Handler(_Handler):
            served = site

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()
        self.address = f"http://127.0.0.1:{self._server.server_port}"

    def serve(self, slug: str, zip_file: Path) -> None:
        self.zips[slug] = zip_file.read_bytes()

    def contents(self) -> bytes:
        items = "".join(f"<item><title>x</title><link>{self.address}/{slug}/xml.zip</link></item>" for slug in self.zips)
        return f'<?xml version="1.0" encoding="UTF-8" ?><items>{items}</items>'.encode()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class _Handler(BaseHTTPRequestHandler):
    served: LawSite

    def do_GET(self) -> None:
        site = self.served
        if self.path == "/gii-toc.xml":
            return self.answer(200, site.contents(), "application/xml") if site.mood == "well" else self.answer(500, b"")
        data = site.zips.get(self.path.split("/")[1])
        if site.mood == "slow":
            time.sleep(SLOW)
        if site.mood == "missing" or data is None:
            return self.answer(404, HTML, "text/html")
        if site.mood == "broken":
            return self.answer(500, HTML, "text/html")
        if site.mood == "page":
            return self.answer(200, HTML, "text/html; charset=utf-8")
        if site.mood == "disguised page":
            return self.answer(200, HTML)
        if site.mood == "half":
            return self.answer(200, data[: len(data) // 2])
        if site.mood == "moved":
            return self.answer(302, b"", location="/wartung.html")
        mark = f'"{hashlib.sha256(data).hexdigest()}"'
        if site.marks and self.headers.get("If-None-Match") == mark:
            return self.answer(304, b"")
        return self.answer(200, data, mark=mark if site.marks else "")

    def answer(self, status: int, body: bytes, kind: str = "application/zip", *, mark: str = "", location: str = "") -> None:
        self.served.asked.append((self.path, status))
        self.send_response(status)
        for name, value in (("ETag", mark), ("Location", location), ("Content-Type", kind if body else "")):
            if value:
                self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # who asked has lost patience
            self.wfile.write(body)

    def log_message(self, *args: object) -> None:
        """Be quiet."""


@pytest.fixture
def law_site() -> Iterator[LawSite]:
    site = LawSite()
    yield site
    site.close()
