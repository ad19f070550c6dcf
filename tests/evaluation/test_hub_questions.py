"""Question sets on the hub: addresses, the local cache, and what is said when the hub is not there or lacks what was asked for."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from huggingface_hub import constants

from lawrag_assets.errors import InputError, WorkFailedError
from lawrag_assets.evaluation.hub_questions import HubFile, fetch, pinned

LINE = b'{"id": "1", "question": "Was?", "gold": ["\xc2\xa7 1 LeihLG"]}\n'
COMMIT = "c" * 40
FILES = {
    "someone/one": {"questions.jsonl": LINE, "README.md": b"# One"},
    "someone/two": {"data/dev.jsonl": LINE, "data/test.parquet": b"PAR1"},
    "someone/none": {"README.md": b"# None"},
}


class Hub(BaseHTTPRequestHandler):
    """As much of the hub's protocol as asking for a data set's files and downloading one takes."""

    def do_GET(self) -> None:
        parts = self.path.split("?")[0].strip("/").split("/")
        if parts[:2] == ["api", "datasets"]:
            self._info("/".join(parts[2:4]), parts[5] if len(parts) > 5 else "main")
        else:  # datasets/OWNER/NAME/resolve/COMMIT/PATH
            self._file("/".join(parts[1:3]), "/".join(parts[5:]))

    do_HEAD = do_GET  # noqa: N815 - the name is http.server's

    def _info(self, repo: str, revision: str) -> None:
        if repo not in FILES or revision not in ("main", "v1", COMMIT):
            self._answer(404, b"{}", {"X-Error-Code": "RepoNotFound" if repo not in FILES else "RevisionNotFound"})
            return
        siblings = [{"rfilename": name} for name in FILES[repo]]
        self._answer(200, json.dumps({"id": repo, "sha": COMMIT, "siblings": siblings}).encode(), {})

    def _file(self, repo: str, path: str) -> None:
        if path not in FILES[repo]:
            self._answer(404, b"", {"X-Error-Code": "EntryNotFound"})
            return
        self._answer(200, FILES[repo][path], {"X-Repo-Commit": COMMIT, "ETag": f'"{path.replace("/", "-")}"'})

    def _answer(self, code: int, body: bytes, headers: dict[str, str]) -> None:
        self.send_response(code)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(body)

    def log_message(self, format: str, *arguments: object) -> None:
        """Say nothing."""


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty local cache of the hub, and no network."""
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    return tmp_path / "hub"


@pytest.fixture
def hub(cache: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A hub on this machine."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), Hub)
    thread = threading.Thread(target=server.serve_forever, args=[0.01])
    thread.start()
    address = f"http://127.0.0.1:{server.server_port}"
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr(constants, "ENDPOINT", address)
    monkeypatch.setattr(constants, "HUGGINGFACE_CO_URL_TEMPLATE", address + "/{repo_id}/resolve/{revision}/{filename}")
    yield
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.mark.parametrize(
    ("address", "file"),
    [
        ("hf://datasets/someone/one", HubFile("someone/one")),
        ("hf://datasets/someone/one/", HubFile("someone/one")),
        ("hf://datasets/someone/two/data/dev.jsonl", HubFile("someone/two", None, "data/dev.jsonl")),
        ("hf://datasets/someone/two@v1/data/dev.jsonl", HubFile("someone/two", "v1", "data/dev.jsonl")),
        ("hf://datasets/someone/two@refs%2Fpr%2F1/dev.jsonl", HubFile("someone/two", "refs/pr/1", "dev.jsonl")),
        ("hf://datasets/someone/two@~parquet/x.parquet", HubFile("someone/two", "refs/convert/parquet", "x.parquet")),
    ],
)
def test_an_address_is_understood_and_written_again(address: str, file: HubFile) -> None:
    assert HubFile.parse(address) == file
    assert HubFile.parse(str(file)) == file


@pytest.mark.parametrize(
    "address", ["hf://", "hf://someone/one", "hf://datasets/one", "hf://models/someone/one", "hf://datasets//x"]
)
def test_another_address_is_refused(address: str) -> None:
    with pytest.raises(InputError, match="no address of a data set on the hub such as hf://datasets/OWNER/NAME"):
        HubFile.parse(address)


def test_an_address_is_pinned_to_commit_and_file_fetched_once_and_then_had_without_a_hub(
    hub: None, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = pinned("hf://datasets/someone/one")
    assert address == f"hf://datasets/someone/one@{COMMIT}/questions.jsonl"
    assert pinned("hf://datasets/someone/two@v1/data/dev.jsonl") == f"hf://datasets/someone/two@{COMMIT}/data/dev.jsonl"
    path = fetch(address)
    assert path.is_relative_to(cache)
    assert path.read_bytes() == LINE
    assert fetch("hf://datasets/someone/one").read_bytes() == LINE
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    assert fetch(address) == path
    assert pinned(address) == address


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("hf://datasets/someone/three", "the hub has no such data set"),
        ("hf://datasets/someone/one@v9", "the hub has no such data set, revision"),
        ("hf://datasets/someone/one/nowhere.jsonl", "the hub has no such data set, revision or file"),
        (
            "hf://datasets/someone/two",
            "name one of its question files (Parquet or JSON Lines): data/dev.jsonl, data/test.parquet",
        ),
        ("hf://datasets/someone/none", "name one of its question files (Parquet or JSON Lines): none"),
        ("hf://datasets/some one/x--y", "the hub has no such data set"),
    ],
)
def test_what_the_hub_does_not_have_is_bad_input(address: str, reason: str, hub: None) -> None:
    with pytest.raises(InputError) as raised:
        fetch(address)
    assert str(raised.value).startswith(f"{address}: ")
    assert reason in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("address", ["hf://datasets/someone/one", "hf://datasets/someone/one/questions.jsonl"])
def test_without_a_hub_the_work_fails_in_one_line(address: str, cache: Path) -> None:
    for act in (fetch, pinned):
        with pytest.raises(
            WorkFailedError, match=rf"\A{address}: not in the local cache, and the hub cannot be reached [^\n]+\Z"
        ):
            act(address)


def test_a_hub_that_refuses_connections_is_a_failure_in_one_line(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr(constants, "ENDPOINT", "http://127.0.0.1:9")
    with pytest.raises(WorkFailedError, match=r"\Ahf://datasets/someone/one: the hub does not answer [^\n]+\Z"):
        fetch("hf://datasets/someone/one")
