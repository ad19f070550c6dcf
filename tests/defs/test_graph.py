"""The graph as Dagster sees it, on a real instance."""

from dataclasses import replace
from pathlib import Path

import dagster as dg
import polars as pl
import pytest
from dagster._core.definitions.asset_checks.asset_check_evaluation import AssetCheckEvaluationPlanned
from dagster._core.events import DagsterEvent

from lawrag_assets.chunking import BASE_UNITS, STRATEGIES
from lawrag_assets.chunking.cells import Cell, grid
from lawrag_assets.cli import run_command_line
from lawrag_assets.definitions import build_definitions
from lawrag_assets.defs import checks
from lawrag_assets.defs.dead_runs import fail_dead_runs
from lawrag_assets.defs.instance import DRIVER_TAG, Holder, held, open_instance
from lawrag_assets.defs.partitions import cell_key, cell_of, parts_of
from lawrag_assets.defs.states import CellState, cell_states
from lawrag_assets.errors import InputError
from lawrag_assets.settings import load_settings
from lawrag_assets.tables import TableStore

NOUNS = {
    "law_source", "law_xml", "law_sections", "law_changes", "corpus", "corpus_references", "unit_spec", "strategy_spec",
    "embedding_model",
    "propositions", "units", "unit_embeddings", "enrichment", "chunks",
    "chunk_index", "lexical_index", "calibration", "reranker", "answer_reranker", "answer_evaluation", "questions", "question_embeddings",
    "retrieval_run", "question_measures", "cell_metrics",
    "failures", "search_latency", "benchmark_report",
    "training_questions", "training_embeddings", "training_run", "ranker_features", "ranker",
    "supervised_run", "supervised_seen", "supervised_measures", "supervised_metrics",
}  # fmt: skip


def stale_cells(states: list[CellState]) -> set[tuple[str, str]]:
    return {(state["base_unit"], state["strategy"]) for state in states if state["materialized"] and state["stale"]}


def test_every_asset_says_what_it_is_to_whom_it_belongs_and_where(tmp_path: Path) -> None:
    graph = build_definitions(load_settings(storage=tmp_path)).resolve_asset_graph()
    assert {key.to_user_string() for key in graph.get_all_asset_keys()} == NOUNS
    for key in graph.get_all_asset_keys():
        node = graph.get(key)
        assert node.description, key
        assert node.owners, key
        assert node.kinds, key
        assert node.group_name != "default", key


def test_building_the_definitions_writes_nothing(tmp_path: Path) -> None:
    build_definitions(load_settings(storage=tmp_path / "storage"))
    assert not (tmp_path / "storage" / "profiles").exists()


@pytest.mark.parametrize("cell", grid(), ids=str)
def test_a_cell_and_its_partition_key_are_two_names_of_one_thing(cell: Cell) -> None:
    assert cell_of(cell_key(cell)) == cell
    assert parts_of(cell_key(cell)) == tuple(cell)


