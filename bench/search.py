"""Search and aggregation of single questions beside a bare numpy scan of the same vectors, cell by cell in one run.

    python bench/search.py storage/profiles/demo/lancedb    # the cells of a LanceDB folder
    python bench/search.py                                  # made-up vectors in the sizes of the Civil Code's cells

The bare scan is `query @ vectors.T` and `argpartition`: what finding 100 chunks costs at the least, without ranking a section.
Both are timed in turn on each question, so that whatever else the machine does falls on both.
"""

import argparse
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

from lawrag_assets.retrieval.aggregation import rank_sections
from lawrag_assets.retrieval.dense import CANDIDATES
from lawrag_assets.retrieval.hits import Floats, Parents
from lawrag_assets.retrieval.index import Index, open_index
from lawrag_assets.retrieval.latency import bare_scan

DIMENSION = 384
SIZES = {  # chunks and most parents of a chunk, about as in the Civil Code
    "section/flat": (2_470, 1),
    "subsection/flat": (4_857, 1),
    "sentence/flat": (9_000, 1),
    "window_16_4/flat": (26_000, 2),
    "window_32_8/flat": (13_000, 3),
    "window_64_16/flat": (6_500, 4),
    "window_128_32/flat": (3_300, 6),
    "window_256_64/flat": (1_700, 10),
    "the largest foreseen": (65_000, 2),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("lancedb", nargs="?", type=Path, help="folder of LanceDB tables; without it, made-up vectors")
    parser.add_argument("--questions", type=int, default=300)
    arguments = parser.parse_args()
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("cell", overflow="fold")
    for heading in ("chunks", "bare p50\nms", "p95\nms", "ours p50\nms", "p95\nms", "ratio\nof p50", "p50\nmore, ms"):
        table.add_column(heading, justify="right", no_wrap=True)
    for name, index in cells(arguments.lancedb):
        bare, ours = measure(index, arguments.questions)
        (bare50, bare95), (ours50, ours95) = np.percentile(bare, (50, 95)), np.percentile(ours, (50, 95))
        figures = (bare50, bare95, ours50, ours95, ours50 / bare50, ours50 - bare50)
        table.add_row(name, f"{len(index.chunk_ids):,}", *(f"{figure:.2f}" for figure in figures))
    Console().print(table)


def cells(folder: Path | None) -> Iterator[tuple[str, Index]]:
    """Open every table of a folder, or make the synthetic ones, one at a time."""
    if folder is None:
        for name, (chunks, most) in SIZES.items():
            yield name, synthetic(chunks, most)
    else:
        for table in sorted(folder.glob("*.lance")):
            yield table.stem.replace(".", "/"), open_index(folder, table.stem)


def synthetic(chunks: int, most: int) -> Index:
    """Random directions; chunk after chunk belongs to 1 to `most` neighbouring sections of 2,470."""
    generator = np.random.default_rng(chunks)
    first = np.arange(chunks) * 2_470 // chunks
    counts = generator.integers(1, most + 1, chunks)
    parents = [[f"bgb/§{s}" for s in range(begin, begin + count)] for begin, count in zip(first, counts, strict=True)]
    return Index(tuple(map(str, range(chunks))), directions(generator, chunks), Parents.from_lists(parents))


def directions(generator: np.random.Generator, count: int, dimension: int = DIMENSION) -> Floats:
    vectors = generator.standard_normal((count, dimension)).astype(np.float32)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def measure(index: Index, questions: int) -> tuple[list[float], list[float]]:
    """Milliseconds of the bare scan and of ours, question by question."""
    vectors = index.vectors
    queries = directions(np.random.default_rng(0), questions + 20, vectors.shape[1])

    def scan(query: Floats) -> object:
        return bare_scan(vectors, query, CANDIDATES)

    def ours(query: Floats) -> object:
        return rank_sections(index.search(query, CANDIDATES), index.parents)

    times = [(timed(scan, query[None]), timed(ours, query[None])) for query in queries][20:]
    return [bare for bare, _ in times], [full for _, full in times]


def timed(work: Callable[[Floats], object], query: Floats) -> float:
    begin = time.perf_counter()
    work(query)
    return (time.perf_counter() - begin) * 1000


if __name__ == "__main__":
    main()
