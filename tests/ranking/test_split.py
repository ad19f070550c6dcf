"""No question is ever learned from and tested."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ranking.made_questions import labelled, made, together

from lawrag_assets.errors import InputError
from lawrag_assets.ranking.labelled import LabelledQuestions
from lawrag_assets.ranking.split import LeakageError, QuestionPool, Split

LONG = (
    "Mein Vermieter verlangt nach dem Auszug aus der Wohnung in Bremen noch Geld für eine Renovierung, die im Vertrag gar nicht steht, "
    "und behält deshalb die ganze Kaution ein, obwohl das Übergabeprotokoll keinen Mangel nennt. Darf er das wirklich?"
)


def pool_of(first: str, second: str) -> QuestionPool:
    """Sixty questions, of which the first of the first set and the first of the second set say these two texts."""
    others = labelled(58)
    vectors = np.eye(2, others.vectors.shape[1])
    return QuestionPool(
        together(
            made("a", ["1"], [first], vectors[:1], [["made/§1"]]), made("b", ["1"], [second], vectors[1:], [["made/§2"]]), others
        )
    )


@pytest.mark.parametrize(
    "again",
    [
        LONG,
        f"  {LONG.upper()}\n",
        LONG.replace(" ", "  ").replace("ü", "u\u0308"),
        LONG.replace("Bremen", "Hamburg"),
        LONG.removesuffix("?"),
    ],
    ids=["the same", "other case", "other spaces and encoding", "another word", "without question mark"],
)
def test_a_question_that_says_the_same_cannot_be_learned_from_and_tested(again: str) -> None:
    pool = pool_of(LONG, again)
    with pytest.raises(LeakageError, match=r"1 tested question\(s\) are also learned from, the same or nearly so: b/1 is a/1"):
        Split(pool, training=np.array([0, 5, 6]), tested=np.array([1, 7]), folds=np.zeros(3, dtype=np.int64))


def test_a_short_question_that_has_no_four_letters_in_common_but_all_is_the_same_too() -> None:
    with pytest.raises(LeakageError):
        pool_of("Ja?", "ja").split(np.array([0]), np.array([1]))


def test_the_very_same_row_cannot_be_on_both_sides() -> None:
    with pytest.raises(LeakageError, match="made/q3 is made/q3"):
        QuestionPool(labelled(9)).split(np.arange(5), np.array([3]))


def test_the_same_id_of_the_same_set_is_the_same_question_whatever_it_says() -> None:
    vectors = np.eye(2, 16)
    twice = together(
        made("a", ["1"], ["Was gilt für Boote?"], vectors[:1], [["made/§1"]]),
        made("a", ["1"], ["Und Räder?"], vectors[1:], [["made/§1"]]),
    )
    with pytest.raises(LeakageError):
        QuestionPool(twice).split(np.array([0]), np.array([1]))


def test_a_question_and_its_translation_are_never_parted() -> None:
    vectors = np.eye(2, 16)
    both = together(
        made("a", ["de1"], ["Wie lange darf ich ein Boot leihen?"], vectors[:1], [["made/§1"]]),
        made("a", ["en1"], ["For how long may I borrow a boat?"], vectors[1:], [["made/§1"]], pair="de1"),
    )
    with pytest.raises(LeakageError, match="a/en1 is a/de1"):
        QuestionPool(both).split(np.array([0]), np.array([1]))


def test_another_question_may_be_tested() -> None:
    split = pool_of(LONG, "Mein Hund hat den Zaun des Nachbarn beschädigt. Wer bezahlt das?").split(np.array([0]), np.array([1]))
    assert split.training_questions.texts == (LONG,)
    assert split.tested_questions.ids == ("1",)


def test_what_overlaps_is_left_out_of_the_training_and_counted() -> None:
    pool = pool_of(LONG, LONG.replace("Bremen", "Hamburg"))
    split, removed = pool.split_without_overlap(np.arange(2, 20), np.array([1]))
    assert (removed, len(split.training)) == (0, 18)
    split, removed = pool.split_without_overlap(np.array([0, *range(2, 20)]), np.array([1]))
    assert (removed, len(split.training)) == (1, 18)
    assert 0 not in split.training


@given(st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), max_size=60), st.integers(2, 7))
def test_folds_part_no_group_and_are_of_about_the_same_size(pairs: list[tuple[int, int]], folds: int) -> None:
    base = labelled(41)
    texts = list(base.texts)
    for a, b in pairs:
        texts[a] = texts[b]
    pool = QuestionPool(made("made", list(base.ids), texts, base.vectors, [list(gold) for gold in base.gold]))
    rows = np.arange(41)
    fold = pool.folds(rows, folds)
    for group in np.unique(pool.groups):
        assert len(set(fold[pool.groups == group])) == 1
    largest = np.bincount(pool.groups).max()
    assert np.ptp(np.bincount(fold, minlength=folds)) <= largest
    assert (fold == QuestionPool(pool.questions).folds(rows, folds)).all()


def test_every_question_is_tested_once_and_never_learned_from_then() -> None:
    pool = QuestionPool(labelled(30))
    tested = []
    for split in pool.cross_splits(np.arange(30)):
        assert not set(split.training) & set(split.tested)
        assert len(split.training) + len(split.tested) == 30
        inner = [*split.inner()]
        assert sorted(row for part in inner for row in part.tested) == split.training.tolist()
        assert not {row for part in inner for row in part.training} & set(split.tested)
        tested += split.tested.tolist()
    assert sorted(tested) == list(range(30))


def test_too_few_questions_for_the_folds_are_said_to_be() -> None:
    with pytest.raises(InputError, match="4 questions are too few for 5 folds"):
        next(QuestionPool(labelled(4)).cross_splits(np.arange(4)))


def test_a_version_follows_what_questions_say_and_nothing_else() -> None:
    questions = labelled(5)
    assert questions.version == labelled(5).version
    assert questions.version != questions.take(np.arange(4)).version
    assert (
        questions.version
        != LabelledQuestions.concat([questions.take(np.arange(4)), questions.take(np.array([4]))])
        .take(np.array([1, 0, 2, 3, 4]))
        .version
    )
