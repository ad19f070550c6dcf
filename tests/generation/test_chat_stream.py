"""Streamed answers over LiteLLM against a real server on loopback."""

import time
from collections.abc import Iterator
from typing import Any

import pytest
from qa.answer_service import AnswerService, answer_service

from lawrag_assets.errors import InputError
from lawrag_assets.generation.chat_stream import ChatStream, CutShortError, NoAnswerError

TEXT = "Die Wege sind frei zu halten (§ 3 GartG). Bei Frost gilt das nicht."
MESSAGES = [{"role": "user", "content": "Was gilt?"}]


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> Iterator[AnswerService]:
    monkeypatch.setenv("OPENAI_API_KEY", "any")
    with answer_service(TEXT) as server:
        yield server


def chat(server: AnswerService, **options: Any) -> ChatStream:
    return ChatStream("openai/local", api_base=server.address, **({"backoff_seconds": 0.01} | options))


def test_an_answer_comes_in_pieces(served: AnswerService) -> None:
    pieces = list(chat(served).ask(MESSAGES))
    assert "".join(pieces) == TEXT
    assert len(pieces) > 3
    assert served.asked[0]["stream"] is True
    assert served.asked[0]["messages"] == MESSAGES


def test_a_service_in_trouble_is_asked_again(served: AnswerService) -> None:
    served.acts = [500, 503]
    assert "".join(chat(served).ask(MESSAGES)) == TEXT
    assert len(served.asked) == 3


def test_a_service_that_stays_in_trouble_gives_no_answer(served: AnswerService) -> None:
    served.acts = [500] * 9
    with pytest.raises(NoAnswerError, match="openai/local"):
        list(chat(served, tries=2).ask(MESSAGES))
    assert len(served.asked) == 2


def test_an_empty_answer_is_none(served: AnswerService) -> None:
    served.acts = ["empty"] * 3
    with pytest.raises(NoAnswerError, match="empty"):
        list(chat(served).ask(MESSAGES))


@pytest.mark.parametrize("act", ["cut off", "breaks"])
def test_an_answer_that_ends_early_says_so_after_its_pieces(served: AnswerService, act: str) -> None:
    served.acts = [act]
    pieces: list[str] = []
    with pytest.raises(CutShortError):
        pieces.extend(chat(served).ask(MESSAGES))
    assert "".join(pieces) == TEXT[: len(TEXT) // 2]
    assert len(served.asked) == 1


def test_a_refused_key_is_bad_input(served: AnswerService) -> None:
    served.acts = [401]
    with pytest.raises(InputError, match="key"):
        list(chat(served).ask(MESSAGES))


def test_an_answer_ends_at_its_deadline(served: AnswerService) -> None:
    served.step, served.pause = 1, 0.05
    with pytest.raises(CutShortError, match="not finished"):
        list(chat(served, answer_seconds=0.5).ask(MESSAGES))


def test_a_reader_who_goes_ends_the_request(served: AnswerService) -> None:
    served.text, served.pause = TEXT * 200, 0.002
    stream = chat(served).ask(MESSAGES)
    next(stream)
    stream.close()  # type: ignore[attr-defined]
    for _ in range(100):
        if served.gone:
            break
        time.sleep(0.05)
    assert served.gone == 1
