"""Chains of comparisons."""

import numpy as np
import polars as pl
import pytest

from lawrag_assets.evaluation.significance import compare
from lawrag_assets.evaluation.waterfall import WATERFALL_SCHEMA, waterfall


def values() -> pl.DataFrame:
    chance = np.random.default_rng(0)
    base = chance.random(200)
    steps = {"plain": base, "better": base + 0.05 + 0.02 * chance.normal(size=200), "the same": base + 0.05}
    return pl.concat([pl.DataFrame({"query": range(200), "step": step, "value": figures}) for step, figures in steps.items()])


def test_each_step_is_held_against_the_one_before_it() -> None:
    table = waterfall(values(), ["plain", "better", "the same"])
    assert table.schema == WATERFALL_SCHEMA
    assert table["step"].to_list() == ["plain", "better", "the same"]
    assert table["gain"][0] is None
    assert table["significant"].to_list() == [None, True, False]
    pair = compare(values().rename({"step": "cell"}).filter(pl.col("cell") != "plain"), reference="better")
    theirs = pair.table.row(by_predicate=pl.col("cell") == "the same", named=True)
    mine = table.row(2, named=True)
    assert [mine[name] for name in ("mean", "gain", "low", "high", "p")] == [
        theirs[name] for name in ("mean", "difference", "low", "high", "p")
    ]


def test_gains_add_up_to_what_the_last_step_is_better_than_the_first() -> None:
    table = waterfall(values(), ["plain", "better", "the same"])
    assert table["gain"].sum() == pytest.approx(table["mean"][2] - table["mean"][0])


def test_p_is_corrected_for_the_number_of_steps() -> None:
    table = waterfall(values(), ["plain", "better", "the same"])
    assert table["p_holm"][1] == pytest.approx(2 * table["p"][1])


def test_one_step_is_no_comparison() -> None:
    table = waterfall(values(), ["plain"])
    assert table.height == 1
    assert table["p_holm"].to_list() == [None]
