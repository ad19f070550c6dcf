"""The benchmark as the graph makes it: figures that can be computed again, the same report twice, timings that make nothing stale."""

import json
from datetime import date
from pathlib import Path

import dagster as dg
import ir_measures
import polars as pl
import pytest

from lawrag_assets.cli import run_command_line
from lawrag_assets.definitions import build_definitions
from lawrag_assets.defs import report_material
from lawrag_assets.defs.instance import open_instance
from lawrag_assets.defs.outside import take_look
from lawrag_assets.evaluation.measures import MEASURES
from lawrag_assets.settings import load_settings
from lawrag_assets.tables import TableStore


def materialize(asset: str) -> None:
    settings = load_settings()
    job = build_definitions(settings).resolve_implicit_global_asset_job_def()
    with open_instance(settings.paths) as instance:
        assert job.execute_in_process(instance=instance, asset_selection=[dg.AssetKey(asset)]).success


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def on_the_day(monkeypatch: pytest.MonkeyPatch, day: date) -> None:
    monkeypatch.setattr(report_material, "date", type("Calendar", (date,), {"today": classmethod(lambda _: day)}))


def test_two_reports_of_the_same_runs_differ_by_their_date_only(built: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reports = load_settings().paths.reports
    versions = []
    for day in (date(2031, 1, 2), date(2032, 3, 4)):
        on_the_day(monkeypatch, day)
        materialize("benchmark_report")
        versions.append(files(reports))
    first, second = versions
    assert first.keys() == second.keys()
    assert {"report-failures.parquet", "report-sources.csv", "report-friedman.csv"} & first.keys() == {
        *("report-failures.parquet", "report-sources.csv")  # of two cells there is no Friedman test
    }
    for name, content in first.items():
        assert content.replace(b"2031-01-02", b"2032-03-04") == second[name], name
    assert b"2031-01-02" in first["report.html"]
    assert b"2031-01-02" in first["report.md"]


def test_every_measure_of_the_report_comes_out_of_its_trec_files(
    built: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_command_line(["report", "--trec", str(tmp_path / "trec"), "--json"]) == 0
    written = [Path(file) for file in json.loads(capsys.readouterr().out)["trec"]]
    retrievers = ("dense", "dense_centred", "lexical", "fused", "linked")
    names = ["qrels.txt", *(f"{unit}.flat.{name}.run" for unit in ("section", "subsection") for name in retrievers)]
    assert written == [tmp_path / "trec" / "sample" / name for name in names]
    qrels = list(ir_measures.read_trec_qrels(str(written[0])))
    report = pl.read_csv(load_settings().paths.reports / "report.csv").rows_by_key("cell", named=True, unique=True)
    for file in (file for file in written if file.name.endswith(".dense.run")):
        figures = report[file.name.removesuffix(".dense.run").replace(".", "/")]
        run = list(ir_measures.read_trec_run(str(file)))
        found = ir_measures.calc_aggregate(map(ir_measures.parse_measure, MEASURES), qrels, run)
        assert {str(measure): round(value, 12) for measure, value in found.items()} == {
            name: round(figures[name], 12) for name in MEASURES
        }


def test_runs_that_are_not_the_reports_are_not_handed_on(built: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store, cell = TableStore(load_settings().paths.tables), ("section", "flat")
    run = store.read("retrieval_run", [cell])
    store.write(run.filter(pl.col("rank") > 1), "retrieval_run", cell, run_id="another")
    assert run_command_line(["report", "--trec", str(tmp_path / "trec")]) == 2
    assert "the run of cell section/flat is not the one of the newest report" in capsys.readouterr().err
    assert not (tmp_path / "trec").exists()


def test_searches_are_timed_anew_without_making_anything_stale(built: Path) -> None:
    settings = load_settings()

    def timings() -> tuple[str, pl.DataFrame, str | None]:
        definitions = build_definitions(settings)
        with open_instance(settings.paths) as instance:
            freshness = take_look(definitions, settings, {}, instance)
            version, why = freshness.version("search_latency", None), freshness.why_stale("benchmark_report", None)
        return version, TableStore(settings.paths.tables).read("search_latency"), why

    version, before, _ = timings()
    materialize("search_latency")
    again, after, why = timings()
    assert (again, why) == (version, None)
    assert not after.equals(before)
    assert after.select("cell", "run", "query").sort(pl.all()).equals(before.select("cell", "run", "query").sort(pl.all()))
    assert after.group_by("cell", "run").len()["len"].to_list() == [100] * 10


def test_the_report_shows_what_was_timed_and_missed(built: Path) -> None:
    reports = load_settings().paths.reports
    costs = pl.read_csv(reports / "report-costs.csv")
    timed = costs.select("search_ms", "search_p95_ms", "search_mean_ms", "scan_ms")
    assert (timed > 0).select(pl.all().all()).row(0) == (True,) * 4
    compared = pl.read_csv(reports / "report-comparisons.csv")
    assert compared.select("measure", "cell").rows() != []
    assert set(compared["measure"]) == {"R@10", "search_ms"}
    misses = pl.read_parquet(reports / "report-failures.parquet")
    recall = pl.read_csv(reports / "report.csv").rows_by_key("cell", named=True, unique=True)
    assert set(misses["cell"]) == {cell for cell, row in recall.items() if row["R@10"] < 1}
    assert misses.select("question", "gold", "cause", "found", "gold_text", "found_text").null_count().row(0) == (0,) * 6
    page = (reports / "report.html").read_text("utf-8")
    assert "5 runs over 100 of the questions" in page
    assert "tables/retrieval_run/section/flat.parquet" in page
