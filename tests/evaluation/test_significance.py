"""Comparing cells: against figures worked out by hand, published examples, SciPy, and what must hold for any figures."""

from collections.abc import Callable
from itertools import product
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats

from lawrag_assets.errors import InputError
from lawrag_assets.evaluation import significance
from lawrag_assets.evaluation.significance import COMPARISON_SCHEMA, REFERENCE, Comparison, Friedman, compare, holm

DEPENDENT = {"p_holm", "significant"}
"""What depends on which other cells are given."""


def table_of(**cells: Any) -> pl.DataFrame:
    """A table of values from one sequence a cell; the cell `reference` is the reference."""
    rows = [
        (f"q{place:05}", REFERENCE if cell == "reference" else cell, float(value))
        for cell, values in cells.items()
        for place, value in enumerate(values)
    ]
    return pl.DataFrame(rows, schema={"query": pl.String, "cell": pl.String, "value": pl.Float64}, orient="row")


def row_of(comparison: Comparison, cell: str) -> dict[str, Any]:
    return comparison.table.row(by_predicate=pl.col("cell") == cell, named=True)


def compare_differences(differences: Any, **options: Any) -> dict[str, Any]:
    """Compare a cell with these differences from a reference of zeros."""
    return row_of(compare(table_of(reference=np.zeros(len(differences)), cell=differences), **options), "cell")


@pytest.fixture
def set_draws(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    return lambda draws: monkeypatch.setattr(significance, "_DRAWS", draws)


def test_a_small_comparison_by_hand() -> None:
    comparison = compare(table_of(reference=[0, 0, 1, 0], better=[1, 1, 1, 1], worse=[0, 0, 0.5, 0]))
    assert comparison.table.schema == COMPARISON_SCHEMA
    assert comparison.table["cell"].to_list() == ["better", REFERENCE, "worse"]

    # Differences 1, 1, 0, 1: of the 8 ways to sign three ones, two reach a sum of 3. Their mean is 3/4, their variance 1/4.
    better = row_of(comparison, "better")
    assert (better["mean"], better["difference"], better["p"]) == (1.0, 0.75, 2 / 8)
    assert better["p_holm"] == 2 * (2 / 8)
    assert better["significant"] is False
    assert better["effect"] == pytest.approx(0.75 / 0.5)
    assert (better["won"], better["tied"], better["lost"]) == (3, 1, 0)
    assert 0 <= better["low"] <= 0.75 <= better["high"] == 1.0

    # Differences 0, 0, −1/2, 0: both signs are as far from 0. Mean −1/8, variance 1/16.
    worse = row_of(comparison, "worse")
    assert (worse["mean"], worse["difference"], worse["p"], worse["p_holm"]) == (0.125, -0.125, 1.0, 1.0)
    assert worse["effect"] == pytest.approx(-0.125 / 0.25)
    assert (worse["won"], worse["tied"], worse["lost"]) == (0, 3, 1)

    reference = row_of(comparison, REFERENCE)
    assert {name: value for name, value in reference.items() if value is not None} == {"cell": REFERENCE, "mean": 0.25}


def test_times_are_compared_the_other_way_round() -> None:
    """In the same table, winning changes sides and the order turns; signs and tests stay."""
    values = table_of(reference=[3, 3, 3], slow=[4, 5, 3], fast=[1, 1, 1])
    times, measures = compare(values, higher_is_better=False), compare(values)
    assert times.table["cell"].to_list() == ["fast", REFERENCE, "slow"] == measures.table["cell"].to_list()[::-1]
    slow = row_of(times, "slow")
    assert (slow["difference"], slow["won"], slow["tied"], slow["lost"]) == (1.0, 0, 1, 2)
    swapped = {"won": "lost", "lost": "won"}
    assert times.table.rename(swapped).select(COMPARISON_SCHEMA.names()).sort("cell").equals(measures.table.sort("cell"))


# Published examples. The figures are computed again here or in the comment; the sources are named for the data.

MAIZE = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]
"""Darwin's cross- and self-fertilised maize, eighths of an inch; Fisher, The Design of Experiments, section 21."""


