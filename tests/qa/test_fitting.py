"""Fitting learns what tells gold from other candidates, and is never tested on what it was fitted on."""

from typing import Any

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from lawrag_assets.errors import InputError
from lawrag_assets.qa.additive import FittedReranker, packaged
from lawrag_assets.qa.assessment import errors, judged_out_of_fold, reliability
from lawrag_assets.qa.features import FEATURES
from lawrag_assets.qa.fitting import (
    Example,
    cheapest_threshold,
    cost,
    fit_judge,
    fit_weights,
    folds,
    out_of_fold_logits,
    question_key,
    require_unseen,
)
from lawrag_assets.qa.judging import Judge

TELLS = FEATURES.index("max_sim")


def example(number: int, *, answerable: bool = True, group: str = "") -> Example:
    """A question whose gold has a high `max_sim` and random other features."""
    random = np.random.default_rng(number)
    features = random.standard_normal((12, len(FEATURES)))
    gold = np.zeros(12, bool)
    if answerable:
        gold[number % 12] = True
        features[number % 12, TELLS] += 4
    near = 0.9 if answerable else 0.8
    dense = random.uniform(0.6, 0.7, 50)
    dense[3] = near + random.uniform(-0.03, 0.03)
    return Example(f"Frage {number}?", group or str(number), answerable, features, gold, dense, np.array([near]), 0.8)


EXAMPLES = [example(number, answerable=number % 3 > 0) for number in range(60)]


def test_the_feature_that_tells_gold_weighs_most() -> None:
    weights = fit_weights(EXAMPLES)
    assert set(weights) == set(FEATURES)
    assert weights["max_sim"] == max(weights.values())
    assert all(abs(weights[name]) < weights["max_sim"] / 3 for name in FEATURES if name != "max_sim")


def test_out_of_fold_rankings_find_gold_by_weights_of_other_questions() -> None:
    logits = out_of_fold_logits(EXAMPLES)
    found = [one.gold[np.argmax(of_one)] for one, of_one in zip(EXAMPLES, logits, strict=True) if one.answerable]
    assert np.mean(found) > 0.8


def test_translations_are_in_one_fold() -> None:
    pairs = [example(number, group=f"pair {number // 2}") for number in range(20)]
    for train, test in folds(pairs, 5):
        assert not {pairs[place].group for place in train} & {pairs[place].group for place in test}


def test_questions_without_gold_in_this_corpus_cannot_be_fitted_on() -> None:
    with pytest.raises(InputError, match="those of this profile"):
        fit_weights([example(number, answerable=False) for number in range(5)])


def test_a_judge_tells_answerable_questions_from_others_it_has_not_seen() -> None:
    judged = judged_out_of_fold(EXAMPLES, out_of_fold_logits(EXAMPLES))
    answerable = np.array([one.answerable for one in EXAMPLES])
    assert roc_auc_score(answerable, judged.confidences) > 0.95
    wrong = errors(judged.answers, answerable)
    assert wrong["wrong answers"] < 0.2
    assert wrong["wrong refusals"] < 0.2
    table = reliability(judged.confidences, answerable)
    assert table["questions"].sum() == 60
    assert table["answerable"].to_list() == sorted(table["answerable"].to_list())


def test_a_set_of_answerable_questions_alone_lets_everything_pass() -> None:
    signals: list[dict[str, Any]] = [one.signals(np.zeros(12)) for one in EXAMPLES]
    judge = fit_judge(signals, np.ones(len(EXAMPLES), bool))
    assert judge.judge(signals[0]).sufficient


def test_a_wrong_answer_costs_twice_a_wrong_refusal() -> None:
    answerable = np.array([True, True, False, False])
    assert cost(np.array([True, True, True, False]), answerable) == 2 * cost(np.array([True, False, False, False]), answerable)
    assert cheapest_threshold(np.array([0.9, 0.8, 0.4, 0.1]), answerable) == pytest.approx(0.6)


def test_what_was_fitted_on_is_not_tested_on() -> None:
    seen = {question_key("Wie lange ist die Pause?")}
    require_unseen(seen, ["Wie lang ist der Urlaub?"])
    with pytest.raises(InputError, match="was fitted on"):
        require_unseen(seen, ["Wie lang ist der Urlaub?", "wie lange ist die Pause"])


def test_a_fitted_reranker_reads_back_as_it_was_written() -> None:
    fitted = FittedReranker(
        dict.fromkeys(FEATURES, 0.5), Judge({"dense_above": 2.0}, 0.1, 0.4), 0.3, ("fragen",), "model", frozenset({"a", "b"})
    )
    assert FittedReranker.from_json(fitted.to_json(), "here") == fitted


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"judge": {}}'])
def test_another_file_is_no_reranker(text: str) -> None:
    with pytest.raises(InputError, match="here"):
        FittedReranker.from_json(text, "here")


def test_the_one_that_comes_with_the_package_fits_this_version() -> None:
    fitted = packaged()
    assert set(fitted.weights) == set(FEATURES)
    assert 0 < fitted.judge.threshold < 1
