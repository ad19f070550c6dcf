"""What strategies are handed, made without a model: vectors from the letters of a text, answers by rule."""

import zlib
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import polars as pl
from chunking.corpora import tokenize

from lawrag_assets.chunking import BASE_UNITS, STRATEGIES, Material
from lawrag_assets.chunking.material import Vectors
from lawrag_assets.chunking.propositions import write_propositions
from lawrag_assets.chunking.tables import ENRICHMENT_SCHEMA
from lawrag_assets.generation.extractive import ExtractiveGenerator
from lawrag_assets.generation.protocol import Generator
from lawrag_assets.laws.edges import EDGES_SCHEMA

EXTRACTIVE = ExtractiveGenerator()


def letters(texts: Sequence[str]) -> Vectors:
    """Vectors of length 1 of the pairs of letters in each text: equal texts have equal ones."""
    vectors = np.full((len(texts), 24), 0.01, np.float32)
    for row, text in enumerate(texts):
        for pair in pairwise(text):
            vectors[row, zlib.crc32("".join(pair).encode()) % 24] += 1
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def cut(name: str, corpus: pl.DataFrame) -> pl.DataFrame:
    base_unit = BASE_UNITS[name]
    source = corpus if base_unit.source == "corpus" else write_propositions(corpus, EXTRACTIVE)
    return base_unit.cut(source, tokenize)


def edges(corpus: pl.DataFrame) -> pl.DataFrame:
    """References as they might be: the first word of every Absatz leads to the section that stands next in the corpus."""
    rows = []
    for section, target in pairwise(corpus.iter_rows(named=True)):
        kind = "inside" if section["slug"] == target["slug"] else "other"
        for subsection in section["subsections"]:
            word = subsection["text"].partition(" ")[0]
            source = (section["section_id"], subsection["citation"], word)
            rows.append((*source, target["citation"], target["section_id"], kind))
    return pl.DataFrame(rows, schema=EDGES_SCHEMA, orient="row")


def enrich(
    strategy: str,
    units: pl.DataFrame,
    corpus: pl.DataFrame,
    former: pl.DataFrame | None = None,
    generator: Generator = EXTRACTIVE,
) -> pl.DataFrame:
    made = STRATEGIES[strategy].enrich
    if made is None:
        return ENRICHMENT_SCHEMA.to_frame()
    vectors = letters(units["text"].to_list())
    return made(Material(units, corpus, lambda: vectors, letters, generator, tokenize, lambda: edges(corpus), former))


def chunked(strategy: str, units: pl.DataFrame, corpus: pl.DataFrame) -> pl.DataFrame:
    return STRATEGIES[strategy].build(units, enrich(strategy, units, corpus))
