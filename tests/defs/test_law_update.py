"""A law changes at its site: the sensor notices, the automation redoes exactly what depends on it, and nothing else.

The ticks are those of Dagster's daemon, evaluated here one after the other; what they ask for is run as the daemon would run it.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import dagster as dg
import polars as pl
import pytest
from dagster._core.definitions.partitions.context import partition_loading_context
from laws.law_site import LawSite

from lawrag_assets.cli import run_command_line
from lawrag_assets.definitions import build_definitions
from lawrag_assets.defs.instance import Holder, held, open_instance
from lawrag_assets.defs.states import cell_states
from lawrag_assets.laws.site import SiteSource
from lawrag_assets.search import search_sections
from lawrag_assets.settings import Settings, load_settings
from lawrag_assets.tables import TableStore

# Dagster tags a run with the dimensions of its partition, and warns of the names it gives them.
pytestmark = pytest.mark.filterwarnings("ignore:Non-compliant tag keys:DeprecationWarning")

EMBEDDED = (("unit_embeddings", "embedded now"), ("chunk_index", "embedded now"), ("enrichment", "texts embedded now"))


@dataclass
class Deployment:
    """A profile whose daemon ticks when it is told to."""

    settings: Settings
    instance: dg.DagsterInstance
    cursors: dict[str, str | None] = field(default_factory=dict)
    made: list[tuple[str, str | None, dict[str, Any]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        source = SiteSource(self.settings.law_source, timeout=1)
        self.definitions = build_definitions(self.settings, law_source=source)
        self.repository = self.definitions.get_repository_def()

    def look(self) -> str:
        """A tick of the sensor over the law source, all laws being due; return why it asked for nothing."""
        if cursor := self.cursors.get("law_watch"):
            state = json.loads(cursor)
            for known in state["known"].values():
                known["due"] = 0
            self.cursors["law_watch"] = json.dumps(state)
        tick = self._tick("law_watch", "law_source", "paths", "tables")
        for request in tick.run_requests or []:
            job = self.definitions.resolve_job_def("law_update")
            self._run(job, request, run_config=request.run_config)
        return tick.skip_message or ""

    def keep_fresh(self) -> int:
        """Ticks of the automation until it asks for nothing more; return how many runs there were."""
        runs = 0
        for _ in range(20):
            requests = self._tick("keep_fresh").run_requests or []
            if not requests:
                return runs
            for request in requests:
                selection = {"asset_selection": list(request.asset_selection or [])}
                self._run(self.definitions.resolve_implicit_global_asset_job_def(), request, **selection)
                runs += 1
        raise AssertionError("the automation does not come to rest")

    def _tick(self, name: str, *resources: str) -> Any:
        given = {key: value for key, value in (self.definitions.resources or {}).items() if key in resources}
        with (
            dg.build_sensor_context(
                instance=self.instance, cursor=self.cursors.get(name), repository_def=self.repository, resources=given
            ) as context,
            partition_loading_context(dynamic_partitions_store=self.instance),
        ):  # as in the daemon
            tick = self.repository.get_sensor_def(name).evaluate_tick(context)
        self.cursors[name] = tick.cursor or self.cursors.get(name)
        return tick

    def _run(self, job: dg.JobDefinition, request: dg.RunRequest, **arguments: Any) -> None:
        result = job.execute_in_process(
            instance=self.instance, partition_key=request.partition_key, tags=request.tags, raise_on_error=False, **arguments
        )
        for event in result.get_asset_materialization_events():
            made = event.step_materialization_data.materialization
            metadata = {name: value.value for name, value in made.metadata.items()}
            self.made.append((made.asset_key.to_user_string(), made.partition, metadata))

    def take_made(self) -> list[tuple[str, str | None, dict[str, Any]]]:
        """What was materialized since this was asked last."""
        made, self.made = self.made, []
        return made


@dataclass(frozen=True)
class Texts:
    """All that a profile's cells hold."""

    embedded: frozenset[str]
    asked_about: frozenset[tuple[object, ...]]
    units: dict[str, frozenset[str]]


def texts_of(settings: Settings, cells: list[str]) -> Texts:
    tables = TableStore(settings.paths.tables)
    corpus = tables.read("corpus").select(parent="section_id", section="text", heading="heading", hierarchy="hierarchy")
    parts = [tuple(cell.split("/")) for cell in cells]
    units = {base_unit: tables.read("units", [(base_unit,)]) for base_unit in dict.fromkeys(part[0] for part in parts)}
    chunks = [tables.read("chunks", [part])["embedded"].drop_nulls().to_list() for part in parts]
    asked: set[tuple[object, ...]] = set()
    for base_unit, strategy in parts:
        if strategy == "contextual":
            placed = units[base_unit].with_columns(parent=pl.col("parents").list.first()).join(corpus, on="parent")
            asked |= {
                (*row[:4], str(row[4])) for row in placed.select("citation", "text", "section", "heading", "hierarchy").rows()
            }
    return Texts(
        embedded=frozenset(text for frame in units.values() for text in frame["text"]) | {t for texts in chunks for t in texts},
        asked_about=frozenset(asked),
        units={name: frozenset(frame["text"]) for name, frame in units.items()},
    )


