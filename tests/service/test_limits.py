"""Slots, time limits, clients that go, and models that fail: with a language model on this machine that is slow on purpose."""

import logging
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import replace

import httpx
import pytest
from qa.answer_service import AnswerService, answer_service
from service.conftest import shelf_of
from service.running import running, streamed, wait_until

from lawrag_assets.generation.chat_stream import ChatStream
from lawrag_assets.qa.model_writer import ModelWriter
from lawrag_assets.qa.pipeline import Pipeline
from lawrag_assets.service.app import create_app
from lawrag_assets.service.edition import Edition

QUESTION = "Wie lange gilt die Leihkarte?"
LONG = "Die Karte gilt ein Jahr. " * 200
KEY = "sk-not-to-be-seen"
Served = Callable[..., AbstractContextManager[str]]


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Iterator[AnswerService]:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with answer_service(LONG) as server:
        server.pause = 0.02
        yield server


@pytest.fixture
def served(edition: Edition, model: AnswerService) -> Served:
    """The sample law, answered by the model for every question, with limits of one's own."""
    parts = edition.pipeline.parts
    writer = ModelWriter(ChatStream("openai/local", api_base=model.address, backoff_seconds=0.01, tries=1))
    answering = Pipeline(replace(parts, writer=writer, judge=replace(parts.judge, threshold=0.0)))
    about = replace(edition.about, sends_to="openai/local")
    shelf = shelf_of(Edition("model", answering, edition.corpus, about))
    return lambda limit=1, seconds=60.0: running(create_app(shelf, limit=limit, seconds=seconds))


def under_way(address: str) -> int:
    return int(httpx.get(f"{address}/health").json()["under_way"])


def test_with_all_slots_taken_a_question_is_put_off_and_a_client_that_goes_frees_its_slot(
    served: Served, model: AnswerService
) -> None:
    with served() as address:
        with httpx.stream("GET", f"{address}/api/query/stream", params={"question": QUESTION}, timeout=30) as answer:
            lines = answer.iter_lines()
            while "event: write" not in next(lines):
                pass
            assert under_way(address) == 1
            busy = httpx.post(f"{address}/api/query", json={"question": QUESTION})
            assert busy.status_code == 503
            assert int(busy.headers["Retry-After"]) >= 1
            assert httpx.get(f"{address}/api/query/stream", params={"question": QUESTION}).status_code == 503
        wait_until(lambda: under_way(address) == 0)
        wait_until(lambda: model.gone == 1)
        model.text = "Die Karte gilt ein Jahr."
        assert streamed(address, question=QUESTION)[-1][0] == "done"


def test_an_answer_that_takes_too_long_is_ended(served: Served) -> None:
    with served(seconds=0.7) as address:
        events = streamed(address, question=QUESTION)
        assert events[-1] == ("error", {"detail": "the answer took too long"})
        wait_until(lambda: under_way(address) == 0)
        assert httpx.post(f"{address}/api/query", json={"question": QUESTION}).status_code == 504
        wait_until(lambda: under_way(address) == 0)


@pytest.mark.parametrize("status", [401, 500])
def test_what_a_models_provider_says_of_a_key_reaches_neither_client_nor_log(
    served: Served, model: AnswerService, status: int, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "lawrag.service")
    model.acts = [status] * 4
    with served() as address:
        events = streamed(address, question=QUESTION)
        answer = httpx.post(f"{address}/api/query", json={"question": QUESTION})
        meta = httpx.get(f"{address}/api/meta")
    said = f"{events} {answer.text} {meta.text} {caplog.text}"
    assert KEY not in said
    assert model.address not in said
    assert meta.json()["sends_to"] == "openai/local"
    if status == 401:  # the key is refused: nobody can answer
        assert events[-1][0] == "error"
        assert answer.status_code == 502
    else:  # the words of the law take the answer's place, and say so
        assert events[-1][1]["reply"]["by"] == "extractive"
        assert answer.json()["notes"] == ["Das Sprachmodell hat nicht geantwortet; statt dessen der Wortlaut."]
