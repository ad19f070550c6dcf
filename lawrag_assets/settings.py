"""What a user can set, and which source wins: a flag beats the environment, which beats `.env`, which beats the profile's file.

Nothing is read at import. The rooms get plain values handed in; only the command line and `definitions.py` load settings.
"""

import re
import tomllib
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any, Literal

import tomlkit
from pydantic import Field, SecretStr, ValidationError, field_validator
from pydantic_settings import (
    BaseSettings,
    PydanticBaseSettingsSource,
    SettingsConfigDict,
    SettingsError,
    TomlConfigSettingsSource,
)
from tomlkit.exceptions import ParseError

from lawrag_assets import sample
from lawrag_assets.errors import InputError
from lawrag_assets.evaluation.hub_questions import SCHEME, HubFile
from lawrag_assets.files import atomic_write_bytes
from lawrag_assets.laws.slugs import OFFICIAL_SITE, check_slug
from lawrag_assets.retrieval.names import LEARNED, RETRIEVERS
from lawrag_assets.storage import Storage, default_storage

SAMPLE = "sample"
BEST_THERE_IS = "best"
"""The retriever that a search takes unless it is told: the best that this profile has all for."""
SECRETS = {"postgres_url"}
"""Settings with a password in them: they come from the environment only, and are neither shown nor written."""
PROFILE_HEADER = "Written by `lawrag run`'s flags; edit freely. A flag beats the environment, which beats this file."


def absolute(path: str | Path) -> str:
    """The path without `~` and from the root, as a setting keeps it: it must mean the same in another folder."""
    return str(Path(path).expanduser().absolute())


def question_set_of(question_set: str) -> tuple[str, str]:
    """The name of a question set and where it is, from what a setting says: `sample`, a file, or `hf://datasets/…`."""
    if question_set == SAMPLE:
        return SAMPLE, str(sample.questions_path())
    if question_set.startswith(SCHEME):
        return HubFile.parse(question_set).name, question_set
    place = absolute(question_set)
    return Path(place).stem, place


class Settings(BaseSettings):
    """One profile's settings. Each field is `LAWRAG_<NAME>` in the environment and `<name>` in the profile's file."""

    model_config = SettingsConfigDict(env_prefix="LAWRAG_", env_file=".env", extra="ignore")

    storage: Path = Field(default_factory=default_storage)
    profile: str = "default"
    artefacts: str = ""
    postgres_url: SecretStr = SecretStr("")
    law_source: str = OFFICIAL_SITE
    laws: list[str] = [SAMPLE]
    questions: list[str] = [SAMPLE]
    training_questions: list[str] = []
    question_columns: str = ""
    gold_mapping: str = ""
    embedding_model: str = "bundled-e5-small"
    device: str = "auto"
    retriever: str = BEST_THERE_IS
    reranker: str = ""
    calibration: str = ""
    llm: str = "extractive"
    llm_api_base: str | None = None
    llm_cache: Literal["normal", "only-cache", "refresh"] = "normal"
    llm_concurrency: int = Field(default=8, ge=1, le=256)
    service_limit: int = Field(default=8, ge=1, le=1000)
    service_seconds: float = Field(default=120, gt=0, le=3600)
    allowed_origins: list[str] = []
    log_format: Literal["colored", "json"] = "colored"
    alert_url: str = Field(default="", pattern=r"^(https?://\S+)?$")
    as_of: str = ""
    watch: Literal["off", "on", "daily"] = "off"
    watch_seconds: int = Field(default=60, ge=10, le=86_400)

    @field_validator("profile")
    @classmethod
    def _is_a_folder_name(cls, value: str) -> str:
        if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9_-]*", value):
            raise ValueError("a profile's name has letters, digits, '-' and '_' only")
        return value

    @field_validator("artefacts")
    @classmethod
    def _names_a_bucket(cls, value: str) -> str:
        if value and not re.fullmatch(r"s3://[a-z0-9][a-z0-9.-]+(/[^/?#]+)*/?", value):
            raise ValueError("write s3://BUCKET/PREFIX, or nothing for the storage folder")
        return value.rstrip("/")

    @field_validator("postgres_url")
    @classmethod
    def _names_a_database(cls, value: SecretStr) -> SecretStr:
        if value and not re.match(r"postgresql(\+psycopg2)?://", value.get_secret_value()):
            raise ValueError("write postgresql://USER:PASSWORD@HOST:5432/DATABASE")
        return value

    @field_validator("laws")
    @classmethod
    def _names_a_law(cls, value: list[str]) -> list[str]:
        if not value:
            raise ValueError("a profile needs at least one law")
        for law in value:
            try:
                check_slug(law)
            except InputError as error:
                raise ValueError(str(error)) from error
        return list(dict.fromkeys(value))

    @field_validator("allowed_origins")
    @classmethod
    def _are_origins(cls, value: list[str]) -> list[str]:
        if any(not re.fullmatch(r"https?://[A-Za-z0-9.-]+(:\d+)?", origin) for origin in value):
            raise ValueError('write origins such as ["https://law.example.org"], without a path')
        return value

    @field_validator("as_of")
    @classmethod
    def _is_a_day(cls, value: str) -> str:
        try:
            return value and date.fromisoformat(value).isoformat()
        except ValueError as error:
            raise ValueError("write a day as YYYY-MM-DD, or nothing for the law as it is") from error

    @field_validator("question_columns")
    @classmethod
    def _pairs_fields_with_columns(cls, value: str) -> str:
        _columns(value)
        return value

    @field_validator("retriever")
    @classmethod
    def _is_a_retriever(cls, value: str) -> str:
        if value not in (BEST_THERE_IS, *RETRIEVERS, LEARNED):
            raise ValueError(f"one of {', '.join((BEST_THERE_IS, *RETRIEVERS, LEARNED))}")
        return value

    @field_validator("reranker")
    @classmethod
    def _names_the_same_folder_anywhere(cls, value: str) -> str:
        return absolute(value) if value and Path(value).expanduser().is_dir() else value

    @field_validator("gold_mapping", "calibration")
    @classmethod
    def _means_the_same_anywhere(cls, value: str) -> str:
        return value and absolute(value)

    @property
    def paths(self) -> Storage:
        """The folders these settings lead to."""
        return Storage(Path(absolute(self.storage)), self.profile, self.artefacts, self._database)

    @property
    def _database(self) -> str:
        """The database's address without the name of a driver, which only Dagster's has."""
        return self.postgres_url.get_secret_value().replace("+psycopg2", "", 1)

    @property
    def day(self) -> date | None:
        """The day as of which the law is taken; None for the law as its source has it now."""
        return date.fromisoformat(self.as_of) if self.as_of else None

    @property
    def columns(self) -> dict[str, str]:
        """Which column of a Parquet file holds which field of a question, where it is not the field's own name."""
        return _columns(self.question_columns)

    @property
    def question_files(self) -> dict[str, str]:
        """The question sets' paths and addresses by their names (`question_set_of`). Raises InputError for a name given twice."""
        return _by_name(self.questions)

    @property
    def training_files(self) -> dict[str, str]:
        """Those of the training questions. One that is measured, too, is named the same in both. InputError as in `question_files`."""
        _by_name([*self.questions, *self.training_questions])
        return _by_name(self.training_questions)

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Flags, environment, `.env`; `load_settings` adds the profile's file once it knows which profile."""
        toml = TomlConfigSettingsSource(settings_cls)
        return init_settings, env_settings, dotenv_settings, toml


