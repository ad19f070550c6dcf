"""Which source of a setting wins, and how a wrong one is refused."""

from pathlib import Path

import pytest

from lawrag_assets.errors import InputError
from lawrag_assets.settings import load_settings, write_profile


def test_a_flag_beats_the_environment_which_beats_dotenv_which_beats_the_profile(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    paths = load_settings(storage=tmp_path).paths
    assert load_settings(storage=tmp_path).embedding_model == "bundled-e5-small"
    write_profile(paths, {"embedding_model": "of-the-profile"})
    assert load_settings(storage=tmp_path).embedding_model == "of-the-profile"
    (tmp_path / ".env").write_text("LAWRAG_EMBEDDING_MODEL=of-dotenv\n")
    assert load_settings(storage=tmp_path).embedding_model == "of-dotenv"
    monkeypatch.setenv("LAWRAG_EMBEDDING_MODEL", "of-the-environment")
    assert load_settings(storage=tmp_path).embedding_model == "of-the-environment"
    assert load_settings(storage=tmp_path, embedding_model="of-the-flag").embedding_model == "of-the-flag"


def test_writing_a_profile_keeps_what_a_person_wrote(tmp_path: Path) -> None:
    paths = load_settings(storage=tmp_path).paths
    write_profile(paths, {"laws": ["bgb"]})
    paths.profile_file.write_text(paths.profile_file.read_text() + "# mine\ndevice = 'cpu'\n")
    write_profile(paths, {"laws": ["arbzg"]})
    text = paths.profile_file.read_text()
    assert "# mine" in text
    settings = load_settings(storage=tmp_path)
    assert (settings.laws, settings.device) == (["arbzg"], "cpu")


@pytest.mark.parametrize(
    ("flags", "reason"),
    [
        ({"profile": "../elsewhere"}, "profile .*'../elsewhere'.*letters, digits"),
        ({"laws": []}, "laws .*at least one law"),
        ({"laws": "bgb"}, "laws .*'bgb'"),
        ({"question_columns": "question"}, "question_columns .*'question'.*field=column"),
        ({"question_columns": "gold=a,gold=b"}, "question_columns .*field=column"),
    ],
)
def test_a_wrong_value_is_refused_in_one_line(flags: dict[str, object], reason: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=reason):
        load_settings(storage=tmp_path, **flags)


def test_a_profile_that_is_not_toml_is_refused(tmp_path: Path) -> None:
    paths = load_settings(storage=tmp_path).paths
    paths.profile_folder.mkdir(parents=True)
    paths.profile_file.write_text("laws = [")
    with pytest.raises(InputError, match=r"profile\.toml"):
        load_settings(storage=tmp_path)


def test_two_question_sets_of_one_name_are_refused(tmp_path: Path) -> None:
    settings = load_settings(storage=tmp_path, questions=["a/set.jsonl", "b/set.jsonl"])
    with pytest.raises(InputError, match="two question sets are named 'set'"):
        _ = settings.question_files


def test_columns_are_pairs_in_one_text_that_a_flag_replaces_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert load_settings(storage=tmp_path).columns == {}
    monkeypatch.setenv("LAWRAG_QUESTION_COLUMNS", "question = the question, gold=labels,")
    assert load_settings(storage=tmp_path).columns == {"question": "the question", "gold": "labels"}
    assert load_settings(storage=tmp_path, question_columns="gold=b=c").columns == {"gold": "b=c"}


def test_question_sets_are_named_by_their_files_and_those_of_the_hub_by_data_set_and_file(tmp_path: Path) -> None:
    named = ["sample", "a/set.parquet", "hf://datasets/someone/laws", "hf://datasets/someone/laws@v1/data/test.jsonl"]
    files = load_settings(storage=tmp_path, questions=named).question_files
    assert list(files) == ["sample", "set", "laws", "laws-test"]
    assert files["set"] == str(Path.cwd() / "a" / "set.parquet")
    assert list(files.values())[2:] == named[2:]


def test_a_list_in_the_environment_that_is_no_json_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAWRAG_LAWS", "bgb")
    with pytest.raises(InputError, match="laws"):
        load_settings(storage=tmp_path)


@pytest.mark.parametrize("name", ["law", "storage", "profile", "postgres_url"])
def test_an_unknown_setting_in_the_profile_is_refused(name: str, tmp_path: Path) -> None:
    paths = load_settings(storage=tmp_path).paths
    write_profile(paths, {name: "x"})
    allowed = "alert_url, allowed_origins, artefacts, as_of, calibration, device, embedding_model, gold_mapping, law_source, laws"
    allowed += ", llm, llm_api_base, llm_cache, llm_concurrency, log_format, question_columns, questions"
    with pytest.raises(InputError, match=f"unknown setting '{name}'; allowed are {allowed}"):
        load_settings(storage=tmp_path)


def test_a_tilde_is_the_home_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert load_settings(storage="~/here").paths.root == tmp_path / "here"


@pytest.mark.parametrize("artefacts", ["/mnt/artefacts", "s3://", "s3://Bucket/prefix", "s3://bucket//prefix", "gs://bucket"])
def test_artefacts_are_in_a_bucket_or_in_the_storage_folder(artefacts: str) -> None:
    with pytest.raises(InputError, match=r"LAWRAG_ARTEFACTS\) = .*: write s3://BUCKET/PREFIX, or nothing"):
        load_settings(artefacts=artefacts)


def test_a_wrong_database_address_is_refused_without_showing_its_password(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAWRAG_POSTGRES_URL", "mysql://me:hidden@host/laws")
    with pytest.raises(InputError, match=r"LAWRAG_POSTGRES_URL\): write postgresql://USER:PASSWORD@HOST:5432/DATABASE") as caught:
        load_settings()
    assert "hidden" not in str(caught.value)


@pytest.mark.parametrize("driver", ["", "+psycopg2"])
def test_a_database_password_is_in_no_text_that_settings_make_of_themselves(driver: str) -> None:
    settings = load_settings(postgres_url=f"postgresql{driver}://me:hidden@host/laws")
    assert settings.paths.database == "postgresql://me:hidden@host/laws"
    assert "hidden" not in f"{settings!r} {settings} {settings.paths!r}"
