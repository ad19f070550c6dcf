"""Places kept for sections that nobody has asked about."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lawrag_assets.ranking.reserve import CUTOFF, reserve


def test_the_last_of_the_first_ten_give_way() -> None:
    unseen = np.array([False] * 10 + [True, False, True])
    assert reserve(np.zeros(13, dtype=np.int64), unseen, 2).tolist() == [0, 1, 2, 3, 4, 5, 6, 7, 10, 12, 8, 9, 11]


def test_unseen_sections_that_stand_there_already_count() -> None:
    unseen = np.array([True] + [False] * 10 + [True])
    assert reserve(np.zeros(12, dtype=np.int64), unseen, 1).tolist() == list(range(12))


@given(st.lists(st.lists(st.booleans(), min_size=1, max_size=30), max_size=4), st.integers(0, 4))
def test_nothing_is_lost_and_as_many_are_kept_as_there_are(rankings: list[list[bool]], places: int) -> None:
    questions = np.repeat(np.arange(len(rankings)), [len(ranking) for ranking in rankings]).astype(np.int64)
    unseen = np.array([flag for ranking in rankings for flag in ranking], dtype=bool)
    order = reserve(questions, unseen, places)
    assert sorted(order.tolist()) == list(range(len(questions)))
    assert (questions[order] == questions).all()
    for question, ranking in enumerate(rankings):
        first = order[questions == question][:CUTOFF]
        assert unseen[first].sum() >= min(places, sum(ranking))
