"""Fixtures that every room's tests share: where the real data lies."""

import os
from pathlib import Path

import pytest

PROJECT = Path(__file__).parent.parent


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of real law and question sets, beside the project or named by LAWRAG_TEST_SHARED; never part of the project."""
    folder = Path(os.environ.get("LAWRAG_TEST_SHARED", PROJECT.parent / "shared"))
    if not (folder / "gii").is_dir():
        pytest.skip(f"real law is not at {folder}: set LAWRAG_TEST_SHARED to a folder with gii/<slug>/xml.zip")
    return folder
