"""Gold and runs in the formats of TREC, which trec_eval, ir_measures and every tool of the field read. No file is written here.

Fields are parted by spaces there, so white space within an id is written as in a URL ("%20"), and so is "%" itself.
"""

import re
from urllib.parse import quote

import polars as pl

_UNSAFE = re.compile(r"[\s%]")


def trec_qrels(gold: pl.DataFrame) -> str:
    """Write gold of one question set (query, section) as lines "query 0 section 1"."""
    return "".join(f"{_field(query)} 0 {_field(section)} 1\n" for query, section in gold.select("query", "section").iter_rows())


def trec_run(run: pl.DataFrame, tag: str) -> str:
    """Write a run of one question set, retriever and aggregation (query, section, rank, score) as lines "query Q0 section rank score tag".

    Scores have the nine digits that tell all numbers of 32 bits apart, so that ordering by them gives the same ranking back.
    """
    name = _field(tag)
    rows = run.select("query", "section", "rank", "score").iter_rows()
    return "".join(f"{_field(query)} Q0 {_field(section)} {rank} {score:.9g} {name}\n" for query, section, rank, score in rows)


def _field(text: str) -> str:
    return _UNSAFE.sub(lambda found: quote(found[0]), text)
