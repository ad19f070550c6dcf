"""A generator with a memory: what has been answered once is never asked again, by any process, unless on purpose.

Each answer is kept as soon as it arrives, so that a killed process loses only the requests that were under way.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Any, TypeVar

from lawrag_assets.errors import InputError
from lawrag_assets.generation.answers import AnswerStore, answer_key
from lawrag_assets.generation.fallback import fallback
from lawrag_assets.generation.protocol import Answer, Arrived, Generator, Origin, Request, Tally, Task, tally
from lawrag_assets.generation.validation import flaw

V = TypeVar("V")
Progress = Callable[[int, int], None]


class CacheMode(StrEnum):
    """What the cache is for."""

    NORMAL = "normal"  # ask for what is missing
    ONLY_CACHE = "only-cache"  # ask for nothing: a missing answer is an error
    REFRESH = "refresh"  # ask for everything again and replace what is there


class CachedGenerator:
    """Generates through a store of answers. It is a `Generator` itself."""

    def __init__(
        self,
        generator: Generator,
        store: AnswerStore,
        *,
        mode: CacheMode = CacheMode.NORMAL,
        progress: Progress | None = None,
    ) -> None:
        """Put a store before a generator. `progress` is told (distinct requests done, distinct requests) of each `generate`,
        perhaps in another thread."""
        self.generator = generator
        self.tally = Tally()
        """What all distinct requests of each `generate` since the opening took, be it now or in an earlier run."""
        self.waited = 0.0
        """Seconds that callers have waited in `generate` since the opening."""
        self._store = store
        self._mode = mode
        self._progress = progress
        self._refreshed: set[bytes] = set()

    @property
    def name(self) -> str:
        """The generator's."""
        return self.generator.name

    def origin(self, task: Task) -> Origin:
        """See `Generator.origin`."""
        return self.generator.origin(task)

    def generate(self, requests: Sequence[Request[V]], arrived: Arrived | None = None) -> list[Answer[V]]:
        """See `Generator.generate`; equal requests are asked once. An answer found is checked like a new one before it is used.

        A fallback for want of an answer is given but not kept: another day the service may answer. Raises InputError too when the
        store cannot be used, or lacks an answer in the mode `only-cache`; what was answered until then is kept.
        """
        if not requests:
            return []
        started = time.perf_counter()
        try:
            return self._generate(requests, arrived)
        finally:
            self.waited += time.perf_counter() - started

    def _generate(self, requests: Sequence[Request[V]], arrived: Arrived | None) -> list[Answer[V]]:
        if len({request.task for request in requests}) > 1:
            raise ValueError("the requests of a batch are of one task")
        origin = self.origin(requests[0].task)
        keys = [answer_key(origin, request) for request in requests]
        distinct = dict(zip(keys, requests, strict=True))
        places: dict[bytes, list[int]] = {}
        for place, key in enumerate(keys):
            places.setdefault(key, []).append(place)
        answers: dict[bytes, Answer[V]] = {}

        def take(new: Mapping[bytes, Answer[Any]]) -> None:
            answers.update(new)
            if arrived and new:
                arrived({place: answer for key, answer in new.items() for place in places[key]})
            if self._progress:
                self._progress(len(answers), len(distinct))

        take(self._known(distinct))
        missing = [key for key in distinct if key not in answers]
        if missing and self._mode is CacheMode.ONLY_CACHE:
            raise InputError(
                f"{self._store.place}: {len(missing)} of {len(distinct)} answers of {self.name} to the task {origin.task!s} are not in "
                "the cache; import them, or run in the mode normal"
            )

        def keep(new: Mapping[int, Answer[Any]]) -> None:
            named = {missing[place]: answer for place, answer in new.items()}
            lasting = {key: answer for key, answer in named.items() if not (answer.fallback and answer.fallback.passing)}
            self._store.put_many(origin, lasting, replace=True)
            self._refreshed |= lasting.keys()
            take(named)

        if missing:
            self.generator.generate([distinct[key] for key in missing], keep)
        self.tally += tally(list(answers.values()))
        return [answers[key] for key in keys]

    def _known(self, distinct: Mapping[bytes, Request[Any]]) -> dict[bytes, Answer[Any]]:
        """What need not be asked: stored, and right by the rules as they are now; a fallback's value is made anew."""
        wanted = [key for key in distinct if self._mode is not CacheMode.REFRESH or key in self._refreshed]
        known = {}
        for key, answer in self._store.get_many(wanted).items():
            if answer.fallback:
                known[key] = replace(answer, value=fallback(distinct[key]))
            elif flaw(distinct[key], answer.value) is None:
                known[key] = answer
        return known
