"""Numbers in digits and in words of both languages are compared as what they mean."""

import pytest

from lawrag_assets.qa.numbers import numbers_in


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("mindestens elf Stunden", {"11"}),
        ("at least 11 hours", {"11"}),
        ("eleven hours", {"11"}),
        ("bis zu dreißigtausend Euro", set()),
        ("bis zu 30.000 Euro", {"30000"}),
        ("up to 30,000 euros", {"30000"}),
        ("bis zu 30 000 Euro", {"30000"}),
        ("48 Stunden in 24 Wochen", {"48", "24"}),
        ("fünfundvierzig Minuten", {"45"}),
        ("forty-five minutes", {"45"}),
        ("1,5 Stunden", {"1.5"}),
        ("ein Arbeitnehmer, one employee", set()),
        ("§ 21a Abs. 4", {"4"}),
    ],
)
def test_numbers_of_a_text(text: str, numbers: set[str]) -> None:
    assert numbers_in(text) == numbers
