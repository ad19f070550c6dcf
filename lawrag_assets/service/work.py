"""Questions under way: as many at once as there are slots, each on a thread of its own, with an end to each.

A slot is taken before the work begins and given back when its thread is done: at the next event after the client has gone or its time
is up, for then the pipeline is closed, a model's answer included.
"""

import asyncio
import logging
import threading
import time
from collections.abc import AsyncIterator, Callable, Generator
from concurrent.futures import ThreadPoolExecutor

from lawrag_assets.errors import InputError
from lawrag_assets.qa.events import Event

log = logging.getLogger("lawrag.service")


class BusyError(Exception):
    """All slots are taken."""


class TooLongError(Exception):
    """The answer took longer than it may."""


class AnswerFailedError(Exception):
    """Answering broke off. What a model's provider said of it may name a key: it reaches neither the client nor the log."""


class Slots:
    """A limit on questions answered at once."""

    def __init__(self, limit: int, seconds: float) -> None:
        """`limit` questions at once, each for at most `seconds`."""
        self.limit, self.seconds = limit, seconds
        self._free = threading.BoundedSemaphore(limit)
        self._threads = ThreadPoolExecutor(limit, thread_name_prefix="question")
        self._taken = 0
        self._counting = threading.Lock()

    @property
    def taken(self) -> int:
        """Questions under way."""
        return self._taken

    def begin(self, stream: Callable[[], Generator[Event, None, None]]) -> "Work":
        """Begin to answer. Raises BusyError where no slot is free."""
        if not self._free.acquire(blocking=False):
            raise BusyError
        self._count(1)
        work = Work(asyncio.get_running_loop(), self.seconds)
        self._threads.submit(self._run, work, stream)
        return work

    def close(self) -> None:
        """Wait for nothing more."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _run(self, work: "Work", stream: Callable[[], Generator[Event, None, None]]) -> None:
        try:
            work.run(stream)
        finally:
            self._count(-1)
            self._free.release()

    def _count(self, by: int) -> None:
        with self._counting:
            self._taken += by


class Work:
    """One question under way: a thread puts events in, the event loop takes them out."""

    def __init__(self, loop: asyncio.AbstractEventLoop, seconds: float) -> None:
        self._loop = loop
        self._queue: asyncio.Queue[Event | Exception | None] = asyncio.Queue()
        self._stopped = threading.Event()
        self._deadline = time.monotonic() + seconds

    def stop(self) -> None:
        """Nobody waits for the answer any more."""
        self._stopped.set()

    async def events(self) -> AsyncIterator[Event]:
        """The events as they come. Raises TooLongError, AnswerFailedError, and InputError for what the pipeline refuses."""
        try:
            while True:
                try:
                    item = await asyncio.wait_for(self._queue.get(), self._deadline - time.monotonic())
                except TimeoutError as error:
                    raise TooLongError from error
                if item is None:
                    return
                if isinstance(item, Exception):
                    raise item
                yield item
        finally:
            self.stop()

    def run(self, stream: Callable[[], Generator[Event, None, None]]) -> None:
        """Answer, on this thread, until the end or until nobody waits any more."""
        if self._stopped.is_set():
            return
        events = stream()
        begun = False
        try:
            for event in events:
                begun = True
                if self._stopped.is_set() or time.monotonic() > self._deadline:
                    return
                self._put(event)
            self._put(None)
        except InputError as error:
            # Before the first event it is about the question; after it, about the model that answers.
            self._put(_failed(error) if begun else error)
        except Exception as error:
            self._put(_failed(error))
        finally:
            events.close()

    def _put(self, item: Event | Exception | None) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._queue.put_nowait, item)


def _failed(error: Exception) -> AnswerFailedError:
    log.error("an answer failed: %s", type(error).__name__)
    return AnswerFailedError()
