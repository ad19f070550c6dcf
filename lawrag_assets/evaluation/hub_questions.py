"""Question sets on the Hugging Face hub: what an `hf://datasets/…` address means, which commit of it, and fetching its file.

Reading the file is the work of `questions` and `question_columns`.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from urllib.parse import quote, unquote

from lawrag_assets.errors import InputError, WorkFailedError

SCHEME = "hf://"
_ADDRESS = re.compile(r"hf://datasets/(?P<repo>[^/@]+/[^/@]+)(?:@(?P<revision>[^/]+))?(?:/(?P<path>.*[^/]))?/?")
_CONVERTED = {
    "~parquet": "refs/convert/parquet"
}  # the hub's short name for the branch in which it keeps every data set as Parquet
_FILES = (".parquet", ".jsonl")


@dataclass(frozen=True)
class HubFile:
    """A file of a data set on the hub. `path` None: its only question file. `revision` None: the newest commit."""

    repo: str
    revision: str | None = None
    path: str | None = None

    @classmethod
    def parse(cls, address: str) -> "HubFile":
        """Read `hf://datasets/OWNER/NAME[@REVISION][/PATH]`, as huggingface_hub and polars write it; InputError for another text."""
        match = _ADDRESS.fullmatch(address)
        if not match:
            raise InputError(
                f"{address!r} is no address of a data set on the hub such as hf://datasets/OWNER/NAME/questions.parquet"
            )
        revision = match["revision"]
        return cls(match["repo"], _CONVERTED.get(revision, unquote(revision)) if revision else None, match["path"])

    def __str__(self) -> str:
        """The address."""
        revision = f"@{quote(self.revision, safe='')}" if self.revision else ""
        return f"{SCHEME}datasets/{self.repo}{revision}{f'/{self.path}' if self.path else ''}"

    @property
    def name(self) -> str:
        """A name for the question set. The data set's comes first: files on the hub are called `test.parquet` as often as not."""
        name = self.repo.partition("/")[2]
        return f"{name}-{PurePosixPath(self.path).stem}" if self.path else name


def pinned(address: str) -> str:
    """The address with the commit and the path that it means now, so that it means the same from now on.

    Without an answer from the hub a file in the local cache keeps its address as it is. InputError for a data set, revision or file that
    the hub does not have, and where several question files are there and none is named; WorkFailedError where the hub does not answer.
    """
    file = HubFile.parse(address)
    try:
        return str(_pinned(file))
    except WorkFailedError:
        if _cached(file) is None:
            raise
        return address


def fetch(address: str) -> Path:
    """The file in the local cache, downloaded if it is not there yet. HF_HUB_OFFLINE is respected. Errors as in `pinned`."""
    from huggingface_hub import hf_hub_download

    file = HubFile.parse(address)
    if known := _cached(file):
        return known
    found = file if file.path else _pinned(file)
    assert found.path is not None
    with _told_in_one_line(file):
        return Path(hf_hub_download(found.repo, found.path, repo_type="dataset", revision=found.revision))


def _cached(file: HubFile) -> Path | None:
    from huggingface_hub import try_to_load_from_cache

    if file.path is None:
        return None
    with _told_in_one_line(file):
        known = try_to_load_from_cache(file.repo, file.path, revision=file.revision, repo_type="dataset")
    return Path(known) if isinstance(known, str) else None


def _pinned(file: HubFile) -> HubFile:
    from huggingface_hub import HfApi

    with _told_in_one_line(file):
        found = HfApi().dataset_info(file.repo, revision=file.revision, timeout=20)
    paths = sorted(sibling.rfilename for sibling in found.siblings or [] if sibling.rfilename.endswith(_FILES))
    if file.path is None and len(paths) != 1:
        listed = f"{', '.join(paths[:20])}{' …' if len(paths) > 20 else ''}" or "none"
        raise InputError(f"{file}: name one of its question files (Parquet or JSON Lines): {listed}")
    return replace(file, revision=found.sha, path=file.path or paths[0])


@contextmanager
def _told_in_one_line(file: HubFile) -> Iterator[None]:
    """Turn the hub's errors into ours: what it does not have is the user's mistake, all else a failure."""
    import httpx2  # the client of the hub's library, whose errors come through it as they are
    from huggingface_hub.errors import (
        EntryNotFoundError,
        HFValidationError,
        LocalEntryNotFoundError,
        OfflineModeIsEnabled,
        RepositoryNotFoundError,
        RevisionNotFoundError,
    )

    try:
        yield
    except (LocalEntryNotFoundError, OfflineModeIsEnabled) as error:
        raise WorkFailedError(f"{file}: not in the local cache, and the hub cannot be reached ({_first_line(error)})") from error
    except (RepositoryNotFoundError, RevisionNotFoundError, EntryNotFoundError, HFValidationError) as error:
        raise InputError(
            f"{file}: the hub has no such data set, revision or file, or wants you to log in ({_first_line(error)})"
        ) from error
    except (httpx2.HTTPError, OSError) as error:
        raise WorkFailedError(f"{file}: the hub does not answer ({_first_line(error)})") from error


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
