"""Where things lie under the storage folder. Paths only: what is in a file belongs to the room that writes it."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from lawrag_assets.errors import InputError
from lawrag_assets.files import Place, atomic_write_bytes, object_place

FORMAT = 1
"""How things are laid out below the storage folder; raised with whatever an older version of this software would misread. A folder that
says nothing has layout 1."""

CHECKOUT = Path(__file__).parent.parent


def default_storage() -> Path:
    """`storage/` of the project when run from a checkout, `./storage` when installed."""
    return CHECKOUT / "storage" if (CHECKOUT / "pyproject.toml").is_file() else Path.cwd() / "storage"


@dataclass(frozen=True)
class Storage:
    """The folders of one profile and those that all profiles share."""

    root: Path
    profile: str
    objects: str = ""
    """Where laws, tables, indexes and reports lie in an object store, `s3://BUCKET/PREFIX`; empty where they lie under `root`."""
    database: str = field(default="", repr=False)
    """The address, password and all, of the PostgreSQL database that several machines share; empty where there is none."""

    @property
    def format_file(self) -> Path:
        """Which layout the folder has: a number."""
        return self.root / "FORMAT"

    @property
    def cache(self) -> Path:
        """Embeddings and model answers by content. Shared; the only folder whose loss costs money."""
        return self.root / "cache"

    @property
    def cache_room(self) -> Path | str:
        """Where the caches are: the folder, or the database where several machines share one."""
        return self.database or self.cache

    @property
    def models(self) -> Path:
        """The unpacked bundled model. Shared."""
        return self.root / "models"

    @property
    def laws(self) -> Place:
        """Every XML build of a law ever seen, by content. Shared."""
        return self._made_things / "laws"

    @property
    def profile_folder(self) -> Path:
        """Everything that belongs to this profile alone."""
        return self.root / "profiles" / self.profile

    @property
    def profile_file(self) -> Path:
        """The profile's settings, TOML."""
        return self.profile_folder / "profile.toml"

    @property
    def tables(self) -> Place:
        """The assets' tables, Parquet: `<asset>/<partition>.parquet`."""
        return self._profile_things / "tables"

    @property
    def lancedb(self) -> Place:
        """One LanceDB table a cell."""
        return self._profile_things / "lancedb"

    @property
    def ranker(self) -> Place:
        """What was learned from the training questions."""
        return self._profile_things / "ranker.npz"

    @property
    def reports(self) -> Place:
        """Benchmark reports."""
        return self._profile_things / "reports"

    @property
    def dagster_home(self) -> Path:
        """Dagster's own storage of this profile: runs, events, dynamic partitions."""
        return self.profile_folder / "dagster"

    @property
    def has_history(self) -> bool:
        """Whether Dagster may know of runs of this profile."""
        return bool(self.database) or self.dagster_home.is_dir()

    def require_known_format(self) -> None:
        """Raise InputError where a newer version of this software has laid the folder out."""
        try:
            found = self.format_file.read_text("utf-8").strip()
        except (FileNotFoundError, NotADirectoryError):
            return
        _require_known_format(found, self.format_file)

    def require_objects(self) -> None:
        """Raise InputError unless the object store, where there is one, can be read and was laid out by no newer version."""
        if self.objects:
            with _refusal_told(self.objects, "read"):
                found = self._format_object.read_text("utf-8").strip() if self._format_object.exists() else str(FORMAT)
            _require_known_format(found, self._format_object)

    @property
    def _format_object(self) -> Place:
        return self._made_things / "FORMAT"

    @property
    def _made_things(self) -> Place:
        return object_place(self.objects) if self.objects else self.root

    @property
    def _profile_things(self) -> Place:
        return self._made_things / "profiles" / self.profile

    def require_writable(self) -> None:
        """Raise InputError unless this profile can be written; leave word of the layout."""
        self.require_known_format()
        try:
            self.profile_folder.mkdir(parents=True, exist_ok=True)
            probe = self.profile_folder / f".writable.{os.getpid()}"
            probe.touch()
            probe.unlink()
            if not self.format_file.is_file():
                atomic_write_bytes(self.format_file, f"{FORMAT}\n".encode())
        except OSError as error:
            raise InputError(
                f"storage folder {self.root} cannot be written ({error.strerror}): name another with --storage or LAWRAG_STORAGE"
            ) from error
        if self.objects:
            self.require_objects()
            with _refusal_told(self.objects, "written"):
                atomic_write_bytes(self._format_object, f"{FORMAT}\n".encode())


def _require_known_format(found: str, file: Place) -> None:
    if not found.isdecimal():
        raise InputError(f"{file}: holds {found[:40]!r} where a number should be; write {FORMAT} into it")
    if int(found) > FORMAT:
        raise InputError(
            f"storage folder {file.parent} has layout {found}, this version of lawrag knows up to {FORMAT}: install the newer lawrag, or "
            "name another folder with --storage or LAWRAG_STORAGE"
        )


@contextmanager
def _refusal_told(objects: str, what: str) -> Iterator[None]:
    """The store's library has an error of its own for each kind of refusal: a user gets one line that says where to look."""
    try:
        yield
    except InputError:
        raise
    except Exception as error:
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0][:300]
        raise InputError(f"{objects} cannot be {what} ({reason}): see LAWRAG_ARTEFACTS and the AWS_ variables") from error
