"""The file in which a person says what gold citations are called now."""

from pathlib import Path

import polars as pl
import pytest

from lawrag_assets.errors import InputError
from lawrag_assets.evaluation.gold_mapping import GoldMapping, read_gold_mapping, write_gold_mapping
from lawrag_assets.laws.citations import comparable


def mapping_file(folder: Path, text: str, encoding: str = "utf-8") -> Path:
    path = folder / "mapping.csv"
    path.write_bytes(text.encode(encoding))
    return path


def gold(mapping: GoldMapping, *citations: list[str]) -> tuple[list[list[str]], int]:
    table, count = mapping.apply(pl.DataFrame({"gold": list(citations)}, schema={"gold": pl.List(pl.String)}), comparable)
    return table["gold"].to_list(), count


def test_what_is_written_is_read_once_it_is_filled_in(tmp_path: Path) -> None:
    path = tmp_path / "new" / "mapping.csv"
    write_gold_mapping(path, ["§ 1 AltG", "§ 2 Abs. 1, 2 AltG"])
    assert path.read_text("utf-8") == 'gold,now\n§ 1 AltG,\n"§ 2 Abs. 1, 2 AltG",\n'
    assert read_gold_mapping(path).rows == ()
    path.write_text(path.read_text("utf-8").replace("§ 1 AltG,", "§ 1 AltG, § 7 NeuG "), "utf-8")
    assert read_gold_mapping(path).rows == ((2, "§ 1 AltG", "§ 7 NeuG"),)


def test_a_mapping_that_is_there_is_never_written_over(tmp_path: Path) -> None:
    path = mapping_file(tmp_path, "hours of work")
    with pytest.raises(InputError, match=r"mapping\.csv: is there already"):
        write_gold_mapping(path, [])
    assert path.read_text() == "hours of work"


@pytest.mark.parametrize(
    "text",
    [
        "gold,now\n§ 1 AltG,§ 7 NeuG\n",
        "\ufeffgold;now;why\r\n§ 1 AltG;§ 7 NeuG;moved\r\n§ 2 AltG\r\n;;\r\n",
        'note,now,gold\n"two\nlines",§ 7 NeuG,§ 1 AltG',
    ],
)
def test_other_columns_semicolons_and_rows_without_now_are_no_matter(tmp_path: Path, text: str) -> None:
    assert [row[1:] for row in read_gold_mapping(mapping_file(tmp_path, text)).rows] == [("§ 1 AltG", "§ 7 NeuG")]


def test_gold_is_mapped_however_it_is_written_and_each_citation_once(tmp_path: Path) -> None:
    mapping = read_gold_mapping(mapping_file(tmp_path, "gold,now\n§ 1 AltG,§ 7 NeuG\n§ 2 AltG,§ 8 NeuG\n§ 2 AltG,§ 9 NeuG\n"))
    assert gold(mapping, ["§1 altg", "§ 7 NeuG"], [], ["2 AltG", "§ 3 AltG", "unklar"], ["§ 1 Abs. 1 AltG"]) == (
        [["§ 7 NeuG"], [], ["§ 8 NeuG", "§ 9 NeuG", "§ 3 AltG", "unklar"], ["§ 1 Abs. 1 AltG"]],
        2,
    )


@pytest.mark.parametrize(
    ("text", "encoding", "reason"),
    [
        ("", "utf-8", "mapping.csv:1: a gold mapping is CSV with the header gold,now"),
        ("§ 1 AltG,§ 7 NeuG\n", "utf-8", "mapping.csv:1: a gold mapping is CSV with the header gold,now"),
        ("gold,now\n,\n,§ 7 NeuG\n", "utf-8", "mapping.csv:3: gold: empty, though it is mapped to '§ 7 NeuG'"),
        (f"gold,now\n{'x' * 200_000},\n", "utf-8", "mapping.csv:2: not CSV: field larger than field limit"),
        ("gold,now\n§ 1 AltG,\n", "latin-1", "mapping.csv: not UTF-8 text (byte 9)"),
    ],
)
def test_a_wrong_mapping_is_refused(tmp_path: Path, text: str, encoding: str, reason: str) -> None:
    with pytest.raises(InputError) as raised:
        read_gold_mapping(mapping_file(tmp_path, text, encoding))
    assert reason in str(raised.value)


def test_a_mapping_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"nowhere\.csv: cannot read this gold mapping: No such file"):
        read_gold_mapping(tmp_path / "nowhere.csv")
