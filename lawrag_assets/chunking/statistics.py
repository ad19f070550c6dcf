"""What a chunking is like in itself, before any question is asked: sizes, repetition, and how it treats the statute's sentences."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import polars as pl

from lawrag_assets.chunking.material import Tokenize

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class ChunkStatistics:
    """Figures of one cell's chunks. Texts are as shown, without generated contexts; a tree's summaries are left out of the shares."""

    chunks: int
    tokens_median: float
    """Of the bundled model's tokenizer, whatever embeds."""
    tokens_p95: float
    parents_mean: float
    """Sections that a chunk speaks for."""
    twice: float
    """Share of the indexed characters that repeat others: 0 where every place of the law is indexed once."""
    inside_sentence: float
    """Share of chunks that begin or end inside a sentence."""


def chunk_statistics(chunks: pl.DataFrame, units: pl.DataFrame, corpus: pl.DataFrame, tokenize: Tokenize) -> ChunkStatistics:
    """Take the figures of `chunks` (CHUNKS_SCHEMA), made of `units` (UNITS_SCHEMA) of `corpus` (`laws.tables.SECTIONS_SCHEMA`)."""
    if chunks.is_empty():
        return ChunkStatistics(0, 0.0, 0.0, 0.0, 0.0, 0.0)
    tokens = np.array([len(found) for found in tokenize(chunks["text"].to_list())])
    leaves = chunks.filter(pl.col("children").list.len() == 0)
    spans = leaves.select("chunk_id", unit_id="units").explode("unit_id").join(units.select("unit_id", "spans"), on="unit_id")
    spans = spans.select("chunk_id", "spans").explode("spans").unnest("spans")
    indexed = int(leaves["text"].str.len_chars().sum())
    cut = spans.filter(_inside_sentences(spans, corpus))["chunk_id"].n_unique()
    return ChunkStatistics(
        chunks=chunks.height,
        tokens_median=float(np.median(tokens)),
        tokens_p95=float(np.percentile(tokens, 95)),
        parents_mean=float(chunks["parents"].list.len().to_numpy().mean()),
        twice=max(0.0, 1 - _covered(spans) / indexed),
        inside_sentence=cut / leaves.height,
    )


def _covered(spans: pl.DataFrame) -> int:
    """Characters of the law that lie in at least one span."""
    total = 0
    for _, places in spans.sort("section_id", "start").group_by("section_id", maintain_order=True):
        end = 0
        for start, stop in places.select("start", "end").iter_rows():
            total += max(0, stop - max(start, end))
            end = max(end, stop)
    return total


def _inside_sentences(spans: pl.DataFrame, corpus: pl.DataFrame) -> pl.Series:
    """Whether each span begins or ends strictly inside a sentence."""
    bounds = dict(corpus.select("section_id", "subsections").iter_rows())
    inside = []
    known: dict[str, Ints] = {}
    for section_id, start, end in spans.select("section_id", "start", "end").iter_rows():
        if section_id not in known:
            sentences = [s for subsection in bounds[section_id] for s in subsection["sentences"]]
            known[section_id] = np.array([(s["start"], s["end"]) for s in sentences], dtype=np.int64).reshape(-1, 2)
        sentences_of = known[section_id]
        inside.append(any(((sentences_of[:, 0] < at) & (at < sentences_of[:, 1])).any() for at in (start, end)))
    return pl.Series(inside, dtype=pl.Boolean)
