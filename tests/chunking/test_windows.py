"""Windows: their size, their overlap, and the headings that they never cross."""

from itertools import pairwise

import polars as pl
import pytest
from chunking.corpora import corpora, tokenize
from hypothesis import given
from hypothesis import strategies as st

from lawrag_assets.chunking import BASE_UNITS
from lawrag_assets.chunking.windows import SIZES_AND_OVERLAPS, window_bounds


@given(tokens=st.integers(1, 2000), window=st.sampled_from(SIZES_AND_OVERLAPS))
def test_windows_cover_all_tokens_with_the_promised_size_and_overlap(tokens: int, window: tuple[int, int]) -> None:
    size, overlap = window
    bounds = list(window_bounds(tokens, size, overlap))
    assert bounds[0][0] == 0
    assert bounds[-1][1] == tokens
    assert all(end - start == size for start, end in bounds[:-1])
    assert all(end - next_start == overlap for (_, end), (next_start, _) in pairwise(bounds))
    assert all(next_end > end for (_, end), (_, next_end) in pairwise(bounds))


@pytest.mark.parametrize(("size", "overlap"), SIZES_AND_OVERLAPS)
@given(corpus=corpora())
def test_a_window_stays_under_one_heading(size: int, overlap: int, corpus: pl.DataFrame) -> None:
    headings = {row["section_id"]: (row["slug"], row["hierarchy"][-1]["label"]) for row in corpus.iter_rows(named=True)}
    for parents in BASE_UNITS[f"window_{size}_{overlap}"].cut(corpus, tokenize)["parents"]:
        assert len({headings[parent] for parent in parents}) == 1


@given(corpus=corpora(), data=st.data())
def test_an_amendment_moves_only_the_windows_under_its_heading(corpus: pl.DataFrame, data: st.DataObject) -> None:
    changed = data.draw(st.sampled_from(corpus["section_id"].to_list()))
    heading = corpus.row(by_predicate=pl.col("section_id") == changed, named=True)["hierarchy"]
    slug = changed.split("/")[0]
    is_near = (pl.col("slug") == slug) & (pl.col("hierarchy") == heading)
    near = set(corpus.filter(is_near)["section_id"])
    amended = corpus.with_columns(
        text=pl.when(pl.col("section_id") == changed).then(pl.lit("neuer text ") + pl.col("text")).otherwise("text")
    )

    def far_windows(frame: pl.DataFrame) -> list[tuple[str, str]]:
        units = BASE_UNITS["window_16_4"].cut(frame, tokenize)
        return [
            (unit_id, text)
            for unit_id, text, parents in units.select("unit_id", "text", "parents").iter_rows()
            if not near & set(parents)
        ]

    assert far_windows(amended) == far_windows(corpus)
