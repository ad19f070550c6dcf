"""Any language model that LiteLLM speaks to. Its retries are switched off for our own, its answers are checked before use.

What goes wrong is told apart: a service in trouble is asked again after a pause; an answer cut off gets more room; a bad answer is
told what is wrong with it and asked for twice more; then `fallback` stands in, and says why. litellm takes seconds to import, so it is
imported when the first request is sent.
"""

import asyncio
import json
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar, cast

from lawrag_assets.generation import background, wire
from lawrag_assets.generation.fallback import fallback
from lawrag_assets.generation.prompts import prompt
from lawrag_assets.generation.protocol import (
    Answer,
    Arrived,
    Fallback,
    GenerationError,
    Origin,
    Request,
    Task,
    Trouble,
    Usage,
)
from lawrag_assets.generation.validation import flaw
from lawrag_assets.services import is_passing, litellm_module, one_line, raise_if_refused, require_provider

_BAD_ANSWERS = 3
_GROWTH = 4
_LARGEST_ROOM = 32_000
_LONGEST_PAUSE = 30.0
_OUTAGE = 5
"""So many requests, or all that are under way if those are more, given up with no reply between: the service is down, not they odd."""
_AGAIN = "Diese Antwort ist nicht brauchbar ({flaw}). Beachte alle Regeln und antworte noch einmal, nur mit JSON."

V = TypeVar("V")


@dataclass(frozen=True)
class _Reply:
    text: str
    cut_off: bool
    usage: Usage


class _GivenUpError(Exception):
    """A request that no reply came to."""

    def __init__(self, trouble: Trouble, reason: str, usage: Usage) -> None:
        super().__init__(reason)
        self.trouble, self.usage = trouble, usage


