"""Telling cells apart that were measured on the same questions: tests, intervals and sizes of their differences.

A cell is a label here and a value a number: computing measures (`measures`), timing searches (`retrieval.run`) and showing a
comparison (`reporting`) do not belong here.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import fmean

import numpy as np
import numpy.typing as npt
import polars as pl

from lawrag_assets.errors import InputError

REFERENCE = "section/flat"
"""The cell that others are compared with: it leaves the sections whole, which is the least that a chunking can do."""

LEVEL = 0.05
"""Probability of calling any cell of a comparison different though none is."""

COMPARISON_SCHEMA = pl.Schema(
    {
        "cell": pl.String,
        "mean": pl.Float64,  # of the cell's values
        "difference": pl.Float64,  # mean of (value of the cell − value of the reference), in the values' unit
        "low": pl.Float64,  # ends of its 95 % bootstrap interval over questions; null for a single question
        "high": pl.Float64,
        "p": pl.Float64,  # sign-flip test of the difference, two-sided; never 0
        "p_holm": pl.Float64,  # p, corrected for the number of cells tested
        "significant": pl.Boolean,  # p_holm ≤ LEVEL
        "effect": pl.Float64,  # Cohen's dz: difference / standard deviation of the differences; null where that is 0 or unknown
        "won": pl.Int64,  # questions on which the cell is better than the reference, as good, worse
        "tied": pl.Int64,
        "lost": pl.Int64,
    }
)

_FEW = 10
"""Up to so many questions, the Friedman statistic is not distributed as its test supposes (Demšar 2006, section 3.2.2)."""

_DRAWS = 10_000
"""Sign flips of a test, and resamples of an interval."""
_SEED = 20260611
_BLOCK = 2_000_000
"""Numbers held at once while drawing: 16 MB."""

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Friedman:
    """Friedman's test of "all cells are the same", on their ranks within each question, corrected for ties."""

    statistic: float
    """Chi-squared distributed with (cells − 1) degrees of freedom."""
    p: float
    """0.0 where it is smaller than a float can hold."""
    kendall_w: float
    """Kendall's W: how far the questions agree on the ranking of the cells, from 0 (not at all) to 1 (fully)."""


@dataclass(frozen=True)
class Comparison:
    """Whether cells differ at all, and each one from the reference."""

    friedman: Friedman | None
    """None where it cannot be tested: fewer than three cells, at most ten questions, or all cells equal on every question."""
    table: pl.DataFrame
    """`COMPARISON_SCHEMA`, a row a cell, the best mean first; the reference has cell and mean only, the rest of it is null."""


def compare(values: pl.DataFrame, *, reference: str = REFERENCE, higher_is_better: bool = True) -> Comparison:
    """Compare cells by values of one kind: a measure, or times (`higher_is_better=False`).

    `values` has the columns query (anything that sorts), cell (String) and value (a number), a row for every query in every cell,
    in any order. Queries count as independent of one another. The signs of difference, low, high and effect are those of
    cell − reference whichever is better; only won, lost and the order of the table turn on that.

    The test of a cell flips the signs of its differences from the reference: all ways of doing so where at most 10,000 are
    distinct, else 10,000 drawn ones, the observed one counted among them, so that p is valid and never 0 (Phipson and Smyth
    2010). Differences as large as the observed one count as such however their sums are rounded. The interval is a percentile
    bootstrap interval. All cells share the flips and the resamples, and the seed is fixed: the same values give the same figures
    to the digit, and of all figures only those of Friedman's test, p_holm and significant depend on which other cells are given.

    InputError that names the cell where one lacks a query, has one twice or has a value that is no finite number; where there is
    no cell `reference`.
    """
    cells, numbers = _by_cell(values)
    if reference not in cells:
        raise InputError(f"no cell {reference!r} to compare with; there are: {', '.join(cells) or 'none'}")
    standard = numbers[cells.index(reference)]
    is_other = np.array([cell != reference for cell in cells])
    differences = numbers[is_other] - standard
    mean_differences = _means(differences)

    exponents = _exponents(np.maximum(np.abs(numbers[is_other]), np.abs(standard)).max(axis=1), len(standard))
    units = _whole(differences, exponents)
    low, high = _interval(mean_differences, _whole(differences - mean_differences[:, None], exponents), exponents)
    p = _sign_flip_test(units)
    p_holm = holm(p)
    better = units if higher_is_better else -units
    compared = pl.DataFrame(
        {
            "cell": [cell for cell in cells if cell != reference],
            "difference": mean_differences,
            "low": low,
            "high": high,
            "p": p,
            "p_holm": p_holm,
            "significant": p_holm <= LEVEL,
            "effect": [_effect(row) for row in units],
            "won": (better > 0).sum(axis=1),
            "tied": (better == 0).sum(axis=1),
            "lost": (better < 0).sum(axis=1),
        },
        schema_overrides={name: kind for name, kind in COMPARISON_SCHEMA.items() if name != "mean"},
    )
    table = pl.DataFrame({"cell": cells, "mean": _means(numbers)}).join(compared, on="cell", how="left")
    table = table.sort("mean", "cell", descending=[higher_is_better, False]).select(COMPARISON_SCHEMA.names())
    return Comparison(friedman=_friedman(numbers), table=table)


