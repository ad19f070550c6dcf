"""TREC's formats, read back by ir_measures."""

import io

import ir_measures
import numpy as np
import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from lawrag_assets.evaluation.trec import trec_qrels, trec_run
from lawrag_assets.retrieval.aggregation import rank_sections
from lawrag_assets.retrieval.hits import Hits, Parents


def test_lines_as_trec_writes_them() -> None:
    gold = pl.DataFrame({"query": ["q1", "q 2"], "section": ["bgb/§433", "§ 999 BGB"]})
    assert trec_qrels(gold) == "q1 0 bgb/§433 1\nq%202 0 §%20999%20BGB 1\n"
    run = pl.DataFrame({"query": ["q1"], "section": ["bgb/§433"], "rank": [1], "score": pl.Series([0.1], dtype=pl.Float32)})
    assert trec_run(run, "section.flat.dense") == "q1 Q0 bgb/§433 1 0.100000001 section.flat.dense\n"


names = st.text(min_size=1, max_size=8)


@given(st.lists(st.tuples(names, names), min_size=1, max_size=10, unique=True))
def test_whatever_ids_there_are_they_come_back_apart(pairs: list[tuple[str, str]]) -> None:
    text = trec_qrels(pl.DataFrame(pairs, schema=["query", "section"], orient="row"))
    read = list(ir_measures.read_trec_qrels(io.StringIO(text)))
    assert len({(qrel.query_id, qrel.doc_id) for qrel in read}) == len(pairs) == len(read)


def test_tied_sections_keep_their_order() -> None:
    """A chunk of 40 sections: equal scores, set apart by the least that 32 bits can tell."""
    ids = [f"s{i:02}" for i in range(40)]
    hits = Hits(np.array([[0]]), np.array([[0.7]], dtype=np.float32))
    ranking = rank_sections(hits, Parents.from_lists([ids]))
    run = pl.DataFrame({"query": "q", "section": ids, "rank": ranking.ranks, "score": ranking.scores})
    read = list(ir_measures.read_trec_run(io.StringIO(trec_run(run, "tag"))))
    assert [found.doc_id for found in sorted(read, key=lambda found: -found.score)] == ids
    assert len({np.float32(found.score) for found in read}) == 40