class LiteLLMGenerator:
    """A generator over a service."""

    def __init__(
        self,
        model: str,
        *,
        api_base: str | None = None,
        concurrency: int = 8,
        call_seconds: float = 120.0,
        tries: int = 8,
        backoff_seconds: float = 1.0,
        temperature: float = 0.0,
    ) -> None:
        """Take LiteLLM's name of the model and, where it is not the provider's own, the service's address.

        At most `concurrency` requests are under way at once, over all threads that ask. A call ends after `call_seconds` of wall
        clock. While the service fails, a request is tried `tries` times: the first pause is `backoff_seconds`, each later one twice as
        long up to half a minute, and all of them somewhat at random. Answers are kept by the model's name, not by the address: serve
        another model under another name.
        """
        self.name = model
        self._model = model
        self._api_base = api_base
        self._concurrency = concurrency
        self._slots = asyncio.Semaphore(concurrency)
        self._call_seconds = call_seconds
        self._tries = tries
        self._backoff_seconds = backoff_seconds
        self._temperature = temperature
        self._largest_room = _LARGEST_ROOM
        self._with_schema: bool | None = None
        self._schema_proven = False
        self._given_up = 0
        self._batches = 0
        self._last = 0.0

    def origin(self, task: Task) -> Origin:
        """See `Generator.origin`."""
        parameters = json.dumps({"temperature": self._temperature}, sort_keys=True)
        return Origin("litellm", self._model, task, prompt(task).version, parameters)

    def generate(self, requests: Sequence[Request[V]], arrived: Arrived | None = None) -> list[Answer[V]]:
        """See `Generator.generate`. A request that gets no good answer gets the fallback of its task.

        `arrived` is called in another thread while this one waits. Several threads may ask one generator.
        """
        if not requests:
            return []
        self._load()
        try:
            return background.run(self._generate(requests, arrived))
        except BaseExceptionGroup as group:  # the tasks are a detail: whoever failed first is what failed
            raise group.exceptions[0] from None

    def _load(self) -> None:
        """Import litellm, see that it knows the provider and has a key, and whether the model takes a JSON schema.

        A model that litellm does not know, such as one of a server of your own, is tried with one.
        """
        if self._with_schema is not None:
            return
        provider = require_provider(
            self._model,
            self._api_base,
            what=f"language model {self._model!r}",
            example="PROVIDER/MODEL, as in openai/gpt-5-mini",
        )
        litellm = litellm_module()
        try:
            known = litellm.get_model_info(self._model, custom_llm_provider=provider)
            self._largest_room = min(_LARGEST_ROOM, known.get("max_output_tokens") or _LARGEST_ROOM)
            self._with_schema = bool(litellm.supports_response_schema(self._model, custom_llm_provider=provider))
        except Exception:  # litellm raises a bare Exception for a model that is not on its list
            self._with_schema = True

    async def _generate(self, requests: Sequence[Request[V]], arrived: Arrived | None) -> list[Answer[V]]:
        answers: dict[int, Answer[V]] = {}
        waiting = iter(range(len(requests)))

        async def work() -> None:
            for place in waiting:
                async with self._slots:
                    answer = await self._answer(requests[place])
                    answers[place] = replace(answer, usage=replace(answer.usage, seconds=self._seconds_since_last()))
                    if arrived:
                        arrived({place: answers[place]})

        if not self._batches:
            self._last = time.perf_counter()
        self._batches += 1
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(min(self._concurrency, len(requests))):
                    group.create_task(work())
        finally:
            self._batches -= 1
        return [answers[place] for place in range(len(requests))]

    def _seconds_since_last(self) -> float:
        """The wall clock since the answer before, of whichever batch, or since a first batch began."""
        before, self._last = self._last, time.perf_counter()
        return self._last - before

    async def _answer(self, request: Request[V]) -> Answer[V]:
        messages = prompt(request.task).messages(request)
        usage, wrong = Usage(), ""
        try:
            for _ in range(_BAD_ANSWERS):
                reply = await self._whole_reply(request, messages)
                usage += reply.usage
                if reply.cut_off:
                    return self._fallback(request, Trouble.CUT_OFF, f"longer than {self._largest_room} tokens", usage)
                try:
                    value = wire.read(request, reply.text)
                except wire.UnreadableError as error:
                    wrong = str(error)
                else:
                    wrong = flaw(request, value) or ""
                    if not wrong:
                        return Answer(cast(V, value), usage)
                said = [{"role": "assistant", "content": reply.text}] if reply.text else []
                messages = [*messages[:2], *said, {"role": "user", "content": _AGAIN.format(flaw=wrong)}]
        except _GivenUpError as error:
            return self._fallback(request, error.trouble, str(error), usage + error.usage)
        return self._fallback(request, Trouble.BAD_ANSWER, wrong, usage)

    @staticmethod
    def _fallback(request: Request[V], trouble: Trouble, reason: str, usage: Usage) -> Answer[V]:
        return Answer(fallback(request), usage, Fallback(trouble, reason))

    async def _whole_reply(self, request: Request[Any], messages: list[dict[str, str]]) -> _Reply:
        """A reply that was not cut off, or one that was cut off with the most room there is."""
        room, usage = wire.room(request), Usage()
        while True:
            reply = await self._reply(request.task, messages, min(room, self._largest_room))
            usage += reply.usage
            if not reply.cut_off or room >= self._largest_room:
                return replace(reply, usage=usage)
            room *= _GROWTH

    async def _reply(self, task: Task, messages: list[dict[str, str]], room: int) -> _Reply:
        """Call until there is a reply, the service refuses, or the tries are used up."""
        pause, calls, failures = self._backoff_seconds, 0, 0
        while True:
            calls += 1
            with_schema = self._with_schema
            try:
                reply = await self._call(task, messages, room, with_schema=bool(with_schema))
            except TimeoutError:
                reason = f"nothing within {self._call_seconds:g} s"
            except Exception as error:  # litellm's exceptions share no base of their own
                raise_if_refused(error, f"language model {self._model!r}")
                reason = one_line(error)
                if _is_about_input(error):
                    raise _GivenUpError(Trouble.REFUSED, reason, _unknown(calls)) from error
                if not is_passing(error):
                    if with_schema and not self._schema_proven:  # a service that knows no schemas says so with a 400
                        self._with_schema = False
                        continue
                    failures = self._tries
            else:
                self._given_up = 0
                self._schema_proven |= bool(with_schema)
                return replace(reply, usage=replace(reply.usage, calls=calls))
            failures += 1
            if failures >= self._tries:
                self._count_given_up(reason)
                raise _GivenUpError(Trouble.NO_ANSWER, reason, _unknown(calls))
            await asyncio.sleep(pause * random.uniform(0.5, 1.0))
            pause = min(2 * pause, _LONGEST_PAUSE)

    def _count_given_up(self, reason: str) -> None:
        self._given_up += 1
        if self._given_up >= max(_OUTAGE, self._concurrency):
            raise GenerationError(f"{self._model}: {self._given_up} requests in a row got no answer; the last: {reason}")

    async def _call(self, task: Task, messages: list[dict[str, str]], room: int, *, with_schema: bool) -> _Reply:
        litellm = litellm_module()
        schema = {"response_format": wire.response_format(task)} if with_schema else {}
        async with asyncio.timeout(self._call_seconds):  # litellm's own counts from each byte read: a dripping answer never ends
            response = await litellm.acompletion(
                model=self._model,
                messages=messages,
                api_base=self._api_base,
                max_tokens=room,
                temperature=self._temperature,
                timeout=self._call_seconds,
                num_retries=0,
                max_retries=0,
                drop_params=True,  # some models take no temperature
                **schema,
            )
        return _read(response)


def _read(response: Any) -> _Reply:
    """The reply of a response, whatever of it is missing: no choices and no content are an empty text, no usage is unknown."""
    choice = next(iter(getattr(response, "choices", None) or []), None)
    content = getattr(getattr(choice, "message", None), "content", None)
    usage = getattr(response, "usage", None)
    sent, received = getattr(usage, "prompt_tokens", None), getattr(usage, "completion_tokens", None)
    known = bool(sent or received)
    cost = (getattr(response, "_hidden_params", None) or {}).get("response_cost")
    return _Reply(
        text=content if isinstance(content, str) else "",
        cut_off=getattr(choice, "finish_reason", None) == "length",
        usage=Usage(1, sent if known else None, received if known else None, float(cost) if known and cost else None),
    )


def _is_about_input(error: Exception) -> bool:
    """Whether the service will never answer this very input: it is too long for the model, or against a policy."""
    errors = litellm_module().exceptions
    return isinstance(error, errors.ContextWindowExceededError | errors.ContentPolicyViolationError)


def _unknown(calls: int) -> Usage:
    return Usage(calls, None, None, None)
