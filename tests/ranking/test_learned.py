"""The retriever that people ask: fed by a cell's own retrievers, it ranks one question as it does many."""

import numpy as np
import pytest
from ranking.made_questions import SIZE, THINGS, facts, labelled

from lawrag_assets.ranking.learned import CellRetrievers, Learned
from lawrag_assets.ranking.memory import QuestionMemory
from lawrag_assets.ranking.ranker import Memories, Ranker, fit_ranker, query_names
from lawrag_assets.ranking.split import QuestionPool
from lawrag_assets.ranking.viewpoint import ALIGNED, CENTRED, Viewpoint, uncentring
from lawrag_assets.retrieval.asked import Asked
from lawrag_assets.retrieval.calibration import QuestionMeans
from lawrag_assets.retrieval.dense import Dense, DenseCentred
from lawrag_assets.retrieval.fusion import Fused
from lawrag_assets.retrieval.hits import Parents
from lawrag_assets.retrieval.index import Index
from lawrag_assets.retrieval.lexical import Lexical, lexical_index
from lawrag_assets.retrieval.run import retrieve

QUESTIONS = labelled(80)
ASKED = Asked(query_names(QUESTIONS), QUESTIONS.texts, ["de"] * len(QUESTIONS), QUESTIONS.vectors)


@pytest.fixture(scope="module")
def cell() -> CellRetrievers:
    directions = np.random.default_rng(0).normal(size=(len(THINGS), SIZE))
    vectors = (directions / np.linalg.norm(directions, axis=1, keepdims=True)).astype(np.float32)
    ids = [f"made/§{place + 1}" for place in range(len(THINGS))]
    index = Index(tuple(ids), vectors, Parents.from_lists([[section] for section in ids]))
    centred = DenseCentred(index, QuestionMeans({"de": QUESTIONS.vectors[:5].mean(axis=0)}))
    lexical = Lexical(lexical_index(index.chunk_ids, [f"Wer ein {thing} leiht" for thing in THINGS], list(THINGS)), index)
    return CellRetrievers(index, Dense(index), Fused(centred, lexical))


@pytest.fixture(scope="module")
def ranker(cell: CellRetrievers) -> Ranker:
    runs = {
        f"cell {retriever.name}": retrieve(retriever, ASKED, question_set="")
        for retriever in (cell.dense, cell.fused.dense, cell.fused.lexical, cell.fused)
    }
    split = QuestionPool(QUESTIONS).split(np.arange(80), np.arange(0))
    return fit_ranker(split, runs, Memories(facts(), {"cell": cell.index}))


def test_one_question_is_ranked_as_among_many(cell: CellRetrievers, ranker: Ranker) -> None:
    learned = Learned(ranker, {"cell": cell}, cell.fused.dense)
    together = learned.rank(ASKED)
    for place in (0, 17, 79):
        alone = learned.rank(ASKED.at(place))
        assert alone.sections.tolist() == together.sections[together.queries == place].tolist()
        shown = [learned.chunk_ids[chunk] for chunk in alone.chunks]
        assert shown == [learned.section_ids[section] for section in alone.sections]  # each section is one chunk here


def test_it_finds_what_was_taught(cell: CellRetrievers, ranker: Ranker) -> None:
    learned = Learned(ranker, {"cell": cell}, cell.fused.dense)
    ranking = learned.rank(ASKED)
    first = [learned.section_ids[ranking.sections[ranking.queries == place][0]] for place in range(len(QUESTIONS))]
    assert np.mean([found == gold[0] for found, gold in zip(first, QUESTIONS.gold, strict=True)]) > 0.9


def test_centring_on_the_training_questions_is_centring_on_their_mean(cell: CellRetrievers, ranker: Ranker) -> None:
    looked = ranker.remembered.viewpoint.look(QUESTIONS.vectors, uncentring({"cell": cell.index}), facts())
    found = looked[f"cell {CENTRED}"]
    theirs = DenseCentred(cell.index, QuestionMeans({"de": QUESTIONS.vectors.mean(axis=0)})).rank(ASKED)
    assert [facts().ids[number] for number in found.sections] == [cell.index.section_ids[section] for section in theirs.sections]
    assert found.questions.tolist() == theirs.queries.tolist()


def test_questions_are_moved_to_where_their_answers_are() -> None:
    """Answers that lie elsewhere than their questions: only what was taught can find them."""
    turn = np.linalg.qr(np.random.default_rng(3).normal(size=(SIZE, SIZE)))[0]
    topics = np.random.default_rng(0).normal(size=(len(THINGS), SIZE)) @ turn
    ids = tuple(f"made/§{place + 1}" for place in range(len(THINGS)))
    vectors = (topics / np.linalg.norm(topics, axis=1, keepdims=True)).astype(np.float32)
    index = Index(ids, vectors, Parents.from_lists([[section] for section in ids]))
    asked = labelled(400, seed=8)
    taught = QuestionMemory.of(asked.take(np.arange(300)), frozenset(ids))
    looked = Viewpoint.fit(taught, {"cell": index}).look(asked.vectors[300:], uncentring({"cell": index}), facts())
    shares = {}
    for name in (CENTRED, ALIGNED):
        found = looked[f"cell {name}"]
        first = [facts().ids[section] for section in found.sections[found.ranks == 1]]
        shares[name] = np.mean([section == gold[0] for section, gold in zip(first, asked.gold[300:], strict=True)])
    assert shares[ALIGNED] > shares[CENTRED] + 0.4
