"""The retriever `lexical`: BM25 over a cell's chunks, by stems and parts of compounds and by runs of five letters.

The weights are bm25s', put into an inverted index: a table that says for each term which chunks it is in and how much it counts there.
A chunk is scored by the sum over the question's terms, so many questions are one product of sparse matrices. What a chunk's section is
headed counts as often as `HEADINGS` says; a term that a question repeats counts 1 + ln n times, for people who ask repeat themselves.
"""

import hashlib
from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np
import polars as pl

from lawrag_assets.retrieval.aggregation import Ranking
from lawrag_assets.retrieval.asked import Asked
from lawrag_assets.retrieval.german import GermanAnalysis, words_of
from lawrag_assets.retrieval.hits import Floats
from lawrag_assets.retrieval.index import Index, IndexReplacedError
from lawrag_assets.retrieval.retriever import Scorer, Scores, Sections, ranked

LEXICAL_SCHEMA = pl.Schema(
    {
        "field": pl.String(),  # "stem" or "gram": two indexes, whose scores are added; one row "of" says of which chunks
        "term": pl.String(),
        "chunks": pl.List(pl.Int32),  # positions of chunks in the cell's index, rising
        "weights": pl.List(pl.Float32),  # BM25 weight of the term in each of them
    }
)
K1, B = 4.0, 1.0
"""BM25's saturation and length normalisation. Questions of laypeople are long and repeat themselves: a high k1 and full b do best."""
HEADINGS = 3
"""How many times the headings of a chunk's sections count."""


def lexical_index(chunk_ids: Sequence[str], texts: Sequence[str], headings: Sequence[str]) -> pl.DataFrame:
    """The inverted index of chunks, (chunks,) ids, texts and headings of their sections: a table of `LEXICAL_SCHEMA`."""
    documents = [words_of(text) + HEADINGS * words_of(heading) for text, heading in zip(texts, headings, strict=True)]
    words = dict.fromkeys(word for document in documents for word in document)
    analysis = GermanAnalysis.of_words(words)
    fields = {"stem": analysis.stems, "gram": analysis.grams}
    of = pl.DataFrame({"field": ["of"], "term": [_digest(chunk_ids)], "chunks": [[]], "weights": [[]]}, schema=LEXICAL_SCHEMA)
    return pl.concat([of, *(_field(name, words, terms, documents) for name, terms in fields.items())])


def _digest(chunk_ids: Sequence[str]) -> str:
    return hashlib.sha256("\n".join(chunk_ids).encode()).hexdigest()


def _field(name: str, words: dict[str, None], terms: Callable[[str], list[str]], documents: list[list[str]]) -> pl.DataFrame:
    """One field's part of the table."""
    import bm25s

    number: dict[str, int] = {}
    of_word = {word: [number.setdefault(term, len(number)) for term in terms(word)] for word in words}
    ids = [[term for word in document for term in of_word[word]] for document in documents]
    if not any(ids):
        return LEXICAL_SCHEMA.to_frame()
    model = bm25s.BM25(k1=K1, b=B, csc_backend="scipy")
    model.index((ids, number), create_empty_token=False, show_progress=False)
    postings = model.scores
    cuts = postings["indptr"][1:-1]
    columns = {
        "field": pl.repeat(name, len(number), dtype=pl.String, eager=True),
        "term": list(number),
        "chunks": np.split(postings["indices"], cuts),
        "weights": np.split(postings["data"], cuts),
    }
    return pl.DataFrame(columns, schema=LEXICAL_SCHEMA)


class Lexical(Scorer):
    """Ranks by the words that a question shares with the law. A question in another language shares next to none."""

    name = "lexical"

    def __init__(self, lexical: pl.DataFrame, index: Index) -> None:
        """`lexical` is a table of LEXICAL_SCHEMA. Raises IndexReplacedError where it is of other chunks than `index`."""
        from scipy import sparse

        if lexical.filter(field="of")["term"].to_list() != [_digest(index.chunk_ids)]:
            raise IndexReplacedError(
                "the lexical index is of other chunks than the index: one of them was made anew meanwhile, ask again"
            )

        super().__init__(Sections(index))
        lexical = lexical.filter(pl.col("field") != "of")
        starts = np.concatenate([[0], lexical["chunks"].list.len().cum_sum().to_numpy()])
        chunks = lexical["chunks"].explode().to_numpy()
        weights = lexical["weights"].explode().to_numpy()
        shape = (lexical.height, len(index.chunk_ids))
        self._weights = sparse.csr_matrix((weights, chunks, starts), shape=shape)
        self._row = {key: row for row, key in enumerate(zip(lexical["field"], lexical["term"], strict=True))}
        self._analysis = GermanAnalysis(term for field, term in self._row if field == "stem")

    def scores(self, asked: Asked) -> Scores:
        """Sums of BM25 weights."""
        from scipy import sparse

        counts = [self._terms(text) for text in asked.texts]
        starts = np.cumsum([0, *(len(terms) for terms in counts)])
        terms = np.array([term for found in counts for term in found], dtype=np.int64)
        times = np.array([times for found in counts for times in found.values()], dtype=np.float32)
        questions = sparse.csr_matrix((1 + np.log(times), terms, starts), shape=(len(asked), self._weights.shape[0]))
        of_chunks: Floats = (questions @ self._weights).toarray().astype(np.float32, copy=False)
        return Scores(self.sections.best(of_chunks), of_chunks)

    def rank(self, asked: Asked) -> Ranking:
        """Sections that share no word with the question are not found."""
        return self.ranked(self.scores(asked))

    def ranked(self, scores: Scores) -> Ranking:
        """The ranking of questions that are scored already."""
        shared = np.where(scores.sections > 0, scores.sections, np.float32(-np.inf))
        return ranked(Scores(shared, scores.chunks), self.sections)

    def _terms(self, text: str) -> Counter[int]:
        """The known terms of a text, by their row, and how often each is in it."""
        words = words_of(text)
        keys = [("stem", term) for word in words for term in self._analysis.stems(word)]
        keys += [("gram", term) for word in words for term in self._analysis.grams(word)]
        return Counter(self._row[key] for key in keys if key in self._row)
