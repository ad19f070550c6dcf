"""How results and troubles are shown: results on stdout, all else on stderr."""

import json
import sys
from typing import Any

from rich.console import Console

results = Console()
messages = Console(stderr=True, highlight=False)


def complain(line: str) -> None:
    """Say in one line on stderr what is wrong."""
    print(f"lawrag: {' '.join(line.split())}", file=sys.stderr)


def say(line: str) -> None:
    """A message for people, on stderr."""
    messages.print(line, markup=False)


def print_json(value: Any) -> None:
    """One JSON document on stdout."""
    print(json.dumps(value, ensure_ascii=False, indent=2))
