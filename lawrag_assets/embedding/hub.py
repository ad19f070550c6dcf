"""Which commit of a hub model is meant: the one in the local cache, else the hub's newest. Loading it is the backend's work."""

from pathlib import Path

from lawrag_assets.errors import InputError

WAY_OUT = "name a folder, fetch the model where there is a network, or use bundled-e5-small, which needs none"


def hub_name(model: str) -> str:
    """The model's full name; one without an owner is of sentence-transformers itself, as that library has it."""
    return model if "/" in model else f"sentence-transformers/{model}"


def hub_revision(name: str) -> str:
    """The commit of a model. Asks the hub only where the local cache does not know the model; HF_HUB_OFFLINE is respected.

    Raises InputError when the hub does not answer or does not have the model.
    """
    import httpx2  # the client of the hub's library, whose errors come through it as they are
    from huggingface_hub import HfApi, constants, file_download
    from huggingface_hub.errors import HFValidationError, OfflineModeIsEnabled

    try:
        folder = file_download.repo_folder_name(repo_id=name, repo_type="model")
        known = Path(constants.HF_HUB_CACHE) / folder / "refs" / "main"
        if known.is_file():
            return known.read_text(encoding="utf-8").strip()
        return str(HfApi().model_info(name, timeout=20).sha)
    except HFValidationError as error:
        raise InputError(f"embedding model {name!r}: neither a folder nor a name of the hub; {WAY_OUT}") from error
    except (OfflineModeIsEnabled, httpx2.HTTPError, OSError) as error:
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise InputError(
            f"embedding model {name!r}: not in the local cache, and the hub did not give it ({reason}); {WAY_OUT}"
        ) from error
