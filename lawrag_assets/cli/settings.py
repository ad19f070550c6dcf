"""From a command's flags to settings: global options may stand before or after the command's name."""

from typing import Any

import typer

from lawrag_assets.settings import Settings, load_settings


def settings_of(context: typer.Context, **flags: Any) -> Settings:
    """The settings that the flags, given before or after the command, the environment and the profile's file make.

    Raises InputError where they are wrong, or name an object store that does not answer.
    """
    given = {name: value for name, value in flags.items() if value is not None}
    settings = load_settings(**{**(context.obj or {}), **given})
    settings.paths.require_objects()
    return settings
