"""Where things lie under the storage folder. Paths only: what is in a file belongs to the room that writes it."""

import os
from dataclasses import dataclass
from pathlib import Path

from lawrag_assets.errors import InputError

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

    def require_writable(self) -> None:
        """Raise InputError unless this profile can be written."""
        try:
            self.profile_folder.mkdir(parents=True, exist_ok=True)
            probe = self.profile_folder / f".writable.{os.getpid()}"
            probe.touch()
            probe.unlink()
        except OSError as error:
            raise InputError(
                f"storage folder {self.root} cannot be written ({error.strerror}): name another with --storage or LAWRAG_STORAGE"
            ) from error
