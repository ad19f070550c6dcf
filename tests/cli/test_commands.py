"""`lawrag run` from outside: what it makes, what it does not redo, and what it refuses."""

import json
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from lawrag_assets import sample
from lawrag_assets.chunking.cells import grid
from lawrag_assets.cli import run_command_line


def tree(folder: Path) -> dict[str, int]:
    """Every file below a folder with its time, but for Dagster's own."""
    return {
        str(path.relative_to(folder)): path.stat().st_mtime_ns
        for path in folder.rglob("*")
        if path.is_file() and "dagster" not in path.parts
    }


def law_folder(folder: Path, slug: str, xml: bytes) -> Path:
    (folder / slug).mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(folder / slug / "xml.zip", "w") as archive:
        archive.writestr("BJNR000010000.xml", xml)
    return folder


def table(storage: Path, *names: str, profile: str = "default") -> pl.DataFrame:
    return pl.read_parquet(storage.joinpath("profiles", profile, "tables", *names[:-1], f"{names[-1]}.parquet"))


def test_a_run_leaves_tables_an_index_and_a_report(built: Path, capsys: pytest.CaptureFixture[str]) -> None:
    profile = built / "profiles" / "default"
    assert (profile / "lancedb" / "subsection.flat.lance").is_dir()
    assert run_command_line(["report", "--json"]) == 0
    files = json.loads(capsys.readouterr().out)
    beside, trec = files.pop("beside"), files.pop("trec")
    assert set(files) == {"html", "markdown", "csv", "parquet"}
    assert {Path(file) for file in (*files.values(), *beside)} == set((profile / "reports").iterdir())
    assert trec == []
    report = pl.read_csv(files["csv"])
    assert report["cell"].to_list() == ["section/flat", "subsection/flat"]
    assert report["R@10"].is_between(0.6, 0.99).all()
    assert (report["build_seconds"] > 0).all()


