"""Every build of a law ever seen, kept by content: `<folder>/<slug>/<sha256>.xml`. Which one is current, the caller knows."""

from lawrag_assets.files import Place, atomic_write_bytes
from lawrag_assets.laws.source import LawFile


def _path(folder: Place, slug: str, sha256: str) -> Place:
    return folder / slug / f"{sha256}.xml"


def keep(folder: Place, file: LawFile) -> Place:
    """Store the build unless it is there already, and return where it lies."""
    path = _path(folder, file.slug, file.sha256)
    if not is_kept(folder, file.slug, file.sha256):
        atomic_write_bytes(path, file.xml)
    return path


def is_kept(folder: Place, slug: str, sha256: str) -> bool:
    """Whether this build has been seen before."""
    return _path(folder, slug, sha256).is_file()


def kept(folder: Place, slug: str, sha256: str) -> bytes:
    """The XML of a kept build. Raises FileNotFoundError where it was never kept or was deleted."""
    return _path(folder, slug, sha256).read_bytes()
