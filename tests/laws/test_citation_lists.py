"""Texts that hold several citations, as foreign data sets write them."""

import pytest

from lawrag_assets.laws.citation_lists import citations_in


@pytest.mark.parametrize(
    ("text", "citations"),
    [
        ("§ 433 BGB", ["§ 433 BGB"]),
        ("§ 433 I 2 BGB; § 1 ArbZG", ["§ 433 I 2 BGB", "§ 1 ArbZG"]),
        ("§ 433 BGB, § 434 BGB", ["§ 433 BGB", "§ 434 BGB"]),
        ("§ 12 WEG, Art 14 GG", ["§ 12 WEG", "Art 14 GG"]),
        ("§ 433 BGB § 434 BGB", ["§ 433 BGB", "§ 434 BGB"]),
        ("§ 1 BGB\n§ 2 BGB\n§ 1 BGB", ["§ 1 BGB", "§ 2 BGB"]),
        ("§§ 433, 434 BGB", ["§ 433 BGB", "§ 434 BGB"]),
        ("§§ 433 bis 436 BGB", ["§ 433 BGB", "§ 434 BGB", "§ 435 BGB", "§ 436 BGB"]),
        ("§ 433 Abs. 1 und 2 BGB", ["§ 433 Abs. 1 BGB", "§ 433 Abs. 2 BGB"]),
        ("§ 573c Abs. 1 S. 1 BGB i.V.m. § 542 BGB", ["§ 573c Abs. 1 S. 1 BGB", "§ 542 BGB"]),
        ("§ 1, § 2 BGB", ["§ 1 BGB", "§ 2 BGB"]),
        ("§§ 1, 2; § 3 BGB", ["§ 1 BGB", "§ 2 BGB", "§ 3 BGB"]),
        ("['§ 1 BGB', '§ 2 BGB']", ["§ 1 BGB", "§ 2 BGB"]),
        ("siehe § 1 BGB", ["§ 1 BGB"]),
        ("433 BGB", ["433 BGB"]),
        ("§ 3 des Arbeitszeitgesetzes", ["§ 3 des Arbeitszeitgesetzes"]),
        ("§ 1 BGB; unklar", ["§ 1 BGB", "unklar"]),
        ("keine", ["keine"]),
        (" ; ", []),
        ("", []),
    ],
)
def test_a_text_is_cut_into_its_citations(text: str, citations: list[str]) -> None:
    assert citations_in(text) == citations
