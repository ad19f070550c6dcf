"""Killed in mid-generation: the next run asks again at most what was under way, the one after that nothing. Several processes at once."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from generation.chat_service import ChatService
from generation.requests_made import unit

from lawrag_assets.generation.answers import AnswerStore
from lawrag_assets.generation.cached import CachedGenerator, CacheMode
from lawrag_assets.generation.litellm_generator import LiteLLMGenerator
from lawrag_assets.generation.protocol import tally

UNITS = 60
CONCURRENCY = 4

RUN = """
import sys
from pathlib import Path
from generation.requests_made import unit
from lawrag_assets.generation.answers import AnswerStore
from lawrag_assets.generation.cached import CachedGenerator
from lawrag_assets.generation.litellm_generator import LiteLLMGenerator
generator = LiteLLMGenerator("openai/local", api_base=sys.argv[1], concurrency=int(sys.argv[3]))
CachedGenerator(generator, AnswerStore(Path(sys.argv[2]))).generate([unit(f"{n} ") for n in range(int(sys.argv[4]))])
"""


def _start(service: ChatService, cache: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", RUN, service.address, str(cache), str(CONCURRENCY), str(UNITS)]
    path = os.pathsep.join([str(Path(__file__).parent.parent), str(Path(__file__).parent.parent.parent)])
    environment = os.environ | {"PYTHONPATH": path}
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


@pytest.mark.slow
def test_a_killed_run_loses_only_the_requests_under_way(service: ChatService, tmp_path: Path) -> None:
    service.seconds = 0.05
    with _start(service, tmp_path) as process:
        end = time.monotonic() + 60
        while len(service.asked) < UNITS // 2 and process.poll() is None and time.monotonic() < end:
            time.sleep(0.01)
        os.kill(process.pid, signal.SIGKILL)
    time.sleep(0.3)  # what was under way reaches the service's books
    before = service.units.total()
    assert UNITS // 2 <= before < UNITS

    requests = [unit(f"{n} ") for n in range(UNITS)]
    store = AnswerStore(tmp_path)
    kept = len(store)
    assert kept >= before - CONCURRENCY
    second = CachedGenerator(LiteLLMGenerator("openai/local", api_base=service.address, concurrency=CONCURRENCY), store)
    answers = second.generate(requests)
    assert (tally(answers).cached, tally(answers).fallbacks) == (kept, {})
    assert service.units.total() == before + UNITS - kept
    assert sum(count > 1 for count in service.units.values()) <= CONCURRENCY
    assert len(service.units) == UNITS

    third = CachedGenerator(
        LiteLLMGenerator("openai/local", api_base=service.address), AnswerStore(tmp_path), mode=CacheMode.ONLY_CACHE
    )
    assert third.generate(requests) == answers
    assert service.units.total() == before + UNITS - kept


@pytest.mark.slow
def test_two_processes_fill_one_cache(service: ChatService, tmp_path: Path) -> None:
    service.seconds = 0.02
    processes = [_start(service, tmp_path) for _ in range(2)]
    outcomes = [(process.communicate(timeout=100), process.returncode) for process in processes]
    assert outcomes == [(("", ""), 0)] * 2
    assert len(AnswerStore(tmp_path)) == UNITS
