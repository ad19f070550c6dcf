"""A question goes to the laws that it names, or that it is most like."""

import numpy as np
import pytest
from qa.small_laws import passage

from lawrag_assets.qa.finding import PassageScores
from lawrag_assets.qa.routing import Router

PASSAGES = [
    *(passage(f"§ {number}", "Text.", law="ArbZG", slug="arbzg") for number in range(1, 4)),
    *(passage(f"§ {number}", "Text.", law="BUrlG", slug="burlg") for number in range(1, 3)),
    *(passage(f"§ {number}", "Text.", law="SGB IX", slug="sgb_9_2018") for number in range(1, 3)),
]
NOTHING = np.zeros(len(PASSAGES), np.float32)


def scores(*centred: float) -> PassageScores:
    return PassageScores(NOTHING, np.array(centred, np.float32), NOTHING)


@pytest.mark.parametrize(
    ("question", "slug"),
    [
        ("Was sagt § 3 BUrlG?", "burlg"),
        ("Steht das im Arbeitszeitgesetz?", "arbzg"),
        ("Gilt das nach den Regeln des Bundesurlaubsgesetzes?", "burlg"),
        ("Does the ArbZG say so?", "arbzg"),
        ("Was folgt aus § 5 SGB IX?", "sgb_9_2018"),
    ],
)
def test_a_law_that_is_named_comes_first_whatever_the_scores(question: str, slug: str) -> None:
    routes = Router(PASSAGES).route(
        question, scores(0, 0, 0, 0.5, 0.4, 0.9, 0.8) if slug != "sgb_9_2018" else scores(*[0.9] * 5, 0, 0)
    )
    assert routes[0].slug == slug
    assert [route.named for route in routes] == [True, False, False]


def test_no_name_no_law_is_named() -> None:
    assert Router(PASSAGES).named("Wie viel Urlaub habe ich im Jahr? Gilt das BGB?") == set()


def test_without_a_name_the_nearest_law_comes_first() -> None:
    routes = Router(PASSAGES).route("Wie lange ist Pause?", scores(0.1, 0.2, 0.1, 0.9, 0.7, 0.3, 0.2))
    assert [route.slug for route in routes] == ["burlg", "sgb_9_2018", "arbzg"]
    assert routes[0].score > routes[1].score > routes[2].score
