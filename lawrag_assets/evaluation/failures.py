"""Missed gold sections: how far each got, what was found in its place, what might explain it; and each put down to a named cause.

The paper leaves this to future work (section 6). Texts and citations for readers are not looked up here, nor is anything shown.
"""

import re
from collections.abc import Callable, Sequence

import polars as pl

from lawrag_assets.evaluation.language import SMALL_WORDS

FIRST = 10
"""A gold section further down than this is missed."""
NEARLY = 25
"""The paper's other cutoff (section 4, "Recall")."""

FAILURES_SCHEMA = pl.Schema(
    {
        "question_set": pl.String,
        "query": pl.String,
        "section": pl.String,  # id of the missed gold section; its citation where the corpus has no such section
        "cause": pl.String,  # one of CAUSES
        "rank": pl.Int64,  # null where it is no parent of any candidate chunk
        "found": pl.String,  # id of the section ranked first; null where nothing was found
        "linked": pl.String,  # id of the best of the first ten that refers to the missed one or is referred to by it
        "neighbour": pl.String,  # id of the best of the first ten that stands under the same heading
        "overlap": pl.Float64,  # share of the question's words that the missed section has, see `content_words`
        "length": pl.Int64,  # of the missed section, in tokens
        "chapter": pl.String,  # the headings above it, outermost first
    }
)

NOT_THERE = "no such section"
NEAR = f"ranked {FIRST + 1} to {NEARLY}"
LINKED = "linked to a found one"
CHAPTER = "only its chapter found"
LOW = f"ranked below {NEARLY}"
OTHER_WORDS = "other words"
FAR = "out of reach"

CAUSES = (NOT_THERE, NEAR, LINKED, CHAPTER, LOW, OTHER_WORDS, FAR)
"""The first that holds is the cause, so that each miss has one: the corpus has no such section in force; it is among the first 25;
one of the first ten refers to it or is referred to by it; one of the first ten stands under the same heading; it is among the
candidates at all; it has fewer of the question's words than the section found first; none of these."""

_KEY = ["question_set", "query"]
_SEPARATOR = " › "
_WORD = re.compile(r"[^\W\d_]{3,}")
_STEM = 6
_SMALL_WORDS = SMALL_WORDS["de"] | SMALL_WORDS["en"] | {"die", "dies", "hat", "war", "was", "will", "man"}


def find_failures(
    run: pl.DataFrame,
    gold: pl.DataFrame,
    questions: pl.DataFrame,
    sections: pl.DataFrame,
    references: pl.DataFrame,
    count_tokens: Callable[[Sequence[str]], Sequence[int]],
) -> pl.DataFrame:
    """Look into every gold section that is not among the first ten: a table of `FAILURES_SCHEMA`, in the order of `gold`.

    `run` is a run table of one retriever and aggregation; `gold` has question_set, query, section (`evaluation.qrels`);
    `questions` question_set, id, question; `sections`, those in force, section_id, hierarchy, text; `references` source, target.
    """
    ranks = run.select(*_KEY, "section", pl.col("rank").cast(pl.Int64))
    found = ranks.filter(pl.col("rank") <= FIRST).rename({"section": "found", "rank": "place"})
    chapters = sections.select(section="section_id", chapter=_headings())
    missed = (
        gold.join(ranks, on=[*_KEY, "section"], how="left", maintain_order="left")
        .filter(pl.col("rank").is_null() | (pl.col("rank") > FIRST))
        .join(chapters.with_columns(there=True), on="section", how="left", maintain_order="left")
        .join(found.filter(pl.col("place") == 1).drop("place"), on=_KEY, how="left", maintain_order="left")
        .with_row_index("row")
    )
    one_way = references.select(section="source", found="target").drop_nulls()
    links = pl.concat([one_way, one_way.select(section="found", found="section")]).unique()
    of_chapters = found.join(chapters.drop_nulls(), left_on="found", right_on="section")
    linked = missed.select("row", *_KEY, "section").join(links, on="section").join(found, on=[*_KEY, "found"])
    neighbours = missed.select("row", *_KEY, "chapter").join(of_chapters, on=[*_KEY, "chapter"])
    missed = missed.join(_best(linked, "linked"), on="row", how="left", maintain_order="left")
    missed = missed.join(_best(neighbours, "neighbour"), on="row", how="left", maintain_order="left")

    texts = dict(sections.select("section_id", "text").iter_rows())
    asked = {(name, query): words for name, query, words in questions.select("question_set", "id", "question").iter_rows()}
    overlaps = _Overlaps(texts)
    pairs = [
        (asked[name, query], section, first)
        for name, query, section, first in missed.select(*_KEY, "section", "found").iter_rows()
    ]
    lengths = _lengths(missed["section"].unique(maintain_order=True).to_list(), texts, count_tokens)
    missed = missed.with_columns(
        pl.Series("overlap", [overlaps.of(question, section) for question, section, _ in pairs], dtype=pl.Float64),
        pl.Series("found_overlap", [overlaps.of(question, first) for question, _, first in pairs], dtype=pl.Float64),
        pl.Series("length", [lengths.get(section) for _, section, _ in pairs], dtype=pl.Int64),
    )
    return missed.with_columns(cause=_cause()).select(FAILURES_SCHEMA.names()).cast(FAILURES_SCHEMA)


