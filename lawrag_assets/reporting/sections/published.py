"""What *Chunking German Legal Code* (ASAIL 2026) publishes in figures, and where it stands. Our own figures do not belong here.

All of it is in the text of section 4, beside the picture named; what the paper shows as a bar only is not guessed from the bar.
"""

from dataclasses import dataclass

PAPER = "https://arxiv.org/html/2605.19806"
SOURCES = (
    ("Recall@10: section 4, “Recall”, Figure 2", f"{PAPER}#S4.F2"),
    ("Latency: section 4, “Query performance and build time”, Figure 3", f"{PAPER}#S4.F3"),
    ("Build time: the same, Figure 4", f"{PAPER}#S4.F4"),
    ("Size: section 4, “Disk space”, Figure 5", f"{PAPER}#S4.F5"),
)

CONDITIONS = (
    ("Embedding model", "gemini-embedding-001"),
    ("Written by", "propositions by minimax-m2.5; contexts, boundaries and summaries by a model that the paper does not name"),
    ("Questions", "525 validation questions of DomainLLM/gerlayqa-bgb-paraphrased, about 1.7 gold sections each"),
    ("Laws", "BGB, 2,455 sections"),
    ("Machine", "not stated"),
    ("Search time", "mean of 5 runs over the 525 questions, vector store not stated"),
)


@dataclass(frozen=True)
class Published:
    """A figure, or both ends of a range of several cells of which the paper does not say which has which."""

    low: float
    high: float | None = None


_WINDOWS = ("window_16_4", "window_32_8", "window_64_16", "window_128_32", "window_256_64")
_UNITS = ("subsection", "sentence", "proposition")
CELLS = (
    *(f"{unit}/flat" for unit in ("section", *_UNITS, *_WINDOWS)),
    *(f"{unit}/{strategy}" for strategy in ("contextual", "semantic_cluster", "lumber", "raptor") for unit in _UNITS),
)
"""The 21 cells of Figure 2."""


def _family(strategy: str, low: float, high: float) -> dict[str, Published]:
    return {f"{unit}/{strategy}": Published(low, high) for unit in _UNITS}


RECALL = {"subsection/flat": Published(0.47), "section/flat": Published(0.46)}
RECALL_IN_WORDS = {
    "sentence/flat": "next strongest group",
    "proposition/flat": "next strongest group",
    **{f"{unit}/contextual": "clearly below the structural units" for unit in _UNITS},
    **{f"{unit}/{strategy}": "middle tier" for strategy in ("semantic_cluster", "raptor") for unit in _UNITS},
    **{f"{unit}/lumber": "among the worst" for unit in _UNITS},
    **{f"{window}/flat": "among the worst" for window in _WINDOWS},
    "window_256_64/flat": "lowest",
}

LATENCY_MS = _family("raptor", 2.00, 2.30) | _family("semantic_cluster", 13.72, 16.06) | _family("lumber", 13.72, 16.06)

BUILD_SECONDS = {
    "window_256_64/flat": Published(44),
    "section/flat": Published(51),
    "subsection/flat": Published(2 * 60 + 57),
    "sentence/flat": Published(4 * 60 + 57),
    "proposition/flat": Published(6 * 60 + 30),
    "window_16_4/flat": Published(10 * 60 + 25),
    "subsection/semantic_cluster": Published(5 * 60 + 39),
    "sentence/semantic_cluster": Published(5 * 60 + 39, 11 * 60 + 6),
    "proposition/semantic_cluster": Published(11 * 60 + 6),
    "subsection/contextual": Published(38 * 60 + 8),
    "sentence/contextual": Published(42 * 60 + 20),
    "proposition/contextual": Published(51 * 60 + 34),
    **_family("raptor", 3 * 3600 + 4 * 60, 5 * 3600 + 51 * 60),
    **_family("lumber", 9 * 3600 + 2 * 60, 11 * 3600 + 41 * 60),
}

INDEX_MB = {
    "section/flat": Published(33.2),
    "subsection/flat": Published(62.1),
    "sentence/flat": Published(95.7),
    "proposition/flat": Published(131.9),
    "window_256_64/flat": Published(14.7),
    "window_16_4/flat": Published(230.9),
    "subsection/contextual": Published(62.1),  # "since they embed the same number of units, their space … identical"
    "sentence/contextual": Published(95.7),
    "proposition/contextual": Published(131.9),
    **_family("semantic_cluster", 15.4, 16.4),
    **_family("lumber", 37.7, 52.4),
    **_family("raptor", 68.5, 144.1),
}