def test_darwins_maize(set_draws: Callable[[int], None]) -> None:
    reaching = sum(abs(sum(map(lambda s, d: s * d, signs, MAIZE))) >= sum(MAIZE) for signs in product((1, -1), repeat=15))
    assert (sum(MAIZE), reaching) == (314, 1726)  # Fisher counts 863 on either side
    drawn = compare_differences(MAIZE)
    assert drawn["p"] == pytest.approx(1726 / 2**15, abs=4 * 0.0022)  # standard error of 10,000 draws
    assert drawn["difference"] == pytest.approx(314 / 15)
    assert drawn["effect"] * 15**0.5 == pytest.approx(2.148, abs=0.0005)  # Fisher's t
    assert (drawn["won"], drawn["lost"]) == (13, 2)
    set_draws(2**15)
    assert compare_differences(MAIZE)["p"] == 1726 / 2**15


def test_wilcoxons_test_is_this_one_on_signed_ranks() -> None:
    """Depression scale factors of nine patients; Hollander and Wolfe, Nonparametric Statistical Methods, table 3.1."""
    before = np.array([1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30])
    after = np.array([0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29])
    wilcoxon = stats.wilcoxon(before, after, method="exact")
    assert wilcoxon.statistic == 5  # the lesser rank sum: 45 − 40
    ranks = np.sign(before - after) * stats.rankdata(np.abs(before - after))
    assert compare_differences(ranks)["p"] == pytest.approx(wilcoxon.pvalue, rel=1e-12)
    # Sets of distinct ranks that add up to at most 5: {}, 1, 2, 3, 4, 5, 1+2, 1+3, 1+4, 2+3.
    assert wilcoxon.pvalue == pytest.approx(2 * 10 / 2**9)


ROUNDING = np.array(
    [
        [5.40, 5.50, 5.55], [5.85, 5.70, 5.75], [5.20, 5.60, 5.50], [5.55, 5.50, 5.40], [5.90, 5.85, 5.70], [5.45, 5.55, 5.60],
        [5.40, 5.40, 5.35], [5.45, 5.50, 5.35], [5.25, 5.15, 5.00], [5.85, 5.80, 5.70], [5.25, 5.20, 5.10], [5.65, 5.55, 5.45],
        [5.60, 5.35, 5.45], [5.05, 5.00, 4.95], [5.50, 5.50, 5.40], [5.45, 5.55, 5.50], [5.55, 5.55, 5.35], [5.45, 5.50, 5.55],
        [5.50, 5.45, 5.25], [5.65, 5.60, 5.40], [5.70, 5.65, 5.55], [6.30, 6.30, 6.25],
    ]
)  # fmt: skip
"""Seconds of 22 players' ways to round first base: out, narrow, wide; Hollander and Wolfe, table 7.1. Four rows have ties."""


def test_rounding_first_base() -> None:
    values = table_of(reference=ROUNDING[:, 0], narrow=ROUNDING[:, 1], wide=ROUNDING[:, 2])
    friedman = compare(values, higher_is_better=False).friedman
    # Rank sums 53, 47, 32; twelve times their squares over 22·3·4, less 3·22·4; four ties of two take 4·6 of 22·24 away.
    rank_sums = [float(total) for total in stats.rankdata(ROUNDING, axis=1).sum(axis=0)]
    assert rank_sums == [53, 47, 32]
    statistic = (12 * (53**2 + 47**2 + 32**2) / (22 * 3 * 4) - 3 * 22 * 4) / (1 - 4 * 6 / (22 * 24))
    assert statistic == pytest.approx(11.143, abs=0.0005)
    assert friedman is not None
    assert friedman.statistic == pytest.approx(statistic)
    assert friedman.p == pytest.approx(np.exp(-statistic / 2))  # chi-squared with two degrees of freedom
    assert friedman.kendall_w == pytest.approx(statistic / 44)


def test_holm_on_fifteen_published_p_values() -> None:
    """Benjamini and Hochberg 1995, section 4.1: controlling the error of the family rejects the first three."""
    p = [0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0]
    # 15 × the first, 14 × the second, …; 9 × 0.0298 and 8 × 0.0344 are less than what stands before them, 10 × 0.0278.
    by_hand = [0.0015, 0.0056, 0.0247, 0.1140, 0.2211, 0.2780, 0.2780, 0.2780, 0.3213, *[1.0] * 6]
    assert holm(np.array(p)).tolist() == pytest.approx(by_hand)
    shuffled = np.random.default_rng(1).permutation(15)
    assert holm(np.array(p)[shuffled]).tolist() == pytest.approx(np.array(by_hand)[shuffled].tolist())
    assert holm(np.array([])).tolist() == []


