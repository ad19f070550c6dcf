"""Sentences that every form of the report says in the same words."""

from lawrag_assets.reporting.benchmark import Facts, QuestionSetFacts

_LAWS_NAMED = 12


def facts_lines(facts: Facts) -> list[tuple[str, str]]:
    """Name and value of each fact about the corpus."""
    named = [f"{law.law} ({law.sections:,} sections, build {law.build})" for law in facts.laws[:_LAWS_NAMED]]
    if len(facts.laws) > _LAWS_NAMED:
        named.append(f"and {len(facts.laws) - _LAWS_NAMED:,} more")
    return [
        ("Laws", ", ".join(named) or "none"),
        ("Sections in force", f"{facts.sections:,}"),
        ("Embedding model", facts.model),
        ("Date", facts.date),
    ]


def question_set_line(facts: QuestionSetFacts) -> str:
    """State how many questions were measured, and what of their gold the corpus lacks."""
    line = f"{facts.answerable:,} answerable questions measured"
    if facts.unanswerable:
        line += f", {facts.unanswerable:,} unanswerable ones left out"
    if facts.unknown_gold:
        line += f"; {facts.unknown_gold:,} gold citations name no section of the corpus and count as missed"
    return line + "."
