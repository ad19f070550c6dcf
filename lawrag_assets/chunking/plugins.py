"""Strategies of other packages: they register by an entry point of the group `lawrag.strategies` that names a `Strategy`.

[project.entry-points."lawrag.strategies"]
every_second = "my_package.module:STRATEGY"
"""

from importlib.metadata import entry_points

from lawrag_assets.chunking.registry import STRATEGIES, Strategy
from lawrag_assets.errors import InputError

GROUP = "lawrag.strategies"


def register() -> None:
    """Add the installed packages' strategies, by name.

    Raises InputError, naming the entry point, for what is no strategy or cannot be loaded.
    """
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name):
        try:
            strategy = entry.load()
        except (ImportError, AttributeError) as error:
            raise InputError(f"entry point {entry.value!r} of {GROUP}: cannot be loaded ({error})") from error
        if not isinstance(strategy, Strategy):
            raise InputError(f"entry point {entry.value!r} of {GROUP}: not a Strategy but a {type(strategy).__name__}")
        STRATEGIES.register(strategy)