# Against SciPy.


@pytest.mark.parametrize("questions", [2, 7, 13])
def test_few_questions_are_tested_as_exactly_as_scipy_does(questions: int) -> None:
    differences = np.random.default_rng(questions).normal(0.5, 1, questions).round(1)
    theirs = stats.permutation_test((differences,), np.mean, permutation_type="samples", n_resamples=2**questions)
    assert compare_differences(differences)["p"] == pytest.approx(theirs.pvalue, rel=1e-12)


def test_many_questions_are_tested_as_scipy_does() -> None:
    generator = np.random.default_rng(5)
    differences = generator.choice([-1, -0.5, 0, 0.5, 1], 300, p=[0.1, 0.1, 0.55, 0.1, 0.15])
    theirs = stats.permutation_test(
        (differences,), np.mean, permutation_type="samples", n_resamples=20_000, vectorized=True, batch=1000, rng=generator
    )
    assert 0.02 < theirs.pvalue < 0.5
    error = (theirs.pvalue * (1 - theirs.pvalue) * (1 / 10_000 + 2 / 20_000)) ** 0.5
    assert compare_differences(differences)["p"] == pytest.approx(theirs.pvalue, abs=4 * error)


def test_intervals_are_those_of_scipy() -> None:
    generator = np.random.default_rng(6)
    reference, cell = generator.random(400), generator.random(400) ** 2
    mine = row_of(compare(table_of(reference=reference, cell=cell)), "cell")
    theirs = stats.bootstrap(
        (cell, reference),
        lambda a, b, axis: (a - b).mean(axis=axis),
        paired=True,
        method="percentile",
        n_resamples=10_000,
        batch=1000,
        rng=generator,
    )
    error = theirs.standard_error
    assert mine["low"] == pytest.approx(theirs.confidence_interval.low, abs=0.1 * error)
    assert mine["high"] == pytest.approx(theirs.confidence_interval.high, abs=0.1 * error)
    assert mine["high"] - mine["low"] == pytest.approx(2 * 1.96 * error, rel=0.05)
    assert mine["effect"] == pytest.approx(stats.ttest_rel(cell, reference).statistic / 20)


# Whether the tests keep their promises.


def recalls(generator: np.random.Generator, cells: int, questions: int) -> np.ndarray:
    """Recalls of equally good cells (cells, questions): hard and easy questions, most cells agreeing, many ties."""
    difficulty = generator.random(questions)
    hits = [generator.random((cells, questions)) < difficulty for _ in range(2)]
    return np.sum(hits, axis=0) / 2


def test_among_equal_cells_few_comparisons_find_any_difference(set_draws: Callable[[int], None]) -> None:
    set_draws(999)
    generator, simulations, wrong, single, friedman = np.random.default_rng(7), 400, 0, 0, 0
    for _ in range(simulations):
        numbers = recalls(generator, 6, 30)
        names = ["reference", *(f"cell {place}" for place in range(1, 6))]
        comparison = compare(table_of(**dict(zip(names, numbers, strict=True))))
        wrong += bool(comparison.table["significant"].any())
        single += row_of(comparison, "cell 1")["p"] <= 0.05
        assert comparison.friedman is not None
        friedman += comparison.friedman.p <= 0.05
    error = (0.05 * 0.95 / simulations) ** 0.5
    assert wrong / simulations <= 0.05 + 3 * error
    assert friedman / simulations <= 0.05 + 3 * error
    assert single / simulations == pytest.approx(0.05, abs=3 * error)  # valid, and not by never rejecting


def test_a_known_difference_is_found_and_its_size_is_in_the_interval(set_draws: Callable[[int], None]) -> None:
    set_draws(999)
    generator, simulations, found, covered = np.random.default_rng(8), 200, 0, 0
    for _ in range(simulations):
        reference = generator.normal(0, 1, 60)
        cells = {f"equal {place}": reference + generator.normal(0, 0.5, 60) for place in range(4)}
        row = row_of(compare(table_of(reference=reference, better=reference + generator.normal(0.3, 0.5, 60), **cells)), "better")
        found += row["significant"]
        covered += row["low"] <= 0.3 <= row["high"]
    assert found / simulations > 0.9  # dz of 0.6 on 60 questions
    assert covered / simulations == pytest.approx(0.95, abs=3 * (0.05 * 0.95 / simulations) ** 0.5 + 0.01)


# Ties, and what cannot be tested.


