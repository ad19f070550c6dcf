"""A running chat service, and generators that speak to it."""

import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from generation.chat_service import ChatService

from lawrag_assets.generation.litellm_generator import LiteLLMGenerator


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatService]:
    """A running service; the environment has a key for it."""
    monkeypatch.setenv("OPENAI_API_KEY", "any")
    with ChatService() as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        yield server
        server.shutdown()


@pytest.fixture
def open_model(service: ChatService) -> Callable[..., LiteLLMGenerator]:
    """A function that opens a generator on the service; the pauses are short."""

    def open_(model: str = "openai/local", **options: Any) -> LiteLLMGenerator:
        defaults: dict[str, Any] = {"concurrency": 4, "call_seconds": 20.0, "backoff_seconds": 0.01}
        return LiteLLMGenerator(model, api_base=service.address, **(defaults | options))

    return open_