def total(made: list[tuple[str, str | None, dict[str, Any]]], figures: tuple[tuple[str, str], ...]) -> int:
    return sum(metadata.get(name, 0) for asset, _, metadata in made for wanted, name in figures if asset == wanted)


def found(settings: Settings, text: str) -> list[tuple[str, str]]:
    """Chunks of `subsection/flat` and their builds that a text finds by its words: the vectors here are a random model's."""
    answers = search_sections(settings, text, cell="subsection/flat", k=5, retriever="lexical")
    return [(answer["chunk"], answer["build"]) for answer in answers]


@pytest.fixture
def set_up(
    tmp_path: Path, law_site: LawSite, tiny_model: Callable[..., Path], monkeypatch: pytest.MonkeyPatch, models_dir: Path
) -> Callable[[str, Path, list[str]], Settings]:
    """A function that builds cells of a law from the site, and returns the profile's settings."""

    def build(slug: str, zip_file: Path, cells: list[str]) -> Settings:
        storage = tmp_path / "storage"
        storage.mkdir()
        (storage / "models").symlink_to(models_dir)
        monkeypatch.setenv("LAWRAG_STORAGE", str(storage))
        monkeypatch.setenv("LAWRAG_EMBEDDING_MODEL", str(tiny_model("tiny")))
        law_site.serve(slug, zip_file)
        named = [word for cell in cells for word in ("--cells", cell)]
        assert run_command_line(["run", "--law", slug, "--law-source", law_site.address, *named]) == 0
        return load_settings()

    return build


CELLS = ["subsection/flat", "sentence/flat", "subsection/contextual"]


@pytest.mark.slow
def test_a_law_through_its_builds(set_up: Callable[..., Settings], law_site: LawSite, shared: Path) -> None:
    builds = [shared / "gii-history" / "arbzg" / day / "xml.zip" for day in ("20210104", "20241029", "20241031", "20241217")]
    builds.append(shared / "gii" / "arbzg" / "xml.zip")
    settings = set_up("arbzg", builds[0], CELLS)
    seen = texts_of(settings, CELLS)
    with open_instance(settings.paths) as instance:
        deployment = Deployment(settings, instance)
        assert deployment.look() == "1 law(s) as they were; next look in 60 s"
        assert deployment.keep_fresh() == 0
        assert deployment.take_made() == []
        for build in builds[1:]:
            law_site.serve("arbzg", build)
            assert deployment.look() == ""
            runs = deployment.keep_fresh()
            made = deployment.take_made()
            now = texts_of(settings, CELLS)
            assert total(made, EMBEDDED) == len(now.embedded - seen.embedded)
            assert total(made, (("enrichment", "answers asked for now"),)) == len(now.asked_about - seen.asked_about)
            assert made[-1][0] == "benchmark_report", "the report comes last, and once"
            assert [asset for asset, _, _ in made].count("benchmark_report") == 1
            assert (
                runs
                == len({(asset, partition) for asset, partition, _ in made if asset in ("corpus", "units", "chunk_index")}) + 1
            )
            day = (
                f"{build.parent.name[:4]}-{build.parent.name[4:6]}-{build.parent.name[6:]}"
                if build != builds[-1]
                else "2024-12-31"
            )
            for text in list(now.units["subsection"] - seen.units["subsection"])[:3]:
                assert (text, day) in found(settings, text)
            assert not any(state["stale"] for state in cell_states(settings)), "the daemon and `lawrag cells` agree"
            assert deployment.look().startswith("1 law(s) as they were")
            assert deployment.keep_fresh() == 0
            assert deployment.take_made() == [], "an undisturbed tick does nothing"
            seen = Texts(seen.embedded | now.embedded, seen.asked_about | now.asked_about, now.units)
    assert run_command_line(["run", *(word for cell in CELLS for word in ("--cells", cell))]) == 0
    assert {status for path, status in law_site.asked if "arbzg" in path} == {200, 304}


@pytest.mark.slow
def test_the_civil_code_is_redone_where_it_was_amended(set_up: Callable[..., Settings], law_site: LawSite, shared: Path) -> None:
    cells = ["section/flat", "subsection/flat", "sentence/flat", "window_64_16/flat"]
    settings = set_up("bgb", shared / "gii-history" / "bgb" / "20240816" / "xml.zip", cells)
    before = texts_of(settings, cells)
    with open_instance(settings.paths) as instance:
        deployment = Deployment(settings, instance)
        deployment.look()
        law_site.serve("bgb", shared / "gii" / "bgb" / "xml.zip")
        assert deployment.look() == ""
        deployment.keep_fresh()
        made = deployment.take_made()
    after = texts_of(settings, cells)
    embedded = {partition: metadata["embedded now"] for asset, partition, metadata in made if asset == "unit_embeddings"}
    for base_unit, texts in after.units.items():
        share = len(texts - before.units[base_unit]) / len(texts)
        print(
            f"{base_unit}: {len(texts - before.units[base_unit])} of {len(texts)} texts are new, {embedded[base_unit]} embedded"
        )
        assert 0 < share <= (0.10 if base_unit.startswith("window") else 0.03)
    assert total(made, EMBEDDED) == len(after.embedded - before.embedded)
    (changes,) = (metadata for asset, _, metadata in made if asset == "law_changes")
    assert (changes["former build"], changes["build"], changes["sections changed"]) == ("2024-08-16", "2025-02-06", 21)
    assert "~~schriftlich~~ **in Textform**" in changes["changes"]
    for text in sorted(after.units["subsection"] - before.units["subsection"])[:5]:
        assert text in [chunk for chunk, _ in found(settings, text)]


