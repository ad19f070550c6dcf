"""`lawrag serve` as a user starts it: on an empty storage folder, while the law changes."""

import os
import signal
import subprocess
import sys
import zipfile
from contextlib import suppress
from pathlib import Path

import httpx
import pytest
from servers import free_port
from service.running import wait_until

from lawrag_assets import sample

LAWRAG = [sys.executable, "-c", "from lawrag_assets.cli import main; main()"]


@pytest.mark.slow
def test_the_first_start_builds_the_index_and_a_law_that_changes_is_served_without_another(
    tmp_path: Path, models_dir: Path
) -> None:
    source, storage, port = tmp_path / "laws", tmp_path / "storage", free_port()
    storage.mkdir()
    (storage / "models").symlink_to(models_dir)
    law = source / "leihtest"
    law.mkdir(parents=True)
    xml = "</norm>".join([*sample.law_xml().decode().split("</norm>")[:25], "</dokumente>"])  # the beginning is enough
    (law / "leihtest.xml").write_text(xml)
    _zip(law)
    flags = ["--storage", str(storage)]
    environment = {**os.environ, "LAWRAG_LAW_SOURCE": str(source), "LAWRAG_LAWS": '["leihtest"]', "LAWRAG_QUESTIONS": "[]"}
    with (tmp_path / "log").open("w") as log:
        process = subprocess.Popen([*LAWRAG, *flags, "serve", "--port", str(port)], env=environment, stderr=log)
    try:
        address = f"http://127.0.0.1:{port}"
        wait_until(lambda: _builds(address) or process.poll() is not None, 300)
        [before] = _builds(address)
        assert before["law"] == "LeihLG"
        (law / "leihtest.xml").write_text(xml.replace('builddate="2025', 'builddate="2031').replace("Stadtbezirk", "Ortsbezirk"))
        _zip(law)
        done = subprocess.run([*LAWRAG, *flags, "run", "--cells", "subsection/flat"], env=environment, timeout=300, check=False)
        assert done.returncode == 0
        wait_until(lambda: _builds(address) != [before], 60)
        answer = httpx.post(f"{address}/api/query", json={"question": "Muss mir der Leihladen etwas leihen?"}, timeout=60).json()
        assert answer["laws"][0]["build"].startswith("2031")
        assert "Ortsbezirk" in httpx.get(f"{address}/api/section/§ 6 LeihLG").json()["text"]
    finally:
        process.send_signal(signal.SIGINT)
        with suppress(subprocess.TimeoutExpired):
            process.wait(timeout=30)
        process.kill()
        process.wait()
    assert process.returncode == 0, (tmp_path / "log").read_text()


def _builds(address: str) -> list[dict[str, str]]:
    with suppress(httpx.TransportError):
        return list(httpx.get(f"{address}/health").json()["laws"])
    return []


def _zip(law: Path) -> None:
    with zipfile.ZipFile(law / "xml.zip.new", "w") as archive:
        archive.write(law / "leihtest.xml", "leihtest.xml")
    (law / "xml.zip.new").rename(law / "xml.zip")
