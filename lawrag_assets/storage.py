"""Where things lie under the storage folder. Paths only: what is in a file belongs to the room that writes it."""

import os
from dataclasses import dataclass
from pathlib import Path

from lawrag_assets.errors import InputError
from lawrag_assets.files import atomic_write_bytes

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

    @property
    def format_file(self) -> Path:
        """Which layout the folder has: a number."""
        return self.root / "FORMAT"

    @property
    def cache(self) -> Path:
        """Embeddings and model answers by content. Shared; the only folder whose loss costs money."""
        return self.root / "cache"

    @property
    def models(self) -> Path:
        """The unpacked bundled model. Shared."""
        return self.root / "models"

    @property
    def laws(self) -> Path:
        """Every XML build of a law ever seen, by content. Shared."""
        return self.root / "laws"

    @property
    def profile_folder(self) -> Path:
        """Everything that belongs to this profile alone."""
        return self.root / "profiles" / self.profile

    @property
    def profile_file(self) -> Path:
        """The profile's settings, TOML."""
        return self.profile_folder / "profile.toml"

    @property
    def tables(self) -> Path:
        """The assets' tables, Parquet: `<asset>/<partition>.parquet`."""
        return self.profile_folder / "tables"

    @property
    def lancedb(self) -> Path:
        """One LanceDB table a cell."""
        return self.profile_folder / "lancedb"

    @property
    def reports(self) -> Path:
        """Benchmark reports."""
        return self.profile_folder / "reports"

    @property
    def dagster_home(self) -> Path:
        """Dagster's own storage of this profile: runs, events, dynamic partitions."""
        return self.profile_folder / "dagster"

    def require_known_format(self) -> None:
        """Raise InputError where a newer version of this software has laid the folder out."""
        try:
            found = self.format_file.read_text("utf-8").strip()
        except (FileNotFoundError, NotADirectoryError):
            return
        if not found.isdecimal():
            raise InputError(f"{self.format_file}: holds {found[:40]!r} where a number should be; write {FORMAT} into it")
        if int(found) > FORMAT:
            raise InputError(
                f"storage folder {self.root} has layout {found}, this version of lawrag knows up to {FORMAT}: install the newer lawrag, or "
                "name another folder with --storage or LAWRAG_STORAGE"
            )

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
