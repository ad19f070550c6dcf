"""Rankers learn, repeat themselves to the digit, and are measured on nothing that they have seen."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from ranking.made_questions import THINGS, facts, labelled, run

from lawrag_assets.errors import InputError
from lawrag_assets.evaluation.measures import evaluate
from lawrag_assets.ranking.measured import RESERVED, Measured, cross_validated, measure_split, reserving
from lawrag_assets.ranking.ranker import MEMORY, POPULARITY, SUPERVISED, Memories, Ranker, fit_ranker
from lawrag_assets.ranking.split import LeakageError, QuestionPool
from lawrag_assets.ranking.store import load_ranker, save_ranker
from lawrag_assets.retrieval.names import LEARNED
from lawrag_assets.retrieval.run import RUN_SCHEMA

QUESTIONS = labelled(240)
RUNS = {"dense": run(QUESTIONS)}


@pytest.fixture(scope="module")
def pool() -> QuestionPool:
    return QuestionPool(QUESTIONS)


@pytest.fixture(scope="module")
def measured(pool: QuestionPool) -> Measured:
    return cross_validated(pool.cross_splits(np.arange(len(QUESTIONS))), RUNS, Memories(facts(), {}))


@pytest.fixture(scope="module")
def ranker(pool: QuestionPool) -> Ranker:
    return fit_ranker(pool.split(np.arange(180), np.arange(180, 240)), RUNS, Memories(facts(), {}))


def reciprocal_ranks(runs: pl.DataFrame) -> dict[str, float]:
    gold = [("made", query, gold[0]) for query, gold in zip(QUESTIONS.ids, QUESTIONS.gold, strict=True)]
    qrels = pl.DataFrame(gold, schema=["question_set", "query", "section"], orient="row")
    figures = evaluate(runs, qrels).group_by("retriever").agg(pl.col("RR@10").mean())
    return dict(figures.iter_rows())


def test_learning_beats_remembering_the_prior_and_what_finds_without_labels(measured: Measured) -> None:
    figures = reciprocal_ranks(pl.concat([measured.runs, RUNS["dense"].with_columns(pl.col("query").str.strip_prefix("made/"))]))
    assert set(figures) == {*SUPERVISED, *map(reserving, RESERVED), "dense"}
    assert figures[LEARNED] > 0.9
    assert figures[LEARNED] > figures[POPULARITY] + 0.2
    assert figures[MEMORY] > figures[POPULARITY] + 0.2
    assert figures[LEARNED] > figures["dense"]


def test_runs_are_run_tables(measured: Measured) -> None:
    assert measured.runs.schema == RUN_SCHEMA
    for _, ranking in measured.runs.group_by("retriever", "query"):
        assert ranking["rank"].to_list() == list(range(1, ranking.height + 1))
        assert ranking["score"].diff().drop_nulls().lt(0).all()
        assert ranking["section"].is_unique().all()
    assert measured.runs.filter(pl.col("retriever") == LEARNED)["query"].unique().sort().to_list() == sorted(QUESTIONS.ids)


def test_how_often_gold_was_seen_counts_the_training_of_that_fold_only(measured: Measured) -> None:
    assert measured.seen["query"].to_list() != []
    everywhere = pl.Series([gold[0] for gold in QUESTIONS.gold]).value_counts(name="all")
    compared = measured.seen.join(everywhere.rename({"": "section"}), on="section")
    assert (compared["seen"] < compared["all"]).all()
    assert compared["seen"].max() > 20  # type: ignore[operator]


def test_the_same_figures_come_out_of_a_second_run_to_the_digit(pool: QuestionPool, measured: Measured) -> None:
    again = cross_validated(QuestionPool(QUESTIONS).cross_splits(np.arange(len(QUESTIONS))), RUNS, Memories(facts(), {}))
    assert again.runs.equals(measured.runs)


def test_a_ranker_is_measured_on_no_split_but_its_own(pool: QuestionPool, ranker: Ranker) -> None:
    with pytest.raises(LeakageError, match="may have seen the tested questions"):
        measure_split(pool.split(np.arange(60, 240), np.arange(60)), ranker, RUNS, {})


def test_a_stored_ranker_ranks_the_same_to_the_digit(pool: QuestionPool, ranker: Ranker, tmp_path: Path) -> None:
    save_ranker(ranker, tmp_path / "ranker.npz")
    split = pool.split(np.arange(180), np.arange(180, 240))
    again = measure_split(split, load_ranker(tmp_path / "ranker.npz"), RUNS, {})
    assert again.runs.equals(measure_split(split, ranker, RUNS, {}).runs)


class _Mischief:
    def __reduce__(self) -> tuple[object, tuple[str]]:
        return (pytest.fail, ("a stored ranker was run as code",))


@pytest.mark.parametrize("kind", ["pickled", "garbage", "missing", "half"])
def test_a_file_that_is_no_ranker_is_refused_and_never_run(kind: str, ranker: Ranker, tmp_path: Path) -> None:
    path = tmp_path / "ranker.npz"
    if kind == "pickled":
        with path.open("wb") as file:
            np.savez(file, says=np.array([_Mischief()], dtype=object))
    elif kind == "garbage":
        path.write_bytes(b"garbage")
    elif kind == "half":
        save_ranker(ranker, path)
        path.write_bytes(path.read_bytes()[:5000])
    with pytest.raises(InputError, match=r"ranker\.npz: no ranker can be read from this file"):
        load_ranker(path)


def test_sections_that_no_training_question_is_about_can_still_be_found() -> None:
    asked = labelled(240, seed=3)
    rare = np.array([place for place, gold in enumerate(asked.gold) if gold[0] == f"made/§{len(THINGS)}"])
    others = np.setdiff1d(np.arange(240), rare)
    runs = {"dense": run(asked, found=1.0)}
    split = QuestionPool(asked).split(others, rare)
    measured = measure_split(split, fit_ranker(split, runs, Memories(facts(), {})), runs, {})
    assert measured.seen["seen"].to_list() == [0] * len(rare)
    learned = measured.runs.filter(pl.col("retriever") == LEARNED, pl.col("section") == f"made/§{len(THINGS)}")
    assert learned.height == len(rare) > 0
    assert measured.runs.filter(pl.col("retriever") == MEMORY, pl.col("section") == f"made/§{len(THINGS)}").is_empty()