def _by_name(question_sets: Sequence[str]) -> dict[str, str]:
    """Question sets' places by their names. InputError where two are named alike."""
    files: dict[str, str] = {}
    for question_set in question_sets:
        name, place = question_set_of(question_set)
        if files.setdefault(name, place) != place:
            raise InputError(f"two question sets are named {name!r}: {files[name]} and {place}; rename one of the files")
    return files


def _columns(text: str) -> dict[str, str]:
    """Take "question=text,gold=paragraphs" apart. ValueError for another text."""
    pairs = [pair.partition("=") for pair in text.split(",") if pair.strip()]
    columns = {field.strip(): column.strip() for field, _, column in pairs}
    if len(columns) < len(pairs) or not all([*columns, *columns.values()]):
        raise ValueError("write field=column pairs such as question=question_text,gold=paragraphs")
    return columns


def load_settings(**flags: Any) -> Settings:
    """Settings of the profile that the flags, the environment or the default name. Flags that are None were not given.

    Raises InputError, naming the setting and the allowed values, for a wrong one, and for a storage folder of a newer version.
    """
    given = {name: value for name, value in flags.items() if value is not None}
    try:
        paths = Settings(**given).paths
        paths.require_known_format()
        profile_file = paths.profile_file
        if not profile_file.is_file():
            return Settings(**given)

        _require_known_names(profile_file)

        class ProfileSettings(Settings):
            model_config = SettingsConfigDict(toml_file=profile_file)

        return ProfileSettings(**given)
    except ValidationError as error:
        first = error.errors()[0]
        name = str(first["loc"][0]) if first["loc"] else "settings"
        reason = first["msg"].removeprefix("Value error, ")
        given_value = "" if name in SECRETS else f" = {first['input']!r}"
        raise InputError(f"setting {name} (LAWRAG_{name.upper()}){given_value}: {reason}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError(f"{profile_file}: not TOML ({error}); mend or delete it") from error
    except SettingsError as error:  # a list that is no JSON list, in the environment or in `.env`
        raise InputError(f"settings cannot be read: {error}; lists are written as JSON") from error


def _require_known_names(profile_file: Path) -> None:
    """Refuse a misspelt name, which would be passed over silently. Raises InputError, TOMLDecodeError, UnicodeDecodeError."""
    allowed = Settings.model_fields.keys() - {"storage", "profile"} - SECRETS
    for name in tomllib.loads(profile_file.read_text("utf-8")):
        if name not in allowed:
            raise InputError(f"{profile_file}: unknown setting {name!r}; allowed are {', '.join(sorted(allowed))}")


def write_profile(paths: Storage, values: dict[str, Any]) -> None:
    """Put `values` into the profile's file, keeping what a person wrote there, comments included."""
    file = paths.profile_file
    try:
        document = (
            tomlkit.parse(file.read_text("utf-8")) if file.is_file() else tomlkit.document().add(tomlkit.comment(PROFILE_HEADER))
        )
    except ParseError as error:
        raise InputError(f"{file}: not TOML ({error}); mend or delete it") from error
    if all(document.get(name) == value for name, value in values.items()):
        return
    for name, value in values.items():
        document[name] = value
    atomic_write_bytes(file, tomlkit.dumps(document).encode())