def content_words(text: str) -> frozenset[str]:
    """The words of a text that say what it is about, roughly stemmed.

    Letters only, three at least, no small words of German or English; cut to six letters, since German inflects at a word's end.
    """
    words = {word for word in _WORD.findall(text.lower()) if word not in _SMALL_WORDS}
    return frozenset(word[:_STEM] for word in words)


def _cause() -> pl.Expr:
    holds = (
        pl.col("there").is_null(),
        pl.col("rank") <= NEARLY,
        pl.col("linked").is_not_null(),
        pl.col("neighbour").is_not_null(),
        pl.col("rank").is_not_null(),
        pl.col("overlap") < pl.col("found_overlap"),
        pl.lit(True),
    )
    return pl.coalesce(pl.when(condition).then(pl.lit(name)) for condition, name in zip(holds, CAUSES, strict=True))


def _headings() -> pl.Expr:
    """The headings above a section in one line; null where there are none."""
    level = pl.element().struct
    titles = pl.concat_str(level.field("label"), level.field("title"), separator=" ", ignore_nulls=True).str.strip_chars()
    joined = pl.col("hierarchy").list.eval(titles).list.join(_SEPARATOR)
    return pl.when(joined != "").then(joined)


def _best(pairs: pl.DataFrame, name: str) -> pl.DataFrame:
    """Of the found sections paired with each row the one that stands first: row, `name`."""
    return pairs.sort("row", "place").unique("row", keep="first", maintain_order=True).select("row", pl.col("found").alias(name))


def _lengths(ids: Sequence[str], texts: dict[str, str], count_tokens: Callable[[Sequence[str]], Sequence[int]]) -> dict[str, int]:
    known = [section for section in ids if section in texts]
    return dict(zip(known, count_tokens([texts[section] for section in known]), strict=True))


class _Overlaps:
    """Shares of questions' words that sections have; each text is read once."""

    def __init__(self, texts: dict[str, str]) -> None:
        self._texts = texts
        self._sections: dict[str, frozenset[str]] = {}
        self._questions: dict[str, frozenset[str]] = {}

    def of(self, question: str, section: str | None) -> float | None:
        """None where there is no such section, or the question has no word that counts."""
        if section is None or section not in self._texts:
            return None
        if section not in self._sections:
            self._sections[section] = content_words(self._texts[section])
        if question not in self._questions:
            self._questions[question] = content_words(question)
        asked = self._questions[question]
        return len(asked & self._sections[section]) / len(asked) if asked else None