def test_raising_a_base_unit_makes_exactly_its_cells_stale_in_dagster_and_in_the_list(
    built: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = load_settings()
    assert stale_cells(cell_states(settings)) == set()
    monkeypatch.setitem(BASE_UNITS._things, "section", replace(BASE_UNITS["section"], version="raised"))
    assert stale_cells(cell_states(settings)) == {("section", "flat")}
    definitions = build_definitions(settings)
    with open_instance(settings.paths) as instance:
        job = definitions.resolve_implicit_global_asset_job_def()
        assert job.execute_in_process(
            instance=instance, partition_key="section", asset_selection=[dg.AssetKey("unit_spec")]
        ).success
    assert stale_cells(cell_states(settings)) == {("section", "flat")}
    assert run_command_line(["run"]) == 0
    assert stale_cells(cell_states(settings)) == set()


def test_raising_a_strategy_makes_its_cells_stale_and_the_same_chunks_stop_there(
    built: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(STRATEGIES._things, "flat", replace(STRATEGIES["flat"], version="raised"))
    assert stale_cells(cell_states(load_settings())) == {("section", "flat"), ("subsection", "flat")}
    with open_instance(load_settings().paths) as instance:
        job = build_definitions(load_settings()).resolve_implicit_global_asset_job_def()
        section = cell_key(Cell("section", "flat"))
        for asset, partition in (("strategy_spec", "flat"), ("enrichment", section), ("chunks", section)):
            assert job.execute_in_process(
                instance=instance, partition_key=partition, asset_selection=[dg.AssetKey(asset)]
            ).success
    assert stale_cells(cell_states(load_settings())) == {("subsection", "flat")}


@pytest.mark.slow
def test_what_a_blocking_check_refused_is_not_built_upon_and_checked_again(
    built: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def doubled(corpus: pl.DataFrame, tokenize: object) -> pl.DataFrame:
        units = cut(corpus, tokenize)  # type: ignore[arg-type]
        return pl.concat([units, units])

    cut = BASE_UNITS["sentence"].cut
    monkeypatch.setitem(BASE_UNITS._things, "sentence", replace(BASE_UNITS["sentence"], cut=doubled))
    for _ in range(2):
        assert run_command_line(["run", "--cells", "sentence/flat"]) == 1
        err = capsys.readouterr().err
        assert "unit ids occur twice" in err
        assert "making chunks" not in err
    monkeypatch.setitem(BASE_UNITS._things, "sentence", replace(BASE_UNITS["sentence"], cut=cut))
    assert run_command_line(["run", "--cells", "sentence/flat"]) == 0


def test_a_table_that_another_run_wrote_than_dagster_recorded_is_made_again(built: Path) -> None:
    settings = load_settings()
    store = TableStore(settings.paths.tables)
    store.write(store.read("units", [("section",)]).head(3), "units", ("section",), run_id="died before it was recorded")
    assert stale_cells(cell_states(settings)) == {("section", "flat")}
    assert run_command_line(["run"]) == 0
    assert store.read("units", [("section",)]).height == 60


def test_a_check_that_was_planned_and_never_made_counts_as_not_passed(built: Path) -> None:
    """A run killed between planning a check and making it leaves just that behind."""
    settings = load_settings()
    with open_instance(settings.paths) as instance:
        run = instance.create_run_for_job(build_definitions(settings).resolve_implicit_global_asset_job_def())
        planned = DagsterEvent(
            event_type_value=dg.DagsterEventType.ASSET_CHECK_EVALUATION_PLANNED.value,
            job_name=run.job_name,
            event_specific_data=AssetCheckEvaluationPlanned(asset_key=dg.AssetKey("corpus"), check_name="section_ids_unique"),
        )
        instance.report_dagster_event(planned, run.run_id)
    assert stale_cells(cell_states(settings)) == {("section", "flat"), ("subsection", "flat")}
    assert run_command_line(["run"]) == 0
    assert stale_cells(cell_states(settings)) == set()


def test_another_model_makes_everything_embedded_stale(built: Path) -> None:
    other = load_settings(embedding_model="litellm/other")
    assert stale_cells(cell_states(other)) == {("section", "flat"), ("subsection", "flat")}


def test_a_killed_run_is_marked_as_failed_and_its_pool_slot_freed(tmp_path: Path) -> None:
    settings = load_settings(storage=tmp_path)
    job = build_definitions(settings).resolve_implicit_global_asset_job_def()
    with open_instance(settings.paths) as instance:
        storage = instance.event_log_storage
        storage.set_concurrency_slots("embedding", 1)
        runs = [
            instance.create_run_for_job(job, status=dg.DagsterRunStatus.STARTED, tags=tags)
            for tags in ({DRIVER_TAG: "lawrag run"}, {})
        ]
        storage.claim_concurrency_slot("embedding", runs[0].run_id, "unit_embeddings")
        assert storage.get_concurrency_info("embedding").active_slot_count == 1
        assert fail_dead_runs(instance, alive=[Holder.UI]) == 1
        assert storage.get_concurrency_info("embedding").active_slot_count == 0
        states = [instance.get_run_by_id(run.run_id).status for run in runs]  # type: ignore[union-attr]
        assert states == [dg.DagsterRunStatus.FAILURE, dg.DagsterRunStatus.STARTED]
        assert fail_dead_runs(instance, alive=[]) == 1


def test_only_one_driver_works_on_a_profile(tmp_path: Path) -> None:
    paths = load_settings(storage=tmp_path).paths
    with held(paths, Holder.DRIVER):
        with pytest.raises(InputError, match="another `lawrag run` is at work on profile 'default'"), held(paths, Holder.DRIVER):
            pass
        with held(paths, Holder.UI):
            pass


SECTIONS = pl.DataFrame(
    {"section_id": ["a/§1", "a/§2", "a/§3"], "slug": "a", "status": ["in_force", "in_force", "repealed"], "text": "x"}
)


@pytest.mark.parametrize(
    ("parents", "passes"),
    [
        ([["a/§1"], ["a/§2"]], (True, True)),
        ([["a/§1", "a/§2"]], (True, True)),
        ([["a/§1"]], (True, False)),
        ([["a/§1"], ["a/§2"], ["a/§3"]], (False, True)),
        ([["a/§1"], ["a/§2"], []], (False, True)),
    ],
)
def test_checks_find_parents_that_are_not_there_and_sections_left_out(
    parents: list[list[str]], passes: tuple[bool, bool]
) -> None:
    chunks = pl.DataFrame({"chunk_id": [str(i) for i in range(len(parents))], "parents": parents})
    assert (
        bool(checks.chunk_parents_exist(chunks, SECTIONS).passed),
        bool(checks.sections_covered(chunks, SECTIONS).passed),
    ) == passes


def test_checks_find_an_id_twice() -> None:
    twice = pl.DataFrame({"section_id": ["a", "b", "a"], "unit_id": ["a", "b", "a"], "chunk_id": ["a", "b", "a"]})
    for check in (checks.section_ids_unique, checks.unit_ids_unique, checks.chunk_ids_unique):
        assert not check(twice).passed
        assert check(twice.head(2)).passed
