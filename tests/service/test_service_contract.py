"""A running service held against its own description, and under load.

The first can be run against a deployment: `LAWRAG_TEST_SERVICE=https://… pytest tests/service/test_service_contract.py -k contract_`.
"""

import os
import subprocess
import sys
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest
from service.running import streamed, wait_until

from lawrag_assets.cli import run_command_line

pytestmark = pytest.mark.slow

CLIENTS = 50
QUESTIONS = 300


@pytest.fixture
def live(request: pytest.FixtureRequest) -> str:
    """The service that the environment named before the tests began, or one over the sample law."""
    return _NAMED or str(request.getfixturevalue("address"))


_NAMED = os.environ.get("LAWRAG_TEST_SERVICE", "").rstrip("/")


def test_contract_each_route_answers_as_described(live: str) -> None:
    meta = httpx.get(f"{live}/api/meta", timeout=60).json()
    assert httpx.get(f"{live}/health").json()["status"] == "ok"
    page = httpx.get(f"{live}/api/corpus", params={"limit": 3}).json()
    assert len(page["items"]) == min(3, meta["passages"])
    section = httpx.get(f"{live}/api/section/{page['items'][0]['section_citation']}").json()
    assert section["build"] in {law["build"] for law in meta["laws"]}
    question = next((example for examples in meta["examples"].values() for example in examples), "Wie lange?")
    events = streamed(live, question=question)
    assert events[-1][0] == "done"
    assert {law["build"] for law in events[-1][1]["reply"]["laws"]} == {law["build"] for law in meta["laws"]}
    assert "<title>lawrag</title>" in httpx.get(live).text


def test_contract_no_request_makes_the_service_fail(live: str, tmp_path: Path) -> None:
    command = [
        *(str(Path(sys.executable).parent / "st"), "run", f"{live}/openapi.json", "--max-examples", "15", "--seed", "1"),
        *("--phases", "examples,coverage,fuzzing", "--checks", "not_a_server_error,response_schema_conformance"),
        *("--request-timeout", "60", "--no-color"),
    ]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=150, check=False)
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]


def test_fifty_clients_get_answers_or_are_asked_to_come_again(address: str) -> None:
    asked = iter(range(QUESTIONS))
    lock = threading.Lock()
    statuses: Counter[int] = Counter()

    def client(_: int) -> None:
        with httpx.Client(timeout=60) as http:
            while True:
                with lock:
                    number = next(asked, None)
                if number is None:
                    return
                question = {"question": f"Was kostet eine Leihe von {number % 40} Tagen?"}
                for _ in range(200):
                    answer = http.post(f"{address}/api/query", json=question)
                    with lock:
                        statuses[answer.status_code] += 1
                    if answer.status_code != 503:
                        break
                    time.sleep(int(answer.headers["Retry-After"]) * 0.2)

    with ThreadPoolExecutor(CLIENTS) as clients:
        list(clients.map(client, range(CLIENTS)))
    assert statuses[200] == QUESTIONS
    assert set(statuses) <= {200, 503}
    wait_until(lambda: httpx.get(f"{address}/health").json()["under_way"] == 0)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["serve", "--cell", "*/flat"], "name one"),
        (["serve", "--cell", "nonsense"], "cell"),
        (["serve", "--port", "99999"], "port"),
    ],
)
def test_bad_input_is_said_before_anything_is_loaded(
    built: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], says: str
) -> None:
    assert run_command_line(arguments) == 2
    assert says in capsys.readouterr().err
