"""`lawrag questions check`, and what it prepares: gold mappings and foreign files in `lawrag run`."""

import json
from pathlib import Path
from typing import Any

import dagster as dg
import polars as pl
import pytest
from huggingface_hub import constants

from lawrag_assets.cli import run_command_line
from lawrag_assets.defs.instance import open_instance
from lawrag_assets.defs.states import cell_states
from lawrag_assets.settings import load_settings

LONG = (
    "Ich habe im Leihladen eine Bohrmaschine geliehen, die nach einer Woche kaputt ging, obwohl ich sie pfleglich behandelt habe."
)


def question_file(folder: Path, name: str, *rows: dict[str, Any]) -> Path:
    path = folder / name
    base = {"gold": ["§ 4 LeihLG"], "lang": "de"}
    path.write_text("".join(json.dumps({**base, **row}) + "\n" for row in rows), encoding="utf-8")
    return path


def old_labels(folder: Path) -> Path:
    """Questions with labels of which § 904 and § 905 are no longer there."""
    return question_file(
        folder,
        "old.jsonl",
        {"id": "a", "question": "Ab wann gelten neue Hausregeln im Leihladen?", "gold": ["§ 904 LeihLG"]},
        {"id": "b", "question": "Wer haftet für ein kaputtes Gerät?", "gold": ["§ 904 Abs. 1 LeihLG", "§ 905 LeihLG"]},
        {"id": "c", "question": "Darf ich das Gerät weitergeben?", "gold": ["§905 leihlg"]},
    )