def test_a_second_run_makes_nothing(built: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = tree(built)
    assert run_command_line(["run", "--json"]) == 0
    captured = capsys.readouterr()
    assert captured.err == "everything is up to date\n"
    assert [cell["cell"] for cell in json.loads(captured.out)["cells"]] == ["section/flat", "subsection/flat"]
    assert tree(built) == before


@pytest.mark.slow
def test_deleting_everything_but_the_cache_costs_no_embedding(built: Path) -> None:
    units = table(built, "units", "subsection")
    for folder in ("tables", "lancedb", "reports"):
        shutil.rmtree(built / "profiles" / "default" / folder)
    cache = tree(built / "cache")
    assert run_command_line(["run"]) == 0
    assert tree(built / "cache") == cache
    assert table(built, "units", "subsection").equals(units)


@pytest.mark.slow
def test_an_amendment_is_noticed_and_reaches_the_index(built: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = law_folder(tmp_path / "source", "law", sample.law_xml())
    run = ["run", "--law", "law", "--law-source", str(source), "--cells", "subsection/flat"]
    assert run_command_line(run) == 0
    assert "laws are now law (were sample)" in capsys.readouterr().err
    old = table(built, "corpus")
    text = old.filter(pl.col("section_id") == "law/§1")["subsections"][0][0]["sentences"][0]["text"]
    law_folder(source, "law", sample.law_xml().replace(text.split()[-1].encode(), b"Zauberbesen."))
    assert run_command_line(["run", "--cells", "subsection/flat"]) == 0
    assert "making law_xml, law_sections, law_changes [law] (changed)" in capsys.readouterr().err
    amended = text.replace(text.split()[-1], "Zauberbesen.")
    assert run_command_line(["search", amended, "-k", "1", "--json"]) == 0
    assert "Zauberbesen" in json.loads(capsys.readouterr().out)[0]["chunk"]


@pytest.mark.slow
def test_the_report_and_search_follow_when_laws_are_replaced(
    built: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = law_folder(tmp_path / "source", "law", sample.law_xml())
    assert run_command_line(["run", "--law", "law", "--law-source", str(source), "--cells", "section/flat", "--json"]) == 0
    assert [cell["cell"] for cell in json.loads(capsys.readouterr().out)["cells"]] == ["section/flat"]
    assert run_command_line(["search", "Werkzeug leihen"]) == 2
    assert "cell subsection/flat was built from another corpus" in capsys.readouterr().err
    assert run_command_line(["run", "--law", "sample", "--json"]) == 0
    cells = json.loads(capsys.readouterr().out)["cells"]
    assert [cell["cell"] for cell in cells] == ["section/flat", "subsection/flat"]
    assert all(cell["R@10"] > 0.6 for cell in cells)


def test_an_index_of_another_model_is_not_searched(
    built: Path, tiny_model: Callable[..., Path], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LAWRAG_EMBEDDING_MODEL", str(tiny_model("tiny")))
    assert run_command_line(["search", "Werkzeug leihen"]) == 2
    assert "was built with another model" in capsys.readouterr().err


@pytest.mark.slow
def test_a_deleted_archive_of_laws_is_filled_again(built: Path) -> None:
    shutil.rmtree(built / "laws")
    assert run_command_line(["run"]) == 0
    assert list((built / "laws").rglob("*.xml"))


def test_cells_says_what_is_built_and_what_is_stale(built: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_command_line(["cells", "--json"]) == 0
    states = {
        (cell["base_unit"], cell["strategy"]): (cell["materialized"], cell["stale"])
        for cell in json.loads(capsys.readouterr().out)
    }
    assert states["section", "flat"] == (True, False)
    assert states["sentence", "flat"] == (False, False)
    assert list(states) == grid()


def test_a_failed_cell_does_not_stop_the_others(
    built: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from dataclasses import replace

    from lawrag_assets.chunking import BASE_UNITS

    def broken(corpus: object, tokenize: object) -> pl.DataFrame:
        raise RuntimeError("the saw is blunt")

    monkeypatch.setitem(BASE_UNITS._things, "sentence", replace(BASE_UNITS["sentence"], cut=broken))
    assert run_command_line(["run", "--cells", "sentence/flat", "--cells", "window_256_64/flat"]) == 1
    err = capsys.readouterr().err
    assert "the saw is blunt" in err.splitlines()[-1]
    assert (built / "profiles" / "default" / "lancedb" / "window_256_64.flat.lance").is_dir()
    assert not (built / "profiles" / "default" / "lancedb" / "sentence.flat.lance").exists()


@pytest.mark.slow
def test_without_questions_there_is_a_report_of_what_was_built(
    built: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = law_folder(tmp_path / "source", "law", sample.law_xml())
    assert run_command_line(["--profile", "other", "run", "--law", "law", "--law-source", str(source), "--json"]) == 0
    cells = json.loads(capsys.readouterr().out)["cells"]
    assert [(cell["cell"], cell["chunks"]) for cell in cells] == [("section/flat", 60), ("subsection/flat", 195)]


BAD_QUESTIONS = {"empty.jsonl": "", "broken.jsonl": '{"id": "1", "question": "Was?", "gold": ["§ 1 LeihLG"]}\nno json\n'}


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["run", "--law", "missing", "--law-source", "SOURCE"], "missing"),
        (["run", "--law", "corrupt", "--law-source", "SOURCE"], "corrupt"),
        (["run", "--law", "truncated", "--law-source", "SOURCE"], "truncated"),
        (["run", "--law", "../law", "--law-source", "SOURCE"], "../law"),
        (["run", "--law-source", "no/such/folder", "--law", "law"], "no/such/folder"),
        (["run", "--questions", "empty.jsonl"], "empty.jsonl"),
        (["run", "--questions", "broken.jsonl"], "broken.jsonl:2"),
        (["run", "--questions", "none.jsonl"], "none.jsonl"),
        (["run", "--cells", "nothing/flat"], "nothing/flat"),
        (["run", "--cells", "section/nothing"], "section/nothing"),
        (["run", "--embedding-model", "no/such/model/here"], "no/such/model/here"),
        (["run", "--device", "abacus"], "abacus"),
        (["run", "--bogus"], "--bogus"),
        (["--profile", "a b", "run"], "a b"),
        (["search", "Frage", "--cell", "sentence/flat"], "sentence"),
        (["search", " "], "empty"),
        (["search", "Frage", "--law", "bgb"], "bgb"),
        (["--profile", "new", "report"], "new"),
        (["--profile", "new", "search", "Frage"], "subsection"),
        (["parse", "nowhere.xml"], "nowhere.xml"),
        (["parse", "broken.jsonl"], "broken.jsonl"),
        (["nonsense"], "nonsense"),
    ],
    ids=" ".join,
)
def test_bad_input_is_one_clear_line_and_changes_nothing(
    arguments: list[str],
    reason: str,
    built: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    source = law_folder(tmp_path / "source", "truncated", sample.law_xml()[:5000])
    (source / "corrupt").mkdir()
    (source / "corrupt" / "xml.zip").write_bytes(b"PK\x03\x04 half a zip")
    for name, content in BAD_QUESTIONS.items():
        (tmp_path / name).write_text(content)
    before = tree(built)
    code = run_command_line([str(source) if argument == "SOURCE" else argument for argument in arguments])
    captured = capsys.readouterr()
    assert code == 2
    assert captured.out == ""
    (line,) = captured.err.splitlines()
    assert line.startswith("lawrag: ")
    assert reason in line
    assert {path: time for path, time in tree(built).items() if "/new/" not in path} == before


def test_a_storage_folder_that_cannot_be_written_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "file"
    file.write_text("not a folder")
    assert run_command_line(["--storage", str(file / "storage"), "run"]) == 2
    assert "cannot be written" in capsys.readouterr().err
