"""Fixtures that every room's tests share: where the real data lies."""

import hashlib
import os
import shutil
from pathlib import Path

import pytest
from hypothesis import settings

from lawrag_assets.cli import run_command_line
from lawrag_assets.embedding import bundled

# Machines that run tests are busy: no deadline an example. The number keeps the fast tests fast; HYPOTHESIS_PROFILE=thorough looks harder.
settings.register_profile("fast", max_examples=25, deadline=None)
settings.register_profile("thorough", max_examples=500, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fast"))

pytest_plugins = ["tiny_models", "servers", "generation.chat_service", "laws.law_site"]

PROJECT = Path(__file__).parent.parent


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--accept-benchmark`: what is measured now becomes what is expected (tests/regression)."""
    parser.addoption(
        "--accept-benchmark", action="store_true", help="take the regression gate's figures of now as the expected ones"
    )


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real law and question sets, beside the project or named by LAWRAG_TEST_SHARED; never part of the project."""
    folder = Path(os.environ.get("LAWRAG_TEST_SHARED", PROJECT.parent / "shared"))
    if not (folder / "gii").is_dir():
        pytest.skip(f"real law is not at {folder}: set LAWRAG_TEST_SHARED to a folder with gii/<slug>/xml.zip")
    return folder


@pytest.fixture(scope="session")
def models_dir(request: pytest.FixtureRequest) -> Path:
    """A models folder that outlives the session; one a content of the converter, so that a change to it is never hidden."""
    assert request.config.cache is not None
    converter = hashlib.sha256(Path(bundled.__file__).read_bytes()).hexdigest()[:12]
    return request.config.cache.mkdir(f"models-{converter}")


@pytest.fixture(scope="session")
def built_once(tmp_path_factory: pytest.TempPathFactory, models_dir: Path) -> Path:
    """A storage folder in which `lawrag run` has built the sample law's default cells. Read it; change only a copy (`built`)."""
    storage = tmp_path_factory.mktemp("built") / "storage"
    storage.mkdir()
    (storage / "models").symlink_to(models_dir)
    assert run_command_line(["--storage", str(storage), "run"]) == 0
    return storage


@pytest.fixture
def built(built_once: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of such a storage folder, named in the environment."""
    storage = tmp_path / "storage"
    shutil.copytree(built_once, storage, ignore=shutil.ignore_patterns("models"))
    (storage / "models").symlink_to((built_once / "models").resolve())
    monkeypatch.setenv("LAWRAG_STORAGE", str(storage))
    return storage


@pytest.fixture(autouse=True)
def _no_settings_from_outside(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Tests see no LAWRAG_ variable and no `.env` but their own, and reach no model hub."""
    for name in [name for name in os.environ if name.startswith("LAWRAG_") and name != "LAWRAG_TEST_SHARED"]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.chdir(tmp_path)
