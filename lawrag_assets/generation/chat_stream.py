"""A chat answer of any LiteLLM model, piece by piece as the model writes it. Who asks for what does not belong here.

Until the first piece has come, a service in trouble is asked again after a pause. After that an answer that ends early stays what it is:
`CutShortError` says so, and whoever shows it decides what a half answer is worth.
"""

import random
import time
from collections.abc import Generator, Iterator
from contextlib import closing
from typing import Any

from lawrag_assets.errors import WorkFailedError
from lawrag_assets.services import is_passing, litellm_module, one_line, raise_if_refused, require_provider


class NoAnswerError(WorkFailedError):
    """The service failed, again and again, or answered nothing."""


class CutShortError(Exception):
    """The answer ended before its end; the pieces before it stand."""


class ChatStream:
    """A model to be asked for streamed answers. Threads may share one: each answer has a connection of its own."""

    def __init__(
        self,
        model: str,
        *,
        api_base: str | None = None,
        tries: int = 3,
        backoff_seconds: float = 1.0,
        silence_seconds: float = 60.0,
        answer_seconds: float = 180.0,
        most_tokens: int = 1200,
    ) -> None:
        """Take LiteLLM's name of the model and, where it is not the provider's own, the service's address.

        A service that says nothing for `silence_seconds` has failed; an answer ends after `answer_seconds` of wall clock.
        """
        self.model = model
        self._api_base = api_base
        self._tries = tries
        self._backoff_seconds = backoff_seconds
        self._silence_seconds = silence_seconds
        self._answer_seconds = answer_seconds
        self._most_tokens = most_tokens

    def load(self) -> None:
        """Import litellm and see that it knows the provider and has a key. Raises InputError."""
        require_provider(
            self.model, self._api_base, what=f"language model {self.model!r}", example="PROVIDER/MODEL, as in openai/gpt-5-mini"
        )

    def ask(self, messages: list[dict[str, str]]) -> Iterator[str]:
        """Yield the answer's text. Closing the iterator ends the request.

        Raises InputError for a model that there is not or that refuses the key, NoAnswerError where nothing comes, and CutShortError
        after the last piece of an answer that was cut off.
        """
        self.load()
        deadline = time.monotonic() + self._answer_seconds
        for attempt in range(1, self._tries + 1):
            begun = False
            try:
                with closing(self._pieces(messages, deadline)) as pieces:
                    for piece in pieces:
                        begun = True
                        yield piece
            except CutShortError:
                raise
            except Exception as error:  # litellm's exceptions share no base of their own
                if begun:
                    raise CutShortError(one_line(error)) from error
                raise_if_refused(error, f"language model {self.model!r}")
                if attempt == self._tries or not is_passing(error) or time.monotonic() >= deadline:
                    raise NoAnswerError(f"language model {self.model!r}: no answer: {one_line(error)}") from error
                time.sleep(self._backoff_seconds * 2 ** (attempt - 1) * random.uniform(0.5, 1.0))
            else:
                if not begun:
                    raise NoAnswerError(f"language model {self.model!r}: an empty answer")
                return

    def _pieces(self, messages: list[dict[str, str]], deadline: float) -> Generator[str, None, None]:
        response = litellm_module().completion(
            model=self.model,
            messages=messages,
            api_base=self._api_base,
            max_tokens=self._most_tokens,
            temperature=0.0,
            timeout=self._silence_seconds,
            num_retries=0,
            max_retries=0,
            drop_params=True,  # some models take no temperature
            stream=True,
        )
        try:
            yield from self._read(response, deadline)
        finally:
            _close(response)

    def _read(self, response: Any, deadline: float) -> Iterator[str]:
        finish: str | None = None
        for chunk in response:
            choice: Any = next(iter(getattr(chunk, "choices", None) or []), None)
            content = getattr(getattr(choice, "delta", None), "content", None)
            finish = getattr(choice, "finish_reason", None) or finish
            if isinstance(content, str) and content:
                yield content
            if time.monotonic() > deadline:
                raise CutShortError(f"not finished within {self._answer_seconds:g} s")
        if finish == "length":
            raise CutShortError("longer than it may be")
        if finish is None:
            raise CutShortError("the connection ended")


def _close(response: Any) -> None:
    """End a request whose answer nobody reads to its end; litellm's wrapper does not do it itself."""
    close = getattr(getattr(response, "completion_stream", None), "close", None)
    if close:
        close()
