"""Laws for the tests of this room: real ones, read once a session, and small ones made on the spot."""

import functools
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from lawrag_assets.laws.gii_xml import parse_law
from lawrag_assets.laws.model import Law
from lawrag_assets.laws.source import law_source

Parse = Callable[[str], Law]


@pytest.fixture(scope="session")
def real_xml(shared) -> Callable[[str], bytes]:
    """The XML of a real law by its slug."""
    source = law_source(str(shared / "gii"))
    return functools.cache(lambda slug: source.fetch(slug).xml)


@pytest.fixture(scope="session")
def real(real_xml) -> Parse:
    """A real law by its slug, parsed whole."""
    return functools.cache(lambda slug: parse_law(real_xml(slug), slug=slug))


@pytest.fixture(scope="session")
def every_law(shared) -> Callable[[str], Iterator[tuple[str, str, bytes]]]:
    """Name, slug and XML of every real law at hand: "today" the newest builds and the sample of 300, "older" the other builds."""

    def walk(builds: str) -> Iterator[tuple[str, str, bytes]]:
        if builds == "older":
            for path in sorted(shared.glob("gii-history/*/*/xml.zip")):
                slug = path.parent.parent.name
                yield f"{slug} {path.parent.name}", slug, _only_xml(path)
            return
        for path in sorted(shared.glob("gii/*/xml.zip")):
            yield path.parent.name, path.parent.name, _only_xml(path)
        with zipfile.ZipFile(shared / "gii-sample300.zip") as archive:
            for name in sorted(archive.namelist()):
                if name.endswith(".xml"):
                    yield name, Path(name).stem, archive.read(name)

    return walk


def _only_xml(path: Path) -> bytes:
    with zipfile.ZipFile(path) as archive:
        return next(archive.read(name) for name in archive.namelist() if name.endswith(".xml"))
