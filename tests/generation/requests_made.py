"""Requests about a statute made up here: the gardens' act."""

from lawrag_assets.generation.protocol import (
    BoundaryRequest,
    ContextRequest,
    PropositionsRequest,
    Request,
    ShownUnit,
    SummaryRequest,
)

DUTIES = (
    "Wer eine Parzelle nutzt, hat sie bis zum 15. März umzugraben und die Wege in einer Breite von 80 Zentimetern freizuhalten, es "
    "sei denn, der Boden ist nach § 3 Nummer 4 gefroren. Bäume dürfen ohne Zustimmung des Gartenvorstands nicht gefällt werden."
)
SECTION = f"(1) {DUTIES} (2) Die Zustimmung ist zwei Wochen vorher einzuholen. Dies gilt nicht für Obstbäume."


def context(unit: str = "Dies gilt nicht für Obstbäume.", heading: str = "Pflege der Parzelle") -> ContextRequest:
    return ContextRequest("§ 12 Abs. 2 Satz 2 NGG", ("Teil 2 Parzellen", "Abschnitt 1 Nutzung"), heading, SECTION, unit)


def unit(name: str) -> PropositionsRequest:
    return PropositionsRequest(f"Das Beet {name} ist nicht zu betreten.")


def boundary(count: int = 4) -> BoundaryRequest:
    return BoundaryRequest(tuple(ShownUnit(f"§ {n} NGG", f"Das Beet {n} ist zu pflegen.") for n in range(1, count + 1)))


def summary() -> SummaryRequest:
    return SummaryRequest((DUTIES, "Der Brunnen ist abzudecken."))


EVERY: tuple[Request[object], ...] = (context(), PropositionsRequest(DUTIES), boundary(), summary())  # type: ignore[assignment]
"""One request of each task."""
