"""The mapping from gold citations as a question set writes them to those of the corpus, kept by a person as a CSV file `gold,now`.

Question sets age: a reform renumbers sections, and labels keep the old numbers. What is unknown in the first place, `question_checks` says.
"""

import csv
import io
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import polars as pl

from lawrag_assets.errors import InputError
from lawrag_assets.evaluation.qrels import Citations
from lawrag_assets.files import atomic_path

_HEADER = ("gold", "now")


@dataclass(frozen=True)
class GoldMapping:
    """Rows that a person has filled in: line in the file, citation as a question set has it, citation that now stands for it."""

    path: Path
    rows: tuple[tuple[int, str, str], ...]

    def apply(self, questions: pl.DataFrame, comparable: Callable[[str], str]) -> tuple[pl.DataFrame, int]:
        """Put what stands for it now in the place of mapped gold, and count the replaced citations.

        `comparable` brings two writings of one citation to one form. One that several rows map becomes all of theirs: a section may have
        been split. `gold_subsections` stay as they are.
        """
        if not self.rows:
            return questions, 0
        now: dict[str, list[str]] = {}
        for _, gold, new in self.rows:
            now.setdefault(comparable(gold), []).append(new)
        written = questions["gold"].to_list()
        mapped = [list(dict.fromkeys(new for old in gold for new in now.get(comparable(old), [old]))) for gold in written]
        replaced = sum(comparable(old) in now for gold in written for old in gold)
        return questions.with_columns(pl.Series("gold", mapped, dtype=questions.schema["gold"])), replaced

    def require_known(self, citations: Citations) -> None:
        """Raise InputError "file:line: reason" for the first row whose `now` names no section."""
        for line, gold, now in self.rows:
            try:
                known = citations.section_id(now) is not None
            except InputError as error:
                raise InputError(f"{self.path}:{line}: {error}") from None
            if not known:
                raise InputError(
                    f"{self.path}:{line}: {gold!r} is mapped to {now!r}, which names no section in force of these laws;"
                    f" mend the row, or take the mapping back with --gold-mapping ''"
                )


def read_gold_mapping(path: Path) -> GoldMapping:
    """Read a mapping: CSV with a header and the columns `gold` and `now`, divided by commas or, as German Excel does, by semicolons.

    Rows with an empty `now` and other columns are left aside. InputError for a file that cannot be read or has not these columns.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise InputError(f"{path}: cannot read this gold mapping: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 text (byte {error.start})") from None
    delimiter = ";" if ";" in text.partition("\n")[0] else ","
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=delimiter)
    try:
        if not set(_HEADER) <= set(reader.fieldnames or ()):
            raise InputError(f"{path}:1: a gold mapping is CSV with the header {','.join(_HEADER)}")
        rows = [(reader.line_num, _cell(row["gold"]), _cell(row["now"])) for row in reader]
    except csv.Error as error:
        raise InputError(f"{path}:{reader.line_num + 1}: not CSV: {error}") from None
    for line, gold, now in rows:
        if now and not gold:
            raise InputError(f"{path}:{line}: gold: empty, though it is mapped to {now!r}")
    return GoldMapping(path, tuple((line, gold, now) for line, gold, now in rows if now))


def write_gold_mapping(path: Path, citations: Iterable[str]) -> None:
    """Write a mapping for a person to fill in: one row a citation, `now` empty. InputError where the file is there or cannot be written.

    A file that is there is never written over: it may hold hours of somebody's work.
    """
    if path.exists():
        raise InputError(f"{path}: is there already and is not written over; name another file")
    try:
        with atomic_path(path) as temporary, temporary.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(_HEADER)
            writer.writerows((citation, "") for citation in citations)
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror}") from None


def _cell(value: str | None) -> str:
    return " ".join((value or "").split())
