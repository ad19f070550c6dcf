"""A profile's Dagster instance: opened from the one `dagster.yaml`, used by one `lawrag run` at a time.

What is materialized, and in which order, is `refresh`'s business; runs whose process died are `dead_runs`'.
"""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path

import dagster as dg
from filelock import FileLock

import lawrag_assets
from lawrag_assets.defs.partitions import LAWS
from lawrag_assets.errors import InputError
from lawrag_assets.files import atomic_write_bytes
from lawrag_assets.postgres import address_without_password, try_lock
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


POSTGRES_URL = "LAWRAG_POSTGRES_URL"
_ON_POSTGRES = f"""
# Runs, events and schedules are in the database that several machines share. Its address has a password: no file holds it.
storage:
  postgres:
    postgres_url:
      env: {POSTGRES_URL}
"""


def _instance_settings() -> bytes:
    in_package = Path(lawrag_assets.__file__).parent / "dagster.yaml"
    return (CHECKOUT / "dagster.yaml" if not in_package.is_file() else in_package).read_bytes()


def prepare_home(paths: Storage) -> Path:
    """The profile's DAGSTER_HOME with the current `dagster.yaml` in it."""
    file = paths.dagster_home / "dagster.yaml"
    settings = _instance_settings()
    if paths.database:
        settings += _ON_POSTGRES.encode()
        # Where Dagster, and what it starts, looks for it. SQLAlchemy has to be told which driver Dagster brings.
        os.environ[POSTGRES_URL] = paths.database.replace("://", "+psycopg2://", 1)
    if not file.is_file() or file.read_bytes() != settings:
        atomic_write_bytes(file, settings)
    return paths.dagster_home


@contextmanager
def open_instance(paths: Storage) -> Iterator[dg.DagsterInstance]:
    """The profile's instance, created if need be. InputError for a database that another profile uses."""
    with _opened_by_one(paths):
        opened = dg.DagsterInstance.from_config(str(prepare_home(paths)))
    with opened as instance:
        if paths.database:
            _require_own_database(instance, paths)
        yield instance


def _opened_by_one(paths: Storage) -> FileLock:
    """Two processes that made the same new SQLite tables at once would leave them marked with two versions, and neither could open them."""
    paths.dagster_home.mkdir(parents=True, exist_ok=True)
    return FileLock(paths.dagster_home / "opening.lock")


def _require_own_database(instance: dg.DagsterInstance, paths: Storage) -> None:
    """A database holds the runs and laws of one profile: whoever comes first writes its name down."""
    key = "lawrag/profile"
    storage = instance.daemon_cursor_storage
    owner = storage.get_cursor_values({key}).get(key)
    if owner is None:
        storage.set_cursor_values({key: paths.profile})
    elif owner != paths.profile:
        database = address_without_password(paths.database)
        raise InputError(f"{database} is the database of profile {owner!r}: give profile {paths.profile!r} one of its own")


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
def held(paths: Storage, holder: Holder, *, patience: float = 0.5) -> Iterator[int]:
    """Be the only `holder` at work on this profile; yields the lock's file descriptor. Raises InputError while there is another.

    `patience`: seconds to wait for the lock, for one who only asks whether it is held (`is_held`) has it for a moment too.
    """
    paths.dagster_home.mkdir(parents=True, exist_ok=True)
    with (paths.dagster_home / f"{holder.name.lower()}.lock").open("a") as file:
        ends = time.monotonic() + patience
        while not _locked(file.fileno()):
            if time.monotonic() >= ends:
                raise InputError(
                    f"another `{holder}` is at work on profile {paths.profile!r}: wait for it, or name another --profile"
                )
            time.sleep(0.02)
        with _held_on_all_machines(paths, holder):
            yield file.fileno()


@contextmanager
def _held_on_all_machines(paths: Storage, holder: Holder) -> Iterator[None]:
    """The same for the machines that share a database. Each may have a UI of its own."""
    if not paths.database or holder is not Holder.DRIVER:
        yield
        return
    with try_lock(paths.database, f"lawrag/{holder.name}") as free:
        if not free:
            raise InputError(f"another `{holder}` is at work on profile {paths.profile!r}, on another machine: wait for it")
        yield


def _locked(descriptor: int) -> bool:
    """Whether the lock could be had at once."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def is_held(paths: Storage, holder: Holder) -> bool:
    """Whether a live process is at work as `holder`."""
    try:
        with held(paths, holder, patience=0):
            return False
    except InputError:
        return True
