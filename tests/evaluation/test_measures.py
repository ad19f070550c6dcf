"""Gold labels and measures, against figures worked out by hand."""

import math
from typing import Any

import ir_measures
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lawrag_assets.errors import InputError
from lawrag_assets.evaluation.measures import (
    MEASURES,
    PER_QUESTION_SCHEMA,
    SUMMARY_SCHEMA,
    evaluate,
    summarize,
    summarize_subsets,
)
from lawrag_assets.evaluation.qrels import qrels
from lawrag_assets.evaluation.questions import QUESTIONS_SCHEMA
from lawrag_assets.retrieval.run import RUN_SCHEMA


class Corpus:
    """Knows § 1 to § 9 of the BGB, written in two ways."""

    def section_id(self, citation: str) -> str | None:
        if "§" not in citation:
            raise InputError(f"{citation!r} is no citation")
        number = citation.removeprefix("§ ").removesuffix(" BGB").removeprefix("§")
        return f"bgb/§{number}" if number in "123456789" else None


def question_table(*rows: tuple[str, list[str], str], question_set: str = "set") -> pl.DataFrame:
    empty: dict[str, Any] = dict.fromkeys(QUESTIONS_SCHEMA.names())
    full = [{**empty, "question_set": question_set, "id": i, "question": "?", "gold": g, "kind": k} for i, g, k in rows]
    return pl.DataFrame(full, schema=QUESTIONS_SCHEMA)


def run_table(*rankings: tuple[str, list[str]], question_set: str = "set", aggregation: str = "max") -> pl.DataFrame:
    rows = [
        (question_set, "dense", aggregation, query, section, rank, 1.0 - rank / 1000)
        for query, sections in rankings
        for rank, section in enumerate(sections, start=1)
    ]
    return pl.DataFrame(rows, schema=RUN_SCHEMA, orient="row")


def gold_table(**gold: list[str]) -> pl.DataFrame:
    rows = [("set", query, section) for query, sections in gold.items() for section in sections]
    return pl.DataFrame(rows, schema=["question_set", "query", "section"], orient="row")


def test_gold_is_normalised_and_what_the_corpus_lacks_is_reported() -> None:
    questions = question_table(
        ("q1", ["§ 1 BGB", "§1 BGB", "§ 2 BGB"], "answerable"),
        ("q2", ["§ 99 BGB", "§ 3 BGB"], "answerable"),
        ("q3", [], "uncovered"),
        ("q4", ["siehe oben"], "answerable"),
    )
    gold = qrels(questions, Corpus())
    assert gold.table.rows() == [
        ("set", "q1", "bgb/§1"),
        ("set", "q1", "bgb/§2"),
        ("set", "q2", "§ 99 BGB"),
        ("set", "q2", "bgb/§3"),
        ("set", "q4", "siehe oben"),
    ]
    assert gold.unknown.rows() == [("set", "q2", "§ 99 BGB"), ("set", "q4", "siehe oben")]


def test_gold_of_unanswerable_questions_only_is_empty() -> None:
    gold = qrels(question_table(("q", [], "uncovered")), Corpus())
    assert gold.table.is_empty()
    assert gold.table.schema == {"question_set": pl.String, "query": pl.String, "section": pl.String}


def test_measures_by_hand() -> None:
    others = [f"x{i:02}" for i in range(40)]
    ranking = [others[0], "a", *others[1:10], "b", *others[10:]]  # a at rank 2, b at rank 12
    figures = evaluate(run_table(("q", ranking)), gold_table(q=["a", "b", "c"])).row(0, named=True)
    ideal = 1 + 1 / math.log2(3) + 1 / math.log2(4)
    assert {name: figures[name] for name in MEASURES} == pytest.approx(
        {
            "R@1": 0,
            "R@5": 1 / 3,
            "R@10": 1 / 3,
            "R@25": 2 / 3,
            "R@100": 2 / 3,
            "RR@10": 1 / 2,
            "nDCG@10": (1 / math.log2(3)) / ideal,
            "Success@10": 1,
        }
    )


def test_a_first_hit_beyond_rank_ten_counts_nothing_at_ten() -> None:
    figures = evaluate(run_table(("q", [*(f"x{i}" for i in range(10)), "a"])), gold_table(q=["a"])).row(0, named=True)
    assert [figures[name] for name in ("R@10", "RR@10", "nDCG@10", "Success@10", "R@25")] == [0, 0, 0, 0, 1]


def test_averages_take_in_questions_without_a_result_and_leave_out_unanswerable_ones() -> None:
    gold = qrels(
        question_table(
            ("found", ["§ 1 BGB"], "answerable"),
            ("without", ["§ 2 BGB"], "answerable"),
            ("gone", ["§ 99 BGB"], "answerable"),
            ("half", ["§ 3 BGB", "§ 98 BGB"], "answerable"),
            ("stranger", [], "out_of_corpus"),
        ),
        Corpus(),
    )
    run = run_table(("found", ["bgb/§1"]), ("gone", ["bgb/§4"]), ("half", ["bgb/§3"]), ("stranger", ["bgb/§5"]))
    per_question = evaluate(run, gold.table)
    assert per_question.schema == PER_QUESTION_SCHEMA
    assert dict(per_question.select("query", "R@10").rows()) == {"found": 1.0, "without": 0.0, "gone": 0.0, "half": 0.5}
    summary = summarize(per_question)
    assert summary.schema == SUMMARY_SCHEMA
    recall = summary.filter(pl.col("measure") == "R@10").row(0, named=True)
    assert (recall["mean"], recall["questions"]) == (0.375, 4)
    assert recall["low"] <= recall["mean"] <= recall["high"]


