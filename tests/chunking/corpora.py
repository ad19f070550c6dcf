"""Small random corpora, with everything that makes cutting hard: repeated labels, parts out of force, one giant section, headings."""

from typing import Any

import polars as pl
from hypothesis import strategies as st

from lawrag_assets.laws.tables import SECTIONS_SCHEMA

WORDS = st.text(alphabet="abcdeäöüß", min_size=1, max_size=8)
SENTENCES = st.lists(WORDS, min_size=1, max_size=12).map(lambda words: " ".join(words) + ".")
STATUSES = st.sampled_from(["in_force", "in_force", "in_force", "repealed", "future"])


@st.composite
def _subsections(draw: st.DrawFn, citation: str) -> tuple[str, list[dict[str, Any]]]:
    """Absätze with their offsets, and the running text they stand in."""
    count = draw(st.integers(1, 4))
    text, rows = "", []
    for number in range(count):
        label = str(draw(st.integers(1, 3))) if count > 1 else None
        text += f"{' ' if text else ''}({label}) " if label else ""
        start, sentences = len(text), []
        for place, sentence in enumerate(draw(st.lists(SENTENCES, min_size=1, max_size=4)), start=1):
            text += " " if place > 1 else ""
            sentences.append(
                {
                    "number": place,
                    "citation": f"{citation} Satz {place}",
                    "text": sentence,
                    "start": len(text),
                    "end": len(text) + len(sentence),
                }
            )
            text += sentence
        rows.append(
            {
                "label": label,
                "citation": f"{citation} Abs. {label}" if label else citation,
                "status": draw(STATUSES) if number else "in_force",
                "text": text[start:],
                "start": start,
                "end": len(text),
                "sentences": sentences,
            }
        )
    return text, rows


@st.composite
def corpora(draw: st.DrawFn, max_sections: int = 6) -> pl.DataFrame:
    """A corpus of one or two laws as a table of SECTIONS_SCHEMA."""
    rows = []
    for slug in draw(st.sampled_from([["aa"], ["aa", "bb"]])):
        heading = 0
        for number in range(1, draw(st.integers(1, max_sections)) + 1):
            heading += draw(st.booleans())
            citation = f"§ {number} {slug.upper()}"
            text, subsections = draw(_subsections(citation))
            rows.append(
                {
                    "section_id": f"{slug}/§{number}",
                    "slug": slug,
                    "law": slug.upper(),
                    "build": "2025-01-01",
                    "position": number - 1,
                    "citation": citation,
                    "designation": f"§ {number}",
                    "heading": draw(WORDS),
                    "kind": "section",
                    "status": draw(STATUSES),
                    "status_evidence": "",
                    "hierarchy": [{"label": f"Teil {heading}", "title": "Titel"}],
                    "text": text,
                    "subsections": subsections,
                    "references": [],
                    "notes": [],
                }
            )
    return pl.DataFrame(rows, schema=SECTIONS_SCHEMA)


def tokenize(texts: list[str]) -> list[list[tuple[int, int]]]:
    """Pieces of at most three characters, with the white space before them, as subword tokenizers count it."""
    tokenized = []
    for text in texts:
        offsets, start = [], 0
        while start < len(text):
            end = min(start + 3, len(text))
            offsets.append((start, end))
            start = end
        tokenized.append(offsets)
    return tokenized
