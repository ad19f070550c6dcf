"""Who may know whom: the house's walls, read off the imports."""

import ast
from pathlib import Path

import pytest

import lawrag_assets

PACKAGE = Path(lawrag_assets.__file__).parent
FOUNDATIONS = {"errors", "files"}
WIRING = {"defs", "definitions", "cli"}
MAY_KNOW = {
    "laws": {"sample"},
    "chunking": {"generation"},
    "embedding": {"cache", "services"},
    "generation": {"cache", "laws", "services"},
    "retrieval": set(),
    "ranking": {"evaluation", "retrieval"},
    "evaluation": set(),
    "reporting": set(),
    "qa": {"laws", "chunking", "embedding", "generation", "retrieval", "evaluation"},
    "service": {"laws", "qa", "retrieval"},
    "sample": set(),
    "cache": {"postgres_cache"},
    "postgres_cache": {"postgres"},
    "postgres": set(),
    "services": set(),
    "tables": set(),
    "storage": set(),
}
"""The rooms and modules that know no settings and no wiring, and what they may know beside themselves and the foundations."""


def imports(path: Path) -> set[str]:
    """All modules that a file imports, wherever in it."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def room_of(path: Path) -> str:
    return path.relative_to(PACKAGE).parts[0].removesuffix(".py")


FILES = sorted(PACKAGE.rglob("*.py"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_only_the_wiring_imports_dagster(path: Path) -> None:
    if room_of(path) not in {"defs", "definitions"}:
        assert not {name for name in imports(path) if name.split(".")[0] == "dagster"}


@pytest.mark.parametrize(
    "path", [path for path in FILES if room_of(path) in MAY_KNOW], ids=lambda path: str(path.relative_to(PACKAGE))
)
def test_a_room_knows_only_whom_it_may(path: Path) -> None:
    room = room_of(path)
    known = {name.split(".")[1] for name in imports(path) if name.startswith("lawrag_assets.")}
    assert known <= MAY_KNOW[room] | FOUNDATIONS | {room}


def test_chunking_knows_of_generation_what_can_be_asked_and_no_more() -> None:
    """A generator is handed in: only the requests and answers are known."""
    names = {name for path in FILES if room_of(path) == "chunking" for name in imports(path)}
    of_generation = {name for name in names if name.startswith("lawrag_assets.generation")}
    assert {".".join(name.split(".")[:3]) for name in of_generation} == {"lawrag_assets.generation.protocol"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_no_room_knows_the_command_line(path: Path) -> None:
    if room_of(path) != "cli":
        assert not {name for name in imports(path) if name.startswith("lawrag_assets.cli")}


def test_every_module_says_what_belongs_in_it() -> None:
    assert [path for path in FILES if not ast.get_docstring(ast.parse(path.read_text("utf-8")))] == []