def test_groups_and_question_sets_are_judged_apart() -> None:
    run = pl.concat(
        [
            run_table(("q", ["a", "b"])),
            run_table(("q", ["b", "a"]), aggregation="sum"),
            run_table(("q", ["b"]), question_set="other"),
            run_table(("q", ["a"]), question_set="unjudged"),
        ]
    )
    gold = pl.concat([gold_table(q=["a"]), gold_table(q=["b"]).with_columns(question_set=pl.lit("other"))])
    figures = evaluate(run, gold).select("question_set", "aggregation", "R@1").rows()
    assert figures == [("set", "max", 1.0), ("set", "sum", 0.0), ("other", "max", 1.0)]


def test_nothing_judged_makes_empty_tables() -> None:
    per_question = evaluate(RUN_SCHEMA.to_frame(), gold_table(q=["a"]))
    assert per_question.is_empty()
    assert summarize(per_question).is_empty()


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_any_tool_that_reads_the_run_gets_the_same_figures(data: st.DataObject) -> None:
    sections = [f"s{i}" for i in range(15)]
    queries = [f"q{i}" for i in range(data.draw(st.integers(1, 4)))]
    gold = {query: data.draw(st.lists(st.sampled_from(sections), min_size=1, max_size=5, unique=True)) for query in queries}
    rankings = [(query, data.draw(st.permutations(sections))[: data.draw(st.integers(1, 15))]) for query in queries]
    run, qrels_table = run_table(*rankings), gold_table(**gold)
    summary = dict(summarize(evaluate(run, qrels_table)).select("measure", "mean").rows())
    theirs = ir_measures.calc_aggregate(
        [ir_measures.parse_measure(name) for name in MEASURES],
        [ir_measures.Qrel(query, section, 1) for _, query, section in qrels_table.rows()],
        [ir_measures.ScoredDoc(row["query"], row["section"], row["score"]) for row in run.iter_rows(named=True)],
    )
    assert summary == pytest.approx({str(measure): value for measure, value in theirs.items()})
    for query, ranking in rankings:
        recall = len(set(ranking[:10]) & set(gold[query])) / len(gold[query])
        assert evaluate(run, qrels_table).filter(pl.col("query") == query)["R@10"].item() == pytest.approx(recall)


def per_question_table(values: list[float]) -> pl.DataFrame:
    rows = [("set", "dense", "max", f"q{i}", *[value] * len(MEASURES)) for i, value in enumerate(values)]
    return pl.DataFrame(rows, schema=PER_QUESTION_SCHEMA, orient="row")


def test_intervals_are_those_of_the_mean_and_the_same_every_time() -> None:
    table = per_question_table([0.0, 1.0] * 200)  # standard error of the mean: 0.5 / 20
    first, again = summarize(table), summarize(table)
    assert first.equals(again)
    row = first.row(0, named=True)
    assert row["mean"] == 0.5
    assert row["low"] == pytest.approx(0.5 - 1.96 * 0.025, abs=0.005)
    assert row["high"] == pytest.approx(0.5 + 1.96 * 0.025, abs=0.005)


def test_intervals_where_there_is_nothing_to_resample() -> None:
    same = summarize(per_question_table([0.25, 0.25, 0.25])).row(0, named=True)
    assert (same["low"], same["high"]) == (0.25, 0.25)
    single = summarize(per_question_table([0.25])).row(0, named=True)
    assert (single["mean"], single["low"], single["high"]) == (0.25, None, None)


def test_languages_are_summed_up_apart_where_a_set_has_several() -> None:
    qrels = pl.DataFrame({"question_set": ["one"] * 2 + ["two"], "query": ["a", "b", "c"], "section": ["s", "t", "u"]})
    run = pl.DataFrame(
        [
            ("one", "dense", "max", "a", "s", 1, 0.9),
            ("one", "dense", "max", "b", "x", 1, 0.9),
            ("two", "dense", "max", "c", "u", 1, 0.9),
        ],
        schema=RUN_SCHEMA,
        orient="row",
    )
    questions = pl.DataFrame({"question_set": ["one", "one", "two"], "id": ["a", "b", "c"], "lang": ["de", "en", "de"]})
    found = summarize_subsets(evaluate(run, qrels), questions).filter(pl.col("measure") == "R@10")
    assert found.select("question_set", "subset", "mean", "questions").rows() == [
        ("one", "all", 0.5, 2),
        ("two", "all", 1.0, 1),
        ("one", "lang=de", 1.0, 1),
        ("one", "lang=en", 0.0, 1),
    ]
