"""Labelled claims: read, and counted up."""

from pathlib import Path

import polars as pl
import pytest
from qa.small_laws import sample_passages

from lawrag_assets import sample
from lawrag_assets.errors import InputError
from lawrag_assets.laws.citations import comparable
from lawrag_assets.qa.claim_assessment import ATTRIBUTED_SCHEMA, claim_figures, read_claims


def test_the_sample_laws_claims_have_gold_that_is_in_force() -> None:
    claims = read_claims(sample.claims_path())
    assert claims.height == 120
    assert claims["id"].n_unique() == claims["claim"].n_unique() == 120
    citations = {comparable(passage.citation) for passage in sample_passages().all}
    golds = claims["gold"].drop_nulls()
    assert len(golds) == 80
    assert [gold for gold in golds if comparable(gold) not in citations] == []


@pytest.mark.parametrize(
    "line",
    [
        "no JSON",
        '{"id": "1"}',
        '{"id": "1", "claim": "x", "lang": "de", "kind": "doubtful"}',
        '{"id": "1", "claim": "x", "lang": "de", "kind": "supported"}',
        '{"id": "1", "claim": "x", "lang": "de", "kind": "not_covered", "gold": "§ 1"}',
        "[]",
    ],
)
def test_a_line_that_is_no_claim_is_named(tmp_path: Path, line: str) -> None:
    file = tmp_path / "claims.jsonl"
    file.write_text(line + "\n")
    with pytest.raises(InputError, match=r"claims\.jsonl:1: "):
        read_claims(file)


def test_figures_count_right_absaetze_and_what_is_shown_as_supported() -> None:
    rows = [
        ("1", "a", "de", "supported", "§ 1", "§ 1", 0.9, True, True),
        ("2", "b", "de", "supported", "§ 2", "§ 1", 0.2, False, False),
        ("3", "c", "en", "supported", "§ 3", "§ 3", 0.8, True, True),
        ("4", "d", "de", "wrong_number", None, "§ 1", 0.1, False, None),
        ("5", "e", "de", "contradicted", None, "§ 1", 0.7, True, None),
    ]
    figures = claim_figures(pl.DataFrame(rows, schema=ATTRIBUTED_SCHEMA, orient="row"))
    value = {(lang, measure): value for lang, measure, value, _ in figures.iter_rows()}
    assert value["all", "right Absatz"] == pytest.approx(2 / 3)
    assert value["de", "right Absatz"] == 0.5
    assert value["all", "shown as supported: supported"] == pytest.approx(2 / 3)
    assert value["all", "shown as supported: wrong_number"] == 0
    assert value["all", "shown as supported: contradicted"] == 1
    assert value["all", "shown as supported: not_covered"] is None
    assert value["all", "AUROC"] == pytest.approx(5 / 6)
    assert value["en", "AUROC"] is None
