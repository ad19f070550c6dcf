"""What must hold of every strategy's chunks, whatever it does: ids once, parents that exist, no section in force left out."""

import polars as pl

from lawrag_assets.chunking.units import sections_in_force


def duplicate_ids(frame: pl.DataFrame, column: str) -> list[str]:
    """Ids that occur more than once, sorted."""
    return sorted(frame.filter(pl.col(column).is_duplicated())[column].unique())


def unknown_parents(chunks: pl.DataFrame, corpus: pl.DataFrame) -> list[str]:
    """Parents of chunks that are no section of the corpus in force, and the ids of chunks without any parent, sorted."""
    parents = chunks["parents"].explode().drop_nulls().unique()
    orphans = chunks.filter(pl.col("parents").list.len() == 0)["chunk_id"].to_list()
    known = sections_in_force(corpus)["section_id"]
    return sorted([*parents.filter(~parents.is_in(known.implode())), *orphans])


def uncovered_sections(chunks: pl.DataFrame, corpus: pl.DataFrame) -> list[str]:
    """Sections in force that no chunk speaks for, in document order."""
    covered = chunks["parents"].explode().drop_nulls().unique()
    return sections_in_force(corpus).filter(~pl.col("section_id").is_in(covered.implode()))["section_id"].to_list()