@pytest.mark.parametrize("questions", [9, 600])
def test_numbers_that_differ_by_rounding_only_are_ties(questions: int) -> None:
    thirds = np.full(questions, 0.1 + 0.2)
    assert thirds[0] != 0.3
    comparison = compare(table_of(reference=np.full(questions, 0.3), a=thirds, b=1.3 - np.ones(questions)))
    for cell in ("a", "b"):
        row = row_of(comparison, cell)
        assert (row["p"], row["effect"], row["won"], row["tied"], row["lost"]) == (1.0, None, 0, questions, 0)
    assert comparison.friedman is None


def test_sums_that_differ_by_rounding_only_are_as_far_from_zero() -> None:
    """0.1 + 0.2 and 0.3 are equally far, whichever is the observed one and whichever side its rounding lies on."""
    assert compare_differences([0.1, 0.2, -0.3])["p"] == 1.0
    # ±0.1 ±0.2 ±0.3 is 0.6, 0.4, 0.2 or 0 away from 0, each with two of the eight choices of signs.
    assert compare_differences([-0.1, 0.2, 0.3])["p"] == 4 / 8


@pytest.mark.parametrize("part", [1 / 3, 0.1, 1 / 7, 1e-6, 1e9 / 3])
@pytest.mark.parametrize("questions", [10, 40, 900])
def test_the_unit_does_not_matter(questions: int, part: float) -> None:
    """Sums of whole numbers tie exactly, and often; those of their parts must tie as often."""
    whole = np.random.default_rng(questions).choice([-2, -1, 0, 1, 3], questions)
    assert compare_differences(whole * part)["p"] == compare_differences(whole)["p"]


def test_equal_differences_have_an_interval_of_no_width_and_no_effect_size() -> None:
    row = row_of(compare(table_of(reference=[0.1] * 50, cell=[0.2] * 50)), "cell")
    assert row["low"] == row["high"] == row["difference"] == 0.1
    assert row["effect"] is None
    assert row["significant"] is True
    assert row["p"] == 1 / 10_001


@pytest.mark.parametrize(
    ("cells", "questions"), [(["reference", "b"], 40), (["reference", "b", "c"], 10), (["reference"], 40), (["reference"], 1)]
)
def test_too_little_for_friedmans_test(cells: list[str], questions: int) -> None:
    generator = np.random.default_rng(9)
    comparison = compare(table_of(**{cell: generator.random(questions) for cell in cells}))
    assert comparison.friedman is None
    assert len(comparison.table) == len(cells)
    assert comparison.table.schema == COMPARISON_SCHEMA


def test_full_agreement_and_none() -> None:
    agreed = compare(table_of(reference=[1] * 40, b=[2] * 40, c=[3] * 40)).friedman
    assert agreed == Friedman(statistic=pytest.approx(80), p=pytest.approx(np.exp(-40)), kendall_w=1.0)
    turns = compare(table_of(reference=[1, 2, 3] * 10, b=[2, 3, 1] * 10, c=[3, 1, 2] * 10)).friedman
    assert turns == Friedman(statistic=pytest.approx(0, abs=1e-9), p=pytest.approx(1), kendall_w=pytest.approx(0, abs=1e-9))


def test_a_single_question_shows_nothing() -> None:
    row = compare_differences([0.5])
    shown = [row[name] for name in ("difference", "low", "high", "p", "effect", "won")]
    assert shown == [0.5, None, None, 1.0, None, 1]


def test_queries_may_be_numbers_and_values_whole() -> None:
    values = pl.DataFrame({"query": [1, 2, 1, 2], "cell": ["a", "a", "b", "b"], "value": [3, 4, 5, 7]})
    assert row_of(compare(values, reference="a"), "b")["difference"] == 2.5


@pytest.mark.parametrize(
    ("cell", "values", "message"),
    [
        ("b", [("q1", 0.5)], "cell 'b' lacks query 'q2'"),
        ("b", [("q1", 0.5), ("q2", 0.5), ("q1", 0.5)], "cell 'b' has query 'q1' more than once"),
        ("b", [("q1", 0.5), ("q2", None)], "cell 'b': its value for query 'q2' is no finite number"),
        ("b", [("q1", float("nan")), ("q2", 0.5)], "cell 'b': its value for query 'q1' is no finite number"),
        ("b", [("q1", 0.5), ("q2", 0.5), ("q3", 0.5)], f"cell '{REFERENCE}' lacks query 'q3'"),
    ],
)
def test_values_that_cannot_be_compared(cell: str, values: list[tuple[str, float | None]], message: str) -> None:
    rows = [("q1", REFERENCE, 1.0), ("q2", REFERENCE, 0.0), *((query, cell, value) for query, value in values)]
    with pytest.raises(InputError, match=message):
        compare(pl.DataFrame(rows, schema={"query": pl.String, "cell": pl.String, "value": pl.Float64}, orient="row"))


