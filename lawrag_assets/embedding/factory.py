"""From the name of a model to an embedder, and to the identity that its vectors are kept under.

Neither imports torch, transformers or litellm: a run that finds every vector in the cache never pays for them.
"""

import hashlib
import re
from pathlib import Path

from lawrag_assets.embedding import bundled
from lawrag_assets.embedding.device import choose_compute
from lawrag_assets.embedding.hub import hub_name, hub_revision
from lawrag_assets.embedding.protocol import Embedder
from lawrag_assets.embedding.sentence_transformers_backend import SentenceTransformersEmbedder
from lawrag_assets.errors import InputError

_LITELLM = "litellm/"
_HASHED_WHOLE = 32_000_000


def open_embedder(model: str, *, models_dir: Path, device: str = "auto", api_base: str | None = None) -> Embedder:
    """The embedder of a model: `bundled-e5-small`, `litellm/<model>`, or a sentence-transformers folder or hub name.

    `models_dir` is where the bundled model is unpacked, `device` what `choose_compute` takes, `api_base` the address of a
    LiteLLM model's service where it is not the provider's own. Raises InputError for a model that there is not.
    """
    identity = model_identity(model, device=device, api_base=api_base)
    if model.startswith(_LITELLM):
        from lawrag_assets.embedding.litellm_backend import LiteLLMEmbedder

        return LiteLLMEmbedder(model.removeprefix(_LITELLM), identity=identity, api_base=api_base)

    def locate() -> tuple[str, str | None]:
        if model == bundled.NAME:
            return str(bundled.bundled_folder(models_dir)), None
        if Path(model).is_dir():
            return model, None
        return hub_name(model), hub_revision(hub_name(model))

    return SentenceTransformersEmbedder(locate, name=model, identity=identity, compute=choose_compute(device))


def model_identity(model: str, *, device: str = "auto", api_base: str | None = None) -> str:
    """What a model's vectors depend on: the model, its revision or checksum, and the precision it computes in.

    A hub model that is not in the local cache costs one question to the hub. Raises InputError for a model that there is not.
    """
    if model.startswith(_LITELLM):
        if not model.removeprefix(_LITELLM):
            raise InputError(f"embedding model {model!r}: name a model behind {_LITELLM}")
        service = "" if api_base is None else "-" + _digest(api_base.rstrip("/"))
        return _file_name(model) + service
    precision = choose_compute(device).precision
    if model == bundled.NAME:
        return f"{bundled.NAME}-{bundled.REVISION}-{precision}"
    folder = Path(model)
    if folder.is_dir():
        return f"{_file_name(folder.resolve().name)}-{_folder_digest(folder)}-{precision}"
    if folder.is_absolute() or model.startswith((".", "~")) or model.count("/") > 1:
        raise InputError(f"embedding model {model!r}: there is no such folder")
    name = hub_name(model)
    return f"{_file_name(name)}-{hub_revision(name)[:12]}-{precision}"


def _folder_digest(folder: Path) -> str:
    """The content of a model's files; of the large ones (weights) only size and time, which change with every writing."""
    if not any((folder / name).is_file() for name in ("modules.json", "config.json")):
        raise InputError(f"embedding model {str(folder)!r}: the folder holds neither modules.json nor config.json")
    parts = []
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        state = path.stat()
        large = state.st_size > _HASHED_WHOLE
        content = f"{state.st_size} {state.st_mtime_ns}" if large else hashlib.sha256(path.read_bytes()).hexdigest()
        parts.append(f"{path.relative_to(folder)} {content}")
    return _digest("\n".join(parts))


def weights_revision(model: str) -> str:
    """Which weights a model's folder or its name on the hub means: a checksum, or the commit. Raises InputError where there are none."""
    folder = Path(model)
    return _folder_digest(folder) if folder.is_dir() else hub_revision(model)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _file_name(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9._-]", "_", name.replace("/", "--"))
