"""Passages made for the tests of answering, and a corpus from the sample law."""

from lawrag_assets import sample
from lawrag_assets.laws.gii_xml import parse_law
from lawrag_assets.laws.source import law_source
from lawrag_assets.laws.tables import sections_table
from lawrag_assets.qa.model import Passage, Sentence
from lawrag_assets.qa.passages import Passages


def passage(citation: str, *sentences: str, law: str = "GartG", slug: str = "gartg", heading: str = "") -> Passage:
    """A passage "§ 3 Abs. 1" of a law, with its sentences."""
    section = citation.partition(" Abs.")[0]
    texts, at = [], 0
    for number, text in enumerate(sentences, 1):
        texts.append(
            Sentence(
                number, f"{citation} Satz {number} {law}" if len(sentences) > 1 else f"{citation} {law}", text, at, at + len(text)
            )
        )
        at += len(text) + 1
    return Passage(
        passage_id=f"{slug}/{citation}".replace(" ", ""),
        section_id=f"{slug}/{section}".replace(" ", ""),
        slug=slug,
        law=law,
        build="2025-01-01",
        citation=f"{citation} {law}",
        section_citation=f"{section} {law}",
        heading=heading,
        hierarchy=(),
        text=" ".join(sentences),
        sentences=tuple(texts),
    )


def sample_passages() -> Passages:
    """The passages of the sample law."""
    law = parse_law(law_source(str(sample.questions_path().parent)).fetch("sample").xml, slug="sample")
    return Passages.of_corpus(sections_table([law]))
