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
        ("Questions", ", ".join(f"{questions.name} ({_count(questions)})" for questions in facts.question_sets) or "none"),
        ("Embedding model", facts.model),
        ("Written by", facts.generator),
        ("Date", facts.date),
    ]


def _count(facts: QuestionSetFacts) -> str:
    """How many questions there are: "60 and 40 unanswerable"."""
    return f"{facts.answerable:,}" + (f" and {facts.unanswerable:,} unanswerable" if facts.unanswerable else "")


def question_set_line(facts: QuestionSetFacts) -> str:
    """State how many questions were measured, and what of their gold the corpus lacks."""
    line = f"{facts.answerable:,} answerable questions measured"
    if facts.unanswerable:
        line += f", {facts.unanswerable:,} unanswerable ones left out"
    if facts.unknown_gold:
        line += f"; {facts.unknown_gold:,} gold citations name no section of the corpus and count as missed"
    return line + "."
