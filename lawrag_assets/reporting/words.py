"""Sentences and short texts that every form of the report says in the same words: facts, durations, p-values, ratios."""

from lawrag_assets.reporting.benchmark import Facts, QuestionSetFacts

NOTHING = "–"
MINUS = "−"
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
        *([("Machine", facts.machine)] if facts.machine else []),
        *([("Search time", facts.timing)] if facts.timing else []),
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


def duration(seconds: float) -> str:
    """A time as the paper writes it: "51 s", "2 m 57 s", "3 h 4 m"; below ten seconds with a decimal or two."""
    if seconds < 9.95:
        return f"{seconds:.1f} s" if seconds >= 0.095 else f"{seconds:.2g} s"
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} m {whole % 60} s"
    minutes = round(seconds / 60)
    return f"{minutes // 60:,} h {minutes % 60} m"


def p_text(p: float) -> str:
    """A p-value to two digits, "< 0.0001" below that."""
    return "< 0.0001" if p < 0.0001 else f"{p:.2g}"


def p_is(p: float) -> str:
    """A p-value in a sentence: "p = 0.04", "p < 0.0001"."""
    text = p_text(p)
    return f"p {text}" if text.startswith("<") else f"p = {text}"


def ratio(value: float, reference: float) -> str:
    """How many times the reference: "3.5 times", "120 times"."""
    times = value / reference
    return f"{times:,.0f} times" if times >= 9.95 else f"{times:.1f} times" if times >= 0.095 else f"{times:.2g} times"


def listed(texts: list[str]) -> str:
    """Texts in a sentence: "a, b and c"."""
    return " and ".join([", ".join(texts[:-1]), texts[-1]] if len(texts) > 1 else texts)
