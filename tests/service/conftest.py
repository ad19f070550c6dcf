"""A service over the sample law, shared by the tests that only ask it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from service.running import running

from lawrag_assets.embedding.factory import open_embedder
from lawrag_assets.service.app import create_app
from lawrag_assets.service.edition import Edition, Shelf
from lawrag_assets.serving import open_edition
from lawrag_assets.settings import load_settings


@pytest.fixture(scope="session")
def edition(built_once: Path) -> Edition:
    """The sample law, open and warm."""
    settings = load_settings(storage=built_once, profile="default")
    model = open_embedder(settings.embedding_model, models_dir=settings.paths.models, device=settings.device)
    return open_edition(settings, "subsection/flat", model)


@pytest.fixture(scope="session")
def address(edition: Edition) -> Iterator[str]:
    """Where it is served."""
    with running(create_app(shelf_of(edition), limit=8, seconds=60)) as where:
        yield where


def shelf_of(edition: Edition) -> Shelf:
    """A shelf on which nothing changes."""
    return Shelf(lambda: edition.stamp, lambda: edition)
