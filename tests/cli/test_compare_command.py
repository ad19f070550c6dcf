"""`lawrag compare`: profiles with models of their own, on one page, the same each time."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import polars as pl
import pytest

from lawrag_assets.cli import run_command_line

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def two_models(built_once: Path, tiny_model: Callable[..., Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A storage folder with the sample law's default cells by the bundled model and, in the profile `tiny`, by a tiny random one."""
    storage = tmp_path_factory.mktemp("compared") / "storage"
    shutil.copytree(built_once, storage, ignore=shutil.ignore_patterns("models"))
    (storage / "models").symlink_to((built_once / "models").resolve())
    model = str(tiny_model("tiny"))
    assert run_command_line(["--storage", str(storage), "--profile", "tiny", "run", "--embedding-model", model]) == 0
    return storage


@pytest.fixture
def storage(two_models: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LAWRAG_STORAGE", str(two_models))
    return two_models


def table(storage: Path, profile: str, *names: str) -> pl.DataFrame:
    return pl.read_parquet(storage.joinpath("profiles", profile, "tables", *names[:-1], f"{names[-1]}.parquet"))


def test_a_second_model_has_tables_of_its_own_and_is_compared_on_one_page(
    storage: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command_line(["compare", "default", "tiny", "--output", str(tmp_path / "page"), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert [row["profile"] for row in said["models"]] == ["default", "tiny"]
    assert len({row["model"] for row in said["models"]}) == 2
    grid = pl.read_csv(said["csv"])
    for profile in ("default", "tiny"):
        for cell in ("section/flat", "subsection/flat"):
            metrics = table(storage, profile, "cell_metrics", *cell.split("/")).filter(
                measure="R@10", aggregation="max", subset="all"
            )
            own = grid.filter(profile=profile, cell=cell)
            assert dict(own.select("retriever", "mean").iter_rows()) == pytest.approx(
                dict(metrics.select("retriever", "mean").iter_rows())
            )
    plain, *others = said["steps"]
    assert (plain["profile"], plain["cell"], plain["retriever"], plain["difference"]) == (
        "default",
        "section/flat",
        "dense",
        None,
    )
    for row in others:
        assert row["difference"] == pytest.approx(row["mean"] - plain["mean"], abs=1e-12)
    tiny_plain = next(row for row in others if row["profile"] == "tiny" and row["retriever"] == "dense")
    assert tiny_plain["difference"] < 0  # a random model is worse
    assert tiny_plain["significant"]
    page = Path(said["html"]).read_text("utf-8")
    for part in ("What buys what", "The grid", "another model (tiny) changes plain retrieval’s R@10 by −"):
        assert part in page
        assert part in Path(said["markdown"]).read_text("utf-8")
    assert "<script src" not in page
    assert "http" not in page.replace("http-equiv", "")


def test_the_same_page_on_a_second_run_to_the_byte(storage: Path, tmp_path: Path) -> None:
    pages = []
    for name in ("one", "two"):
        assert run_command_line(["compare", "default", "tiny", "--output", str(tmp_path / name)]) == 0
        pages.append({file.name: file.read_bytes() for file in sorted((tmp_path / name).iterdir())})
    assert pages[0] == pages[1]
    assert set(pages[0]) == {f"comparison{ending}" for ending in (".html", ".md", ".csv", "-steps.csv", "-models.csv")}


def test_without_a_folder_the_page_lies_with_the_first_profiles_reports(
    storage: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command_line(["compare", "tiny", "default"]) == 0
    answer, path = capsys.readouterr().out.strip().splitlines()
    assert Path(path) == storage / "profiles" / "tiny" / "reports" / "comparison.html"
    assert answer.startswith("On sample, another model (default) changes plain retrieval’s R@10 by +")


@pytest.mark.parametrize(
    ("profiles", "reason"),
    [
        (["default"], "name at least two profiles"),
        (["default", "default"], "name at least two profiles"),
        (["default", "nobody"], "profile 'nobody' has no report of cells that were asked questions"),
    ],
)
def test_what_cannot_be_compared_is_refused(
    storage: Path, profiles: list[str], reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command_line(["compare", *profiles]) == 2
    assert reason in capsys.readouterr().err


def test_profiles_of_other_questions_are_refused(two_models: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    storage = tmp_path / "storage"
    shutil.copytree(two_models, storage, ignore=shutil.ignore_patterns("models", "cache", "lancedb"))
    questions = storage / "profiles" / "tiny" / "tables" / "questions.parquet"
    pl.read_parquet(questions).head(3).write_parquet(questions)
    assert run_command_line(["--storage", str(storage), "compare", "default", "tiny"]) == 2
    assert "profile 'tiny' has other questions than 'default'" in capsys.readouterr().err