def test_no_reference() -> None:
    with pytest.raises(InputError, match=r"no cell 'c' to compare with; there are: a, b"):
        compare(table_of(a=[1], b=[2]), reference="c")
    with pytest.raises(InputError, match=r"no cell 'section/flat' to compare with; there are: none"):
        compare(table_of())


# What holds for any figures.

numbers = st.one_of(st.sampled_from([0.0, 1 / 3, 0.5, 2 / 3, 1.0]), st.floats(-1e6, 1e6, allow_subnormal=False))


@st.composite
def measured(draw: st.DrawFn) -> pl.DataFrame:
    questions = draw(st.integers(1, 40))
    cells = draw(st.integers(1, 5))
    rows = draw(st.lists(st.lists(numbers, min_size=questions, max_size=questions), min_size=cells, max_size=cells))
    return table_of(reference=rows[0], **{f"cell {place}": row for place, row in enumerate(rows[1:])})


@given(measured(), st.randoms(use_true_random=False))
def test_neither_the_order_of_rows_nor_other_cells_change_a_figure(values: pl.DataFrame, random: Any) -> None:
    comparison = compare(values)
    order = list(range(len(values)))
    random.shuffle(order)
    shuffled = compare(values[order])
    assert shuffled.table.equals(comparison.table)
    assert shuffled.friedman == comparison.friedman
    for cell in comparison.table["cell"]:
        alone = compare(values.filter(pl.col("cell").is_in([cell, REFERENCE])))
        assert alone.table.drop(DEPENDENT).filter(pl.col("cell") == cell).row(0) == comparison.table.drop(DEPENDENT).row(
            by_predicate=pl.col("cell") == cell
        )


@given(measured())
def test_p_values_are_probabilities_and_correcting_keeps_their_order(values: pl.DataFrame) -> None:
    tested = compare(values).table.filter(pl.col("cell") != REFERENCE).sort("p")
    assert (tested["p"].is_between(0, 1, closed="right")).all()
    assert (tested["p_holm"].is_between(tested["p"], 1)).all()
    assert tested["p_holm"].is_sorted()
    assert (tested["won"] + tested["tied"] + tested["lost"]).n_unique() <= 1
    assert (tested["significant"] == (tested["p_holm"] <= 0.05)).all()


@given(measured())
def test_turning_all_signs_turns_the_figures(values: pl.DataFrame) -> None:
    straight = compare(values).table
    turned = compare(values.with_columns(-pl.col("value")), higher_is_better=False).table
    same = ["cell", "p", "p_holm", "significant", "won", "tied", "lost"]
    assert turned.select(same).equals(straight.select(same))
    for name, other in (("mean", "mean"), ("difference", "difference"), ("effect", "effect"), ("low", "high"), ("high", "low")):
        negated = [None if value is None else pytest.approx(-value, rel=1e-9, abs=1e-9) for value in turned[other]]
        assert straight[name].to_list() == negated


@given(measured())
def test_changing_places_with_the_reference_keeps_p(values: pl.DataFrame) -> None:
    assume("cell 0" in values["cell"])
    there = row_of(compare(values.filter(pl.col("cell").is_in(["cell 0", REFERENCE]))), "cell 0")
    back = row_of(compare(values.filter(pl.col("cell").is_in(["cell 0", REFERENCE])), reference="cell 0"), REFERENCE)
    assert (back["p"], back["won"], back["tied"], back["lost"]) == (there["p"], there["lost"], there["tied"], there["won"])
    assert back["difference"] == -there["difference"]


@given(st.lists(st.floats(1e-4, 1), max_size=30))
def test_holm_never_lowers_a_p_value_nor_turns_two_round(p: list[float]) -> None:
    corrected = holm(np.array(p))
    assert (corrected >= p).all()
    assert (corrected <= 1).all()
    assert corrected[np.argsort(p)].tolist() == sorted(corrected.tolist())
