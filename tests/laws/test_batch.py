"""Many files in several processes: order, errors, slugs."""

import zipfile
from pathlib import Path

import pytest
from laws.made import document, norm

from lawrag_assets.errors import InputError
from lawrag_assets.laws import batch
from lawrag_assets.laws.batch import convert_files, parse_file
from lawrag_assets.laws.jsonl import json_lines
from lawrag_assets.laws.model import Law


def unchanged(law: Law) -> Law:
    """For a worker: a module's function that gives the law back."""
    return law


@pytest.fixture
def files(tmp_path) -> list[Path]:
    paths = []
    for n in range(12):
        path = tmp_path / f"law_{n}.xml"
        path.write_bytes(document(*[norm(f"<P>Text {i}.</P>", enbez=f"§ {i}") for i in range(1, 3 + (n * 7) % 5)]))
        paths.append(path)
    return paths


@pytest.mark.parametrize("processes", [1, 2])
def test_laws_come_in_the_order_of_the_files(files, monkeypatch, processes):
    monkeypatch.setattr(batch, "_WORTH_A_PROCESS", 0)
    laws = list(convert_files(files, unchanged, processes=processes))
    assert [law.slug for law in laws] == [path.stem for path in files]
    assert laws == [parse_file(path) for path in files]


def test_conversion_runs_in_the_workers(files, monkeypatch):
    monkeypatch.setattr(batch, "_WORTH_A_PROCESS", 0)
    assert "".join(convert_files(files, json_lines, processes=2)) == "".join(json_lines(parse_file(path)) for path in files)


@pytest.mark.parametrize("processes", [1, 2])
def test_a_bad_file_stops_at_its_turn(files, monkeypatch, processes):
    monkeypatch.setattr(batch, "_WORTH_A_PROCESS", 0)
    files[5].write_text("no law", encoding="utf-8")
    results = convert_files(files, unchanged, processes=processes)
    assert [next(results).slug for _ in range(5)] == [path.stem for path in files[:5]]
    with pytest.raises(InputError, match=r"law_5\.xml"):
        next(results)


def test_slugs_and_zip_files(tmp_path):
    (tmp_path / "bgb_x").mkdir()
    xml = document(norm("<P>A.</P>"))
    for path in (tmp_path / "bgb_x" / "xml.zip", tmp_path / "other.zip"):
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("BJNR1.xml", xml)
    assert parse_file(tmp_path / "bgb_x" / "xml.zip").slug == "bgb_x"
    assert parse_file(tmp_path / "other.zip").slug == "other"


@pytest.mark.parametrize("name", ["missing.xml", "missing.zip", "."])
def test_a_file_that_cannot_be_read(tmp_path, name):
    with pytest.raises(InputError, match="cannot be read"):
        parse_file(tmp_path / name)


def test_no_files():
    assert list(convert_files([], unchanged)) == []