def holm(p: Floats) -> Floats:
    """Correct p-values (tests,) for their number, in their order (Holm 1979): each ≤ level holds for the family as a whole."""
    order = np.argsort(p, kind="stable")
    corrected = np.empty_like(p)
    corrected[order] = np.maximum.accumulate(np.minimum(p[order] * np.arange(len(p), 0, -1), 1.0))
    return corrected


def _by_cell(values: pl.DataFrame) -> tuple[list[str], Floats]:
    """Return the cells, sorted, and their values (cells, questions), in the order of the queries."""
    queries = values["query"].unique().sort()
    cells, rows = [], []
    for (cell,), table in values.sort("cell", "query").group_by(["cell"], maintain_order=True):
        measured = table["query"]
        if not measured.equals(queries):
            repeated, lacking = measured.filter(measured.is_duplicated()), sorted(set(queries) - set(measured))
            raise InputError(
                f"cell {cell!r} lacks query {lacking[0]!r}, which another cell has"
                if lacking
                else f"cell {cell!r} has query {repeated[0]!r} more than once"
            )
        row = table["value"].cast(pl.Float64).to_numpy()
        wrong = np.flatnonzero(~np.isfinite(row))
        if len(wrong):
            raise InputError(f"cell {cell!r}: its value for query {measured[int(wrong[0])]!r} is no finite number")
        cells.append(str(cell))
        rows.append(row)
    return cells, np.array(rows, dtype=np.float64)


def _friedman(numbers: Floats) -> Friedman | None:
    cells, questions = numbers.shape
    units = _whole(numbers, _exponents(np.array([np.abs(numbers).max()]), questions))
    if cells < 3 or questions <= _FEW or (units == units[0]).all():
        return None
    from scipy import stats

    statistic, p = stats.friedmanchisquare(*units)
    agreement = float(statistic) / (questions * (cells - 1))
    return Friedman(statistic=float(statistic), p=float(p), kendall_w=min(max(agreement, 0.0), 1.0))


def _means(numbers: Floats) -> Floats:
    """Mean of each row; rounded once, so that no order of adding up shows in it."""
    return np.array([fmean(row.tolist()) for row in numbers], dtype=np.float64)


def _effect(units: Floats) -> float | None:
    """Cohen's dz of the differences (questions,) in whole units."""
    spread = units.std(ddof=1) if len(units) > 1 else 0.0
    return float(units.mean() / spread) if spread > 0 else None


