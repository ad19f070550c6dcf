"""An event loop of our own, in a thread of its own: what runs on it keeps its connections from call to call.

A loop a call would open new connections each time, and could not be started where one is running already.
"""

import asyncio
import os
import threading
from collections.abc import Coroutine
from functools import cache
from typing import Any, TypeVar

T = TypeVar("T")


def run(work: Coroutine[Any, Any, T]) -> T:
    """The result of some work done on the loop; the caller waits. An interrupted caller takes the work along."""
    future = asyncio.run_coroutine_threadsafe(work, _loop(os.getpid()))
    try:
        return future.result()
    finally:
        future.cancel()


@cache
def _loop(process: int) -> asyncio.AbstractEventLoop:
    """The process's loop; a forked child has none of its parent's threads and gets another."""
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="generation", daemon=True).start()
    return loop
