"""Presets: named sets of `lawrag run`'s flags, a TOML file each in this folder, `<name>.toml`. What a flag means is `settings`' concern."""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lawrag_assets.errors import InputError

_FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Preset:
    """Settings by their names, as in a profile's file, and the cells."""

    settings: dict[str, Any]
    cells: list[str]


def preset_names() -> list[str]:
    """All presets, sorted."""
    return sorted(path.stem for path in _FOLDER.glob("*.toml"))


def preset(name: str) -> Preset:
    """The preset of this name. Raises InputError, listing those that there are, for another name."""
    if name not in preset_names():
        raise InputError(f"no preset {name!r}; there are: {', '.join(preset_names())}")
    values = tomllib.loads((_FOLDER / f"{name}.toml").read_text("utf-8"))
    cells = values.pop("cells", [])
    return Preset(values, cells)