def _exponents(largest: Floats, questions: int) -> Ints:
    """Choose units so small that rounding to them loses nothing that counts, and so large that sums of them are exact.

    `largest` (cells,) bounds the values of each cell and of its reference. Returns (cells,): `_whole` of as many numbers as there
    are questions, each at most four times as large, then sums up to less than 2^53, within which floats are whole numbers without
    gaps. Such sums do not depend on the order of the terms, so a matrix product gives the same to the digit for however many
    cells and threads. For 2,154 questions a unit is about 4e-12 of `largest`: numbers that are equal but for the rounding of
    their computing (1/3 + 1/3 and 1 − 1/3) become equal.
    """
    powers: Ints = np.frexp(largest)[1].astype(np.int64)
    return 50 - math.ceil(math.log2(questions)) - powers


def _whole(numbers: Floats, exponents: Ints) -> Floats:
    """Round numbers (cells, questions) to whole units of 2^-exponent."""
    return np.rint(np.ldexp(numbers, exponents[:, None]))


def _sign_flip_test(units: Floats) -> Floats:
    """Test whether differences (cells, questions), in whole units, are symmetric about 0: p (cells,).

    p is the share of sign flips whose sum is as far from 0 as the observed one.
    """
    differing = np.count_nonzero(units, axis=1)
    p = np.ones(len(units))
    few = differing <= math.log2(_DRAWS)
    for cell in np.flatnonzero(few):  # flipping a 0 changes nothing: what else there is, is enumerated
        p[cell] = _enumerated(units[cell][units[cell] != 0])
    if not few.all():
        drawn = units[~few]
        # Either sum is off by at most half a unit a term.
        enough = np.abs(drawn.sum(axis=1)) - differing[~few]
        count = np.zeros(len(drawn))
        for signs in _drawn_signs(units.shape[1]):
            count += (np.abs(signs @ drawn.T) >= enough).sum(axis=0)
        p[~few] = (1 + count) / (1 + _DRAWS)
    return p


def _enumerated(units: Floats) -> float:
    """The same for the differences (m,) of one cell, from all 2^m sign flips."""
    flipped = (np.arange(2 ** len(units))[:, None] >> np.arange(len(units))) & 1
    sums = np.abs((1.0 - 2.0 * flipped) @ units)
    return float(np.mean(sums >= abs(units.sum()) - len(units)))


def _interval(means: Floats, deviations: Floats, exponents: Ints) -> tuple[list[float | None], list[float | None]]:
    """95 % interval of each mean (cells,), from the deviations from it (cells, questions), in whole units.

    Deviations rather than differences are summed up: where all differences are equal, so are the ends, to the digit.
    """
    cells, questions = deviations.shape
    if questions < 2:
        nothing: list[float | None] = [None] * cells
        return nothing, nothing
    sums = np.concatenate([counts @ deviations.T for counts in _drawn_counts(questions)])
    ends = np.ldexp(np.quantile(sums, [0.025, 0.975], axis=0), -exponents) / questions
    low, high = means + ends
    return low.tolist(), high.tolist()


def _drawn_signs(questions: int) -> Iterator[Floats]:
    """Draw `_DRAWS` rows (questions,) of −1 and 1, some at a time."""
    generator = np.random.default_rng(_SEED)
    for rows in _blocks(questions):
        yield np.where(generator.integers(2, size=(rows, questions), dtype=np.int8) == 1, 1.0, -1.0)


def _drawn_counts(questions: int) -> Iterator[Floats]:
    """Draw `_DRAWS` resamples of the questions, some at a time: how often each question is in (questions,)."""
    generator = np.random.default_rng(_SEED)
    for rows in _blocks(questions):
        chosen = generator.integers(questions, size=(rows, questions)) + questions * np.arange(rows)[:, None]
        yield np.bincount(chosen.ravel(), minlength=rows * questions).reshape(rows, questions).astype(np.float64)


def _blocks(questions: int) -> Iterator[int]:
    """Part `_DRAWS` into numbers of rows that fit into `_BLOCK`."""
    at_once = max(1, _BLOCK // questions)
    for begin in range(0, _DRAWS, at_once):
        yield min(at_once, _DRAWS - begin)
