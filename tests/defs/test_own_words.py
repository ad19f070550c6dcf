"""The strategies that need no model, through `lawrag run`: foreseen, built, and made anew where what their vectors are of has changed."""

import json
from pathlib import Path

import numpy as np
import pytest
from cli.test_commands import law_folder
from laws.made import document, norm

from lawrag_assets.chunking.cells import parse_cells
from lawrag_assets.cli import run_command_line
from lawrag_assets.retrieval.index import open_index
from lawrag_assets.settings import load_settings

CELLS = ["subsection/heading_path", "subsection/reference_expanded", "subsection/late"]


def law(deadline: str) -> bytes:
    """§ 2 Absatz 1 refers to § 1 Absatz 2; § 1 Absatz 1 stands beside it; § 3 has to do with neither."""
    return document(
        norm(f"<P>(1) Wer leiht, gibt zurück.</P><P>(2) Die Frist beträgt {deadline}.</P>", enbez="§ 1", titel="Rückgabe"),
        norm("<P>(1) Für die Frist gilt § 1 Absatz 2.</P><P>(2) Sie beginnt sofort.</P>", enbez="§ 2", titel="Frist"),
        norm("<P>Der Träger haftet.</P>", enbez="§ 3", titel="Haftung"),
    )


def vectors(cell: str) -> dict[str, np.ndarray]:
    index = open_index(load_settings().paths.lancedb, parse_cells([cell])[0].table)
    return dict(zip(index.chunk_ids, index.vectors, strict=True))


@pytest.fixture
def storage(tmp_path: Path, models_dir: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "storage"
    folder.mkdir()
    (folder / "models").symlink_to(models_dir)
    monkeypatch.setenv("LAWRAG_STORAGE", str(folder))
    return folder


@pytest.mark.slow
def test_an_amendment_moves_the_vectors_that_are_made_of_it_and_no_others(
    storage: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = law_folder(tmp_path / "source", "testg", law("14 Tage"))
    flags = ["--law", "testg", "--law-source", str(source), *(flag for cell in CELLS for flag in ("--cells", cell))]
    assert run_command_line(["run", *flags, "--dry-run", "--json"]) == 0
    lines = json.loads(capsys.readouterr().out)["lines"]
    foreseen = {line["partition"]: line["needed"] - line["kept"] for line in lines if line["asset"] == "chunk_index"}
    assert foreseen == {"subsection/heading_path": 5, "subsection/reference_expanded": 1, "subsection/late": 5}

    assert run_command_line(["run", *flags]) == 0
    before = {cell: vectors(cell) for cell in CELLS}
    law_folder(source, "testg", law("drei Wochen"))
    assert run_command_line(["run", *flags]) == 0
    moved = {
        cell: {unit for unit, vector in vectors(cell).items() if not np.allclose(vector, before[cell][unit], atol=1e-4)}
        for cell in CELLS
    }
    amended, beside, referring = "testg/§1/Abs2", "testg/§1/Abs1", "testg/§2/Abs1"
    assert moved == {CELLS[0]: {amended}, CELLS[1]: {amended, referring}, CELLS[2]: {amended, beside}}
    capsys.readouterr()
    assert run_command_line(["run", *flags, "--dry-run", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["total"]["needed"] == 0


@pytest.mark.parametrize("flags", [[], ["--dry-run"]], ids=["run", "dry run"])
def test_late_chunking_by_a_service_is_refused_before_anything_is_written(
    storage: Path, flags: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command_line(["run", "--cells", "*/late", "--embedding-model", "litellm/openai/some-model", *flags]) == 2
    assert "some-model gives none: leave the cells */late out" in capsys.readouterr().err
    assert not (storage / "profiles").exists()
