"""How results and troubles are shown: results on stdout, all else on stderr."""

import json
from typing import Any

from rich.console import Console

results = Console()
messages = Console(stderr=True, highlight=False)


def say(line: str) -> None:
    """A message for people, on stderr."""
    messages.print(line, markup=False, soft_wrap=True)


def print_json(value: Any) -> None:
    """One JSON document on stdout."""
    print(json.dumps(value, ensure_ascii=False, indent=2))
