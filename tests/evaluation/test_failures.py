"""Missed gold sections: which ones, what is said of each, and to what cause it is put down."""

from typing import Any

import polars as pl

from lawrag_assets.evaluation.failures import CAUSES, FAILURES_SCHEMA, content_words, find_failures

SECTIONS = {
    "a/§1": ("Buch 1", "Der Hund darf nicht bellen."),
    "a/§2": ("Buch 1", "Die Katze bellt nicht."),
    "a/§3": ("Buch 2", "Der Vermieter zahlt die Kaution zurück."),
    "a/§4": ("Buch 3", "Der Bürgermeister haftet für Brücken."),
    "a/§5": ("", "Ein Hund beißt die Katze des Nachbarn."),
    "a/§6": ("", "Mietsicherheiten sind zu erstatten."),
    **{f"a/§{n}": (f"Buch {n}", "Füllung.") for n in range(10, 60)},
}


def sections() -> pl.DataFrame:
    level = pl.Struct({"label": pl.String, "title": pl.String})
    return pl.DataFrame(
        [(name, [{"label": book, "title": "Titel"}] if book else [], text) for name, (book, text) in SECTIONS.items()],
        schema={"section_id": pl.String, "hierarchy": pl.List(level), "text": pl.String},
        orient="row",
    )


def failures(
    question: str, gold: list[str], ranking: list[str], references: tuple[tuple[str, str | None], ...] = ()
) -> list[dict[str, Any]]:
    """The misses of one question."""
    run = pl.DataFrame(
        {"question_set": "set", "query": "q", "section": ranking, "rank": range(1, len(ranking) + 1)},
        schema_overrides={"rank": pl.Int32, "section": pl.String},
    ).cast({"question_set": pl.String, "query": pl.String})
    found = find_failures(
        run,
        pl.DataFrame({"question_set": "set", "query": "q", "section": gold}),
        pl.DataFrame({"question_set": ["set"], "id": ["q"], "question": [question]}),
        sections(),
        pl.DataFrame(references, schema={"source": pl.String, "target": pl.String}, orient="row"),
        lambda texts: [len(text.split()) for text in texts],
    )
    assert found.schema == FAILURES_SCHEMA
    return found.rows(named=True)


def others(count: int) -> list[str]:
    return [f"a/§{n}" for n in range(10, 10 + count)]


def test_a_gold_section_among_the_first_ten_is_no_miss() -> None:
    assert failures("Hund", ["a/§1"], [*others(9), "a/§1"]) == []


def test_what_is_said_of_a_miss() -> None:
    (miss,) = failures("Wann zahlt der Vermieter meine Kaution?", ["a/§3"], [*others(12), "a/§3"])
    assert miss == {
        "question_set": "set", "query": "q", "section": "a/§3", "cause": "ranked 11 to 25", "rank": 13, "found": "a/§10",
        "linked": None, "neighbour": None, "overlap": 1.0, "length": 6, "chapter": "Buch 2 Titel",
    }  # fmt: skip


def test_each_cause_and_which_comes_first() -> None:
    cases = {
        "no such section": failures("Hund", ["§ 99 A"], others(5)),
        "ranked 11 to 25": failures("Hund", ["a/§1"], [*others(24), "a/§1"], (("a/§10", "a/§1"),)),
        "linked to a found one": failures("Hund", ["a/§1"], ["a/§2", *others(30), "a/§1"], (("a/§2", "a/§1"),)),
        "only its chapter found": failures("Hund", ["a/§1"], ["a/§2", *others(30), "a/§1"]),
        "ranked below 25": failures("Hund", ["a/§1"], [*others(30), "a/§1"]),
        "other words": failures("Zahlt der Vermieter die Kaution?", ["a/§6"], ["a/§3", *others(20)]),
        "out of reach": failures("Hund", ["a/§1"], others(20)),
    }
    assert {name: [miss["cause"] for miss in found] for name, found in cases.items()} == {name: [name] for name in CAUSES}
    (not_there,) = cases["no such section"]
    assert [not_there[name] for name in ("rank", "overlap", "length", "chapter")] == [None] * 4
    assert cases["only its chapter found"][0]["neighbour"] == "a/§2"


def test_a_reference_counts_either_way_and_the_best_found_section_is_named() -> None:
    found = ["a/§10", "a/§4", "a/§2"]
    for references in ((("a/§1", "a/§2"), ("a/§4", "a/§1")), (("a/§2", "a/§1"), ("a/§1", "a/§4"), ("a/§1", None))):
        (miss,) = failures("Brücken", ["a/§1"], found, references)
        assert (miss["linked"], miss["cause"]) == ("a/§4", "linked to a found one")


def test_sections_without_headings_are_no_neighbours() -> None:
    (miss,) = failures("Kaution", ["a/§6"], ["a/§5"])
    assert (miss["neighbour"], miss["chapter"]) == (None, None)


def test_nothing_found_at_all() -> None:
    (miss,) = failures("Hund", ["a/§1"], [])
    assert (miss["found"], miss["cause"]) == (None, "out of reach")


def test_several_gold_sections_are_looked_into_one_by_one() -> None:
    misses = failures("Hund", ["a/§1", "a/§10", "a/§3"], others(20))
    assert [miss["section"] for miss in misses] == ["a/§1", "a/§3"]


def test_words_that_say_what_a_text_is_about() -> None:
    assert content_words("Der Mieter kündigt, weil die Mieterin … am 3. Mai gekündigt hat!") == {
        "mieter",
        "kündig",
        "mai",
        "gekünd",
    }
    assert content_words("The landlord would not pay it") == {"landlo", "pay"}
    assert content_words("12 § !") == frozenset()
