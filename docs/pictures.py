"""Makes the README's pictures: Dagster's graph, the benchmark report and the service's page on the demo's profile, in a headless chromium.

Run it as `make pictures`, which makes the demo first.
"""

import os
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

PROJECT = Path(__file__).parent.parent
PICTURES = Path(__file__).parent / "pictures"
STORAGE = PROJECT / "storage"
PORT = 3917
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync"]


def picture_of_the_report(page: Page) -> None:
    page.set_viewport_size({"width": 1200, "height": 900})
    page.goto((STORAGE / "profiles/demo/reports/report.html").as_uri())
    page.screenshot(path=PICTURES / "report.png")


def picture_of_the_graph(page: Page) -> None:
    command = [sys.executable, "-c", "from lawrag_assets.cli import main; main()", "--profile", "demo", "ui", "--port", str(PORT)]
    process = subprocess.Popen(command, env={**os.environ, "LAWRAG_STORAGE": str(STORAGE)}, start_new_session=True)
    try:
        wait_for(f"http://127.0.0.1:{PORT}/server_info")
        page.set_viewport_size({"width": 1800, "height": 820})
        page.goto(
            f"http://127.0.0.1:{PORT}/assets/benchmark_report?view=lineage&lineageScope=upstream&lineageDepth=12",
            wait_until="domcontentloaded",
        )
        page.get_by_text("benchmark_report").first.wait_for(timeout=120_000)
        time.sleep(5)  # the graph is laid out and its states are loaded after its names are there
        page.screenshot(path=PICTURES / "graph.png")
    finally:
        os.killpg(process.pid, signal.SIGINT)
        process.wait(timeout=60)


def picture_of_the_service(page: Page) -> None:
    command = [
        sys.executable,
        "-c",
        "from lawrag_assets.cli import main; main()",
        "--profile",
        "demo",
        "serve",
        "--port",
        str(PORT),
    ]
    process = subprocess.Popen(command, env={**os.environ, "LAWRAG_STORAGE": str(STORAGE)})
    try:
        wait_for(f"http://127.0.0.1:{PORT}/health")
        page.set_viewport_size({"width": 1280, "height": 900})
        page.goto(f"http://127.0.0.1:{PORT}/")
        page.get_by_role("button", name="English").click()
        page.locator("#plane circle").first.wait_for()
        page.get_by_label("Your question").fill("Do I have to return the drill clean?")
        page.get_by_role("button", name="Ask", exact=True).click()
        page.locator(".stages .done.finished").wait_for()
        page.locator("#claims .citation").first.click()
        page.locator("#section mark").first.wait_for()
        page.evaluate("scrollTo(0, 0)")
        page.screenshot(path=PICTURES / "service.png", full_page=True)
        page.locator("#plane-card").screenshot(path=PICTURES / "map.png")
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(timeout=60)


def wait_for(address: str, seconds: int = 120) -> None:
    for _ in range(seconds):
        try:
            with urllib.request.urlopen(address, timeout=5):
                return
        except OSError:
            time.sleep(1)
    raise TimeoutError(f"{address} does not answer")


def main() -> None:
    PICTURES.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS)
        page = browser.new_page()
        picture_of_the_report(page)
        picture_of_the_graph(page)
        picture_of_the_service(page)
        browser.close()


if __name__ == "__main__":
    main()
