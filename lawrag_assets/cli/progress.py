"""Progress of long work on the terminal: a bar where there is one, a line now and then where there is not."""

import time
from types import TracebackType

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from lawrag_assets.cli.output import messages


class BarProgress:
    """Told by the assets how far they are."""

    def __init__(self, every_seconds: float = 10) -> None:
        columns = (
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
        )
        self._bars = Progress(*columns, console=messages, transient=True, disable=not messages.is_terminal)
        self._tasks: dict[str, TaskID] = {}
        self._every = every_seconds
        self._last = time.monotonic()

    def __enter__(self) -> "BarProgress":
        self._bars.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None) -> None:
        self._bars.stop()

    def say(self, line: str) -> None:
        """Print a line above the bar."""
        messages.print(line, markup=False, soft_wrap=True)

    def __call__(self, what: str, done: int, total: int) -> None:
        """`done` of `total` of `what` are done."""
        if self._bars.disable:
            if time.monotonic() - self._last >= self._every:
                self._last = time.monotonic()
                self.say(f"{what}: {done:,} of {total:,}")
            return
        if what not in self._tasks:
            self._tasks[what] = self._bars.add_task(what, total=total)
        self._bars.update(self._tasks[what], completed=done)
        if done >= total:
            self._bars.remove_task(self._tasks.pop(what))