@pytest.mark.slow
def test_whatever_goes_wrong_at_the_site_leaves_the_index_and_is_said(
    set_up: Callable[..., Settings], law_site: LawSite, shared: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    newest = shared / "gii" / "arbzg" / "xml.zip"
    settings = set_up("arbzg", newest, ["subsection/flat"])
    index = settings.paths.lancedb / "subsection.flat.lance"
    files = {path: path.stat().st_mtime_ns for path in index.rglob("*")}
    older = shared / "gii-history" / "arbzg" / "20241217" / "xml.zip"
    reasons = {
        "broken": "HTTP 500",
        "missing": "HTTP 404",
        "page": "HTML page",
        "disguised page": "no zip file",
        "half": "not a readable zip",
        "moved": "redirects to",
        "slow": "timed out",
        "well": "the build of 2024-12-17, older than that of 2024-12-31",
    }
    with open_instance(settings.paths) as instance:
        deployment = Deployment(settings, instance)
        deployment.look()
        law_site.serve("arbzg", older)
        for law_site.mood, reason in reasons.items():
            law_site.marks = law_site.mood == "well"
            assert reason in deployment.look(), law_site.mood
            assert deployment.keep_fresh() == 0
        assert deployment.take_made() == []
        law_site.serve("arbzg", newest)
        assert deployment.look().startswith("1 law(s) as they were")
        law_site.serve("arbzg", older)
        job = deployment.definitions.resolve_job_def("law_update")
        assert job.execute_in_process(instance=instance, partition_key="arbzg").success, "a person asks for it in the UI"
        assert deployment.keep_fresh() == 0
    capsys.readouterr()
    assert run_command_line(["run", "--cells", "subsection/flat"]) == 0
    assert "older than that of 2024-12-31, which is kept" in capsys.readouterr().err
    assert {path: path.stat().st_mtime_ns for path in index.rglob("*")} == files
    assert run_command_line(["run", "--cells", "subsection/flat", "--as-of", "2024-12-20"]) == 0
    assert search_sections(load_settings(), "Arbeitszeit", cell="subsection/flat", k=1)[0]["build"] == "2024-12-17"
    capsys.readouterr()
    assert run_command_line(["changes", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["law"], told["from"], told["to"]) == ("arbzg", "2024-12-17", "2024-12-31")
    assert [build["date"] for build in told["builds"]] == ["2024-12-17", "2024-12-31"]
    with open_instance(settings.paths) as instance:
        pinned = Deployment(load_settings(), instance)
        assert "holds the law as of 2024-12-20" in pinned.look()
        assert pinned.keep_fresh() == 0
    assert run_command_line(["run", "--cells", "subsection/flat", "--as-of", ""]) == 0


@pytest.mark.slow
def test_what_failed_is_left_alone_for_a_while_and_what_was_missed_is_found(
    set_up: Callable[..., Settings], law_site: LawSite, shared: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = set_up("arbzg", shared / "gii-history" / "arbzg" / "20210104" / "xml.zip", ["subsection/flat"])
    with open_instance(settings.paths) as instance:
        deployment = Deployment(settings, instance)
        deployment.look()
        law_site.serve("arbzg", shared / "gii" / "arbzg" / "xml.zip")
        deployment.look()
        with held(settings.paths, Holder.DRIVER):
            assert deployment.keep_fresh() == 0, "`lawrag run` does it all itself"
            assert "`lawrag run` is at work" in deployment.look()
        lancedb = settings.paths.lancedb
        job = deployment.definitions.resolve_implicit_global_asset_job_def()
        started = instance.create_run_for_job(
            job, asset_selection=frozenset([dg.AssetKey("corpus")]), status=dg.DagsterRunStatus.STARTED
        )
        assert deployment.keep_fresh() == 0, "what a run is making already is waited for"
        instance.delete_run(started.run_id)
        deployment = Deployment(settings, instance)
        (lancedb / ".subsection.flat.lock").unlink(missing_ok=True)
        (lancedb / ".subsection.flat.lock").mkdir()  # so that the index cannot be written
        assert deployment.keep_fresh() == 4, "corpus, units, an index that fails and is not tried again at once, the report"
        assert deployment.keep_fresh() == 0
        (lancedb / ".subsection.flat.lock").rmdir()
        monkeypatch.setattr("lawrag_assets.defs.automation.RETRY_AFTER", 0.0)
        fresh_start = Deployment(settings, instance)
        assert fresh_start.keep_fresh() == 2
        assert not any(state["stale"] for state in cell_states(settings))
