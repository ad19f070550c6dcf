"""Fixtures that every room's tests share: where the real data lies."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

# Machines that run tests are busy: no deadline an example. The number keeps the fast tests fast; HYPOTHESIS_PROFILE=thorough looks harder.
settings.register_profile("fast", max_examples=25, deadline=None)
settings.register_profile("thorough", max_examples=500, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "fast"))

PROJECT = Path(__file__).parent.parent


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real law and question sets, beside the project or named by LAWRAG_TEST_SHARED; never part of the project."""
    folder = Path(os.environ.get("LAWRAG_TEST_SHARED", PROJECT.parent / "shared"))
    if not (folder / "gii").is_dir():
        pytest.skip(f"real law is not at {folder}: set LAWRAG_TEST_SHARED to a folder with gii/<slug>/xml.zip")
    return folder
