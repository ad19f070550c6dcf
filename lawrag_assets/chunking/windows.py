"""Windows: overlapping runs of a fixed number of tokens over the running text (paper, section 3, "fixed size splitting").

A window crosses sections, so it may have several parents, but never a heading: each lowest heading of the hierarchy starts anew,
so that an amendment moves only the windows near it. Tokens are always those of the bundled model's tokenizer, whatever model
embeds, so that a window's size means the same in every comparison.
"""

from collections.abc import Iterator
from functools import partial
from itertools import groupby
from typing import Any

import polars as pl

from lawrag_assets.chunking.material import Tokenize
from lawrag_assets.chunking.registry import BASE_UNITS, BaseUnit
from lawrag_assets.chunking.units import sections_in_force, units_table

SIZES_AND_OVERLAPS = ((16, 4), (32, 8), (64, 16), (128, 32), (256, 64))

Row = dict[str, Any]
Token = tuple[int, int, int]
"""Number of the section within its group, start and end character in that section's text."""


def window_name(size: int, overlap: int) -> str:
    """The base unit's public name."""
    return f"window_{size}_{overlap}"


def window_bounds(tokens: int, size: int, overlap: int) -> Iterator[tuple[int, int]]:
    """First token of each window and one past its last. The last window may be shorter; none lies wholly within its predecessor."""
    step = size - overlap
    for start in range(0, max(tokens - overlap, 1), step):
        yield start, min(start + size, tokens)


def _spans(tokens: list[Token], sections: list[Row]) -> list[Row]:
    spans = []
    for number, run in groupby(tokens, key=lambda token: token[0]):
        within = list(run)
        spans.append({"section_id": sections[number]["section_id"], "start": within[0][1], "end": within[-1][2]})
    return spans


def _window(tokens: list[Token], sections: list[Row]) -> Row:
    spans = _spans(tokens, sections)
    covered = sections[tokens[0][0] : tokens[-1][0] + 1]
    texts = {section["section_id"]: section["text"] for section in covered}
    first, last = covered[0], covered[-1]
    return {
        "unit_id": f"{first['section_id']}@{spans[0]['start']}",
        "slug": first["slug"],
        "build": first["build"],
        "citation": first["citation"] if first is last else f"{first['citation']} – {last['citation']}",
        "text": " ".join(texts[span["section_id"]][span["start"] : span["end"]] for span in spans),
        "parents": [span["section_id"] for span in spans],
        "spans": spans,
    }


def _visible(text: str, start: int, end: int) -> tuple[int, int]:
    """The token without the white space that some tokenizers count to it."""
    token = text[start:end]
    return start + len(token) - len(token.lstrip()), end - (len(token) - len(token.rstrip()))


def cut_windows(corpus: pl.DataFrame, tokenize: Tokenize, *, size: int, overlap: int) -> pl.DataFrame:
    """Windows of `size` tokens, each sharing `overlap` with its predecessor."""
    sections = list(sections_in_force(corpus).iter_rows(named=True))
    tokenized = tokenize([section["text"] for section in sections])
    numbered = zip(sections, tokenized, strict=True)
    rows = []
    for _, group in groupby(numbered, key=lambda pair: (pair[0]["slug"], pair[0]["hierarchy"])):
        members = list(group)
        tokens = [
            (number, *bounds)
            for number, (section, offsets) in enumerate(members)
            for bounds in (_visible(section["text"], *offset) for offset in offsets)
            if bounds[0] < bounds[1]
        ]
        under_one_heading = [section for section, _ in members]
        rows += [
            _window(tokens[start:end], under_one_heading)
            for start, end in window_bounds(len(tokens), size, overlap)
            if start < end
        ]
    return units_table(window_name(size, overlap), rows)


def register() -> None:
    """Add the paper's five windows to the registry."""
    for size, overlap in SIZES_AND_OVERLAPS:
        BASE_UNITS.register(BaseUnit(window_name(size, overlap), "1", partial(cut_windows, size=size, overlap=overlap)))
