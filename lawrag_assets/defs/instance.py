"""A profile's Dagster instance: opened from the one `dagster.yaml`, used by one `lawrag run` at a time.

What is materialized, and in which order, is `refresh`'s business; runs whose process died are `dead_runs`'.
"""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path

import dagster as dg

import lawrag_assets
from lawrag_assets.defs.partitions import LAWS
from lawrag_assets.errors import InputError
from lawrag_assets.files import atomic_write_bytes
from lawrag_assets.storage import CHECKOUT, Storage

DRIVER_TAG = "lawrag/driver"
"""Tags the runs that a `lawrag run` drives in its own process."""

ACTIVE = [
    dg.DagsterRunStatus.QUEUED,
    dg.DagsterRunStatus.NOT_STARTED,
    dg.DagsterRunStatus.STARTING,
    dg.DagsterRunStatus.STARTED,
    dg.DagsterRunStatus.CANCELING,
]


def _instance_settings() -> bytes:
    in_package = Path(lawrag_assets.__file__).parent / "dagster.yaml"
    return (CHECKOUT / "dagster.yaml" if not in_package.is_file() else in_package).read_bytes()


def prepare_home(paths: Storage) -> Path:
    """The profile's DAGSTER_HOME with the current `dagster.yaml` in it."""
    file = paths.dagster_home / "dagster.yaml"
    settings = _instance_settings()
    if not file.is_file() or file.read_bytes() != settings:
        atomic_write_bytes(file, settings)
    return paths.dagster_home


@contextmanager
def open_instance(paths: Storage) -> Iterator[dg.DagsterInstance]:
    """The profile's instance, created if need be."""
    with dg.DagsterInstance.from_config(str(prepare_home(paths))) as instance:
        yield instance


def follow_laws(instance: dg.DagsterInstance, laws: list[str]) -> None:
    """Make the law partitions those of the profile."""
    name = str(LAWS.name)
    present = set(instance.get_dynamic_partitions(name))
    instance.add_dynamic_partitions(name, [law for law in laws if law not in present])
    for law in present - set(laws):
        instance.delete_dynamic_partition(name, law)


class Holder(StrEnum):
    """Who can be at work on a profile, each at most once; the operating system frees a killed process's lock."""

    DRIVER = "lawrag run"
    UI = "lawrag ui"


@contextmanager
def held(paths: Storage, holder: Holder) -> Iterator[int]:
    """Be the only `holder` at work on this profile; yields the lock's file descriptor. Raises InputError while there is another."""
    paths.dagster_home.mkdir(parents=True, exist_ok=True)
    with (paths.dagster_home / f"{holder.name.lower()}.lock").open("a") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise InputError(
                f"another `{holder}` is at work on profile {paths.profile!r}: wait for it, or name another --profile"
            ) from error
        yield file.fileno()


def is_held(paths: Storage, holder: Holder) -> bool:
    """Whether a live process is at work as `holder`."""
    try:
        with held(paths, holder):
            return False
    except InputError:
        return True
