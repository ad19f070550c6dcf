"""How far long work has come: one line in the run's log every few seconds. The command line injects a bar in its place."""

import time
from typing import Protocol

import dagster as dg


class Progress(Protocol):
    """Told after each piece of work; `what` names it, as `texts of units [sentence]`."""

    def __call__(self, what: str, done: int, total: int) -> None:
        """`done` of `total` are done."""
        ...


class LogProgress:
    """Progress as lines in Dagster's log."""

    def __init__(self, every_seconds: float = 10) -> None:
        self._every = every_seconds
        self._last = 0.0

    def __call__(self, what: str, done: int, total: int) -> None:
        """Write a line if the last one is old enough."""
        if time.monotonic() - self._last >= self._every:
            self._last = time.monotonic()
            dg.get_dagster_logger().info(f"{what}: {done:,} of {total:,}")