def checked(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    capsys.readouterr()
    assert run_command_line(["questions", "check", *arguments, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert isinstance(document, dict)
    return document


def questions_table(storage: Path) -> pl.DataFrame:
    return pl.read_parquet(storage / "profiles" / "default" / "tables" / "questions.parquet")


def test_the_sample_is_checked_before_anything_is_built_and_nothing_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("LAWRAG_STORAGE", str(tmp_path / "storage"))
    document = checked(capsys, "sample")
    assert document["corpus"]["laws"] == ["sample"]
    (file,) = document["files"]
    assert (file["file"], file["questions"], file["gold_mapped"]) == ("sample", sum(file["kinds"].values()), 0)
    assert (file["unknown_gold"], file["gold_not_in_force"], file["duplicates"], file["other_language"]) == ([], [], [], [])
    assert file["near_duplicates"] == {"threshold": 0.9, "found": 0, "pairs": []}
    assert document["between"] == []
    assert not (tmp_path / "storage").exists()


def test_for_people_the_first_of_each_problem_are_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = [{"id": f"q{n}", "question": f"{LONG} Frage {n}?", "gold": [f"§ {900 + n} LeihLG"]} for n in range(9)]
    first = question_file(tmp_path, "first.jsonl", *rows, {"id": "en", "question": "May I keep it if I am ill?"})
    second = question_file(tmp_path, "second.jsonl", {"id": "x", "question": rows[0]["question"], "gold": ["[§ 1]"]})
    assert run_command_line(["--storage", str(tmp_path / "storage"), "questions", "check", str(first), str(second)]) == 0
    out, err = capsys.readouterr()
    assert err == "fetching and parsing sample\n"
    lines = [" ".join(line.split()) for line in out.splitlines()]
    assert lines[0] == "checked against 62 sections of sample"
    assert "questions 10: 10 answerable" in lines
    start = lines.index("gold citations that name no section: 9 in 9 places")
    assert lines[start + 1] == "§ 900 LeihLG (no such section): q0"
    assert lines[start + 6] == "… and 4 more (--json lists them)"
    assert "near-duplicates (cosine 0.9 or more): 36" in lines
    assert "en: says de, looks en" in lines
    assert "[§ 1] (no citation): x" in lines
    assert lines[-7].endswith("(cosine 0.9 or more): 9")
    assert lines[-6] == "q0, x (1.00)"


def test_the_corpus_that_is_built_is_checked_against_unless_a_law_is_named(
    built: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command_line(["questions", "check", "sample"]) == 0
    assert capsys.readouterr().err == ""
    assert run_command_line(["questions", "check", "sample", "--law", "sample"]) == 0
    assert capsys.readouterr().err == "fetching and parsing sample\n"


@pytest.mark.slow
def test_old_labels_are_mapped_by_a_file_that_a_person_fills_in(
    built: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file, mapping = old_labels(tmp_path), tmp_path / "mapping.csv"
    document = checked(capsys, str(file), "--write-mapping", str(mapping))
    assert [gold["citation"] for gold in document["files"][0]["unknown_gold"]] == [
        "§ 904 LeihLG", "§ 904 Abs. 1 LeihLG", "§ 905 LeihLG", "§905 leihlg",
    ]  # fmt: skip
    assert mapping.read_text("utf-8") == "gold,now\n§ 904 LeihLG,\n§ 904 Abs. 1 LeihLG,\n§ 905 LeihLG,\n"
    assert run_command_line(["questions", "check", str(file), "--write-mapping", str(mapping)]) == 2
    assert "mapping.csv: is there already" in capsys.readouterr().err

    run = ["run", "--cells", "section/flat", "--questions", str(file), "--json"]
    assert run_command_line(run) == 0
    assert json.loads(capsys.readouterr().out)["cells"][0]["R@10"] == 0
    mapping.write_text("gold,now\n§ 904 LeihLG,§ 4 LeihLG\n§ 904 Abs. 1 LeihLG,\n§ 905 LeihLG,§ 5 LeihLG\n", "utf-8")
    assert run_command_line([*run, "--gold-mapping", "mapping.csv"]) == 0
    mapped = json.loads(capsys.readouterr().out)["cells"][0]["R@10"]
    assert mapped > 0
    assert questions_table(built)["gold"].to_list() == [["§ 4 LeihLG"], ["§ 904 Abs. 1 LeihLG", "§ 5 LeihLG"], ["§ 5 LeihLG"]]
    assert load_settings().gold_mapping == str(mapping)
    with open_instance(load_settings().paths) as instance:
        event = instance.get_latest_materialization_event(dg.AssetKey("questions"))
    assert event is not None
    assert event.asset_materialization is not None
    assert event.asset_materialization.metadata["gold citations mapped"].value == 3
    document = checked(capsys, str(file))
    assert document["files"][0]["gold_mapped"] == 3
    assert [gold["citation"] for gold in document["files"][0]["unknown_gold"]] == ["§ 904 Abs. 1 LeihLG"]

    monkeypatch.chdir(built)
    assert run_command_line(["run", "--cells", "section/flat"]) == 0
    assert capsys.readouterr().err == "everything is up to date\n"
    mapping.write_text("gold,now\n", "utf-8")
    assert [state["base_unit"] for state in cell_states(load_settings()) if state["stale"]] == ["section", "subsection"]
    assert run_command_line(["run", "--cells", "section/flat", "--gold-mapping", "", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["cells"][0]["R@10"] == 0
    assert load_settings().gold_mapping == ""


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (
            "§ 904 LeihLG,§ 999 LeihLG",
            "'§ 904 LeihLG' is mapped to '§ 999 LeihLG', which names no section in force of these laws",
        ),
        ("§ 904 LeihLG,somewhere", "'somewhere' is no citation"),
        ("§ 904 LeihLG,§ 4", "'§ 904 LeihLG' is mapped to '§ 4', which names no section"),
    ],
)
def test_a_mapping_that_leads_nowhere_is_refused_by_line_before_anything_is_written(
    row: str, reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mapping = tmp_path / "mapping.csv"
    mapping.write_text(f"gold,now\n§ 905 LeihLG,\n{row}\n", "utf-8")
    assert run_command_line(["--storage", str(tmp_path / "storage"), "run", "--gold-mapping", "mapping.csv"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"lawrag: {mapping}:3: {reason}")
    assert not (tmp_path / "storage").exists()


@pytest.mark.slow
def test_a_parquet_file_with_columns_of_its_own_is_evaluated(
    built: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "foreign.parquet"
    pl.DataFrame(
        {
            "question_text": ["Ab wann gelten neue Hausregeln im Leihladen?", "Was ist ein gefährliches Gerät?"],
            "paragraphs": ["§§ 4, 5 LeihLG", "§ 3 LeihLG"],
        }
    ).write_parquet(path)
    columns = "question=question_text,gold=paragraphs"
    document = checked(capsys, str(path), "--columns", columns)
    assert (document["files"][0]["questions"], document["files"][0]["gold_citations"]) == (2, 3)
    assert run_command_line(["run", "--cells", "section/flat", "--questions", "foreign.parquet", "--columns", columns]) == 0
    assert load_settings().question_columns == columns
    questions = questions_table(built)
    assert questions["question_set"].unique().to_list() == ["foreign"]
    assert questions["id"].to_list() == ["1", "2"]
    assert questions["gold"].to_list() == [["§ 4 LeihLG", "§ 5 LeihLG"], ["§ 3 LeihLG"]]


@pytest.mark.parametrize("command", [["run", "--questions"], ["questions", "check"]])
def test_a_hub_that_cannot_be_reached_fails_the_work_in_one_line(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    storage = ["--storage", str(tmp_path / "storage")]
    assert run_command_line([*storage, *command, "hf://datasets/someone/laws/test.parquet"]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(
        "lawrag: hf://datasets/someone/laws/test.parquet: not in the local cache, and the hub cannot be reached"
    )
    assert not (tmp_path / "storage").exists()


def test_a_file_of_the_hub_s_cache_is_read_and_errors_name_its_address(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    commit = "0123456789abcdef0123456789abcdef01234567"
    folder = tmp_path / "hub" / "datasets--someone--laws" / "snapshots" / commit
    folder.mkdir(parents=True)
    question_file(folder, "good.jsonl", {"id": "a", "question": "Darf ich das?"})
    question_file(folder, "bad.jsonl", {"id": "a", "question": "Darf ich das?", "lang": "fr"})
    address = f"hf://datasets/someone/laws@{commit}"
    assert checked(capsys, f"{address}/good.jsonl")["files"][0]["questions"] == 1
    assert run_command_line(["questions", "check", f"{address}/bad.jsonl"]) == 2
    assert capsys.readouterr().err == f"lawrag: {address}/bad.jsonl:1: lang: input should be 'de' or 'en'\n"


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["nowhere.jsonl"], "nowhere.jsonl: cannot read this question file"),
        (["nowhere.parquet"], "nowhere.parquet: cannot read this question file"),
        (["hf://datasets/laws"], "'hf://datasets/laws' is no address of a data set"),
        (["sample", "--columns", "gold"], "question_columns"),
        (["sample", "--columns", "answer=gold"], "no field 'answer'"),
        (["sample", "--law", "nowhere", "--law-source", "."], "no law 'nowhere'"),
        ([], "FILE"),
    ],
    ids=" ".join,
)
def test_what_cannot_be_read_is_one_line(
    arguments: list[str], reason: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command_line(["--storage", str(tmp_path / "storage"), "questions", "check", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    line = captured.err.splitlines()[-1]
    assert line.startswith("lawrag: ")
    assert reason in line
