"""A real browser: Debian's chromium, driven by Playwright. Tests that use it are skipped, visibly, where there is none."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Page, sync_playwright

CHROMIUM = shutil.which("chromium")
needs_browser = pytest.mark.skipif(CHROMIUM is None, reason="no chromium on this machine: apt-get install chromium")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@contextmanager
def open_page(width: int = 1280, height: int = 800, color_scheme: str = "light") -> Iterator[Page]:
    """A page of a browser of its own."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=color_scheme)  # type: ignore[arg-type]
        try:
            yield page
        finally:
            browser.close()


def console_errors(page: Page) -> list[str]:
    """A list that fills with the page's console errors and uncaught exceptions from now on."""
    errors: list[str] = []
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: errors.append(str(error)))
    return errors
