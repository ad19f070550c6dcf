"""Generators that speak to a running chat service."""

from collections.abc import Callable
from typing import Any

import pytest
from generation.chat_service import ChatService

from lawrag_assets.generation.litellm_generator import LiteLLMGenerator


@pytest.fixture
def open_model(service: ChatService) -> Callable[..., LiteLLMGenerator]:
    """A function that opens a generator on the service; the pauses are short."""

    def open_(model: str = "openai/local", **options: Any) -> LiteLLMGenerator:
        defaults: dict[str, Any] = {"concurrency": 4, "call_seconds": 20.0, "backoff_seconds": 0.01}
        return LiteLLMGenerator(model, api_base=service.address, **(defaults | options))

    return open_
