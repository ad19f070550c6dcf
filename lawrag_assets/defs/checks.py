"""Blocking checks: what is wrong here must not be built upon. The conditions themselves are the domain rooms'."""

import warnings
from collections.abc import Sequence

import dagster as dg
import numpy as np
import polars as pl

from lawrag_assets.chunking.integrity import duplicate_ids, uncovered_sections, unknown_parents
from lawrag_assets.defs.partitions import BASE_UNIT_PARTITIONS, GRID, LAWS, cell_of
from lawrag_assets.laws.archive import kept, parsed
from lawrag_assets.laws.figures import lost_characters
from lawrag_assets.retrieval.index import open_index
from lawrag_assets.storage import Storage

# Without their partitions the checks of a partitioned asset would load every partition; saying them is still a preview in Dagster.
warnings.filterwarnings("ignore", message=".*partitions_def on an AssetCheckSpec.*", category=dg.PreviewWarning)


def _result(problem: str, found: Sequence[str]) -> dg.AssetCheckResult:
    """Passed if nothing was found; else the first of what was found, and how many."""
    description = None if not found else f"{len(found)} {problem}: {', '.join(found[:5])}{' …' if len(found) > 5 else ''}"
    return dg.AssetCheckResult(passed=not found, metadata={"found": len(found)}, description=description)


@dg.asset_check(asset="law_sections", blocking=True, partitions_def=LAWS, additional_ins={"law_xml": dg.AssetIn("law_xml")})
def no_text_lost(law_sections: pl.DataFrame, law_xml: pl.DataFrame, paths: dg.ResourceParam[Storage]) -> dg.AssetCheckResult:
    """Every letter and digit of the file's text is in the parsed law; markup aside, and notes counted as notes."""
    file = kept(paths.laws, *law_xml.select("slug", "sha256").row(0))
    lost = lost_characters(file.xml, parsed(file))
    return _result(
        "kinds of characters of the file are fewer in the parsed law", [f"{mark} × {count}" for mark, count in lost.most_common()]
    )


@dg.asset_check(asset="corpus", blocking=True)
def section_ids_unique(corpus: pl.DataFrame) -> dg.AssetCheckResult:
    """No two sections share an id."""
    return _result("section ids occur twice", duplicate_ids(corpus, "section_id"))


@dg.asset_check(asset="corpus", blocking=True)
def corpus_has_text(corpus: pl.DataFrame) -> dg.AssetCheckResult:
    """Every law has a section in force with text; one that has none was misread, or is no longer law."""
    per_law = corpus.group_by("slug").agg(text=((pl.col("status") == "in_force") & (pl.col("text") != "")).any())
    return _result("laws without any section in force", sorted(per_law.filter(~pl.col("text"))["slug"]))


@dg.asset_check(asset="units", blocking=True, partitions_def=BASE_UNIT_PARTITIONS)
def unit_ids_unique(units: pl.DataFrame) -> dg.AssetCheckResult:
    """No two units share an id."""
    return _result("unit ids occur twice", duplicate_ids(units, "unit_id"))


@dg.asset_check(asset="chunks", blocking=True, partitions_def=GRID)
def chunk_ids_unique(chunks: pl.DataFrame) -> dg.AssetCheckResult:
    """No two chunks share an id."""
    return _result("chunk ids occur twice", duplicate_ids(chunks, "chunk_id"))


@dg.asset_check(asset="chunks", blocking=True, partitions_def=GRID, additional_ins={"corpus": dg.AssetIn("corpus")})
def chunk_parents_exist(chunks: pl.DataFrame, corpus: pl.DataFrame) -> dg.AssetCheckResult:
    """Every chunk speaks for at least one section, and all of them are in force."""
    return _result("parents are no section in force", unknown_parents(chunks, corpus))


@dg.asset_check(asset="chunks", blocking=True, partitions_def=GRID, additional_ins={"corpus": dg.AssetIn("corpus")})
def sections_covered(chunks: pl.DataFrame, corpus: pl.DataFrame) -> dg.AssetCheckResult:
    """Every section in force can be found by way of a chunk."""
    return _result("sections in force have no chunk", uncovered_sections(chunks, corpus))


@dg.asset_check(asset="chunk_index", blocking=True, partitions_def=GRID)
def vectors_normalised(context: dg.AssetCheckExecutionContext, paths: dg.ResourceParam[Storage]) -> dg.AssetCheckResult:
    """Every vector in the index is finite and of length 1."""
    index = open_index(paths.lancedb, cell_of(context.partition_key).table)
    lengths = np.linalg.norm(index.vectors, axis=1)
    wrong = np.flatnonzero(~(np.abs(lengths - 1) < 1e-3))  # a comparison with NaN is false, so this finds it too
    return _result("vectors are not of length 1", [index.chunk_ids[row] for row in wrong])
