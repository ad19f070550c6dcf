"""What an answer or a text takes, in money and time: by what the same model took before, where that is known."""

from collections.abc import Sequence
from dataclasses import dataclass

from lawrag_assets.embedding import foresight as embedding
from lawrag_assets.embedding.cached import Pace
from lawrag_assets.generation import extractive
from lawrag_assets.generation import foresight as generation
from lawrag_assets.generation.answers import Holding
from lawrag_assets.generation.protocol import Task
from lawrag_assets.services import Price, price_of

PAPER_SECONDS_AN_ANSWER = 0.46
PAPER_SECONDS_A_TEXT = 0.039
"""The pace of the paper's services, for want of a measured one. Its Figures 4 and 5: `subsection/flat` takes 2 min 57 s and 62.1 MB,
`subsection/contextual` 38 min 8 s, and 33.2 MB are 2,455 vectors: so 4,592 texts in 177 s, and as many answers in 2,111 s."""

LITELLM = "litellm/"


@dataclass(frozen=True)
class Amount:
    """Tokens of answers, money and time; None where there is nothing to reckon with."""

    output_tokens: int
    cost: float | None
    seconds: float | None


class AnswerRates:
    """What the answers of one language model take. Rules take nothing."""

    def __init__(self, model: str, holdings: Sequence[Holding]) -> None:
        """Take the model's name, and what is kept of anybody's answers."""
        self.model = model
        self.rules = model == extractive.NAME
        self.price: Price | None = None if self.rules else price_of(model)
        mine = [holding for holding in holdings if holding.model == model]
        self._before = {task: max((h for h in mine if h.task == task), key=lambda h: h.entries, default=None) for task in Task}

    def of(self, task: Task, foreseen: generation.Foreseen) -> Amount:
        """What so many requests of a task take."""
        if not foreseen.requests:
            return Amount(0, 0.0, 0.0)
        before = self._before[task]
        length = before.output_tokens / before.entries if before else 0.0
        output_tokens = round(foreseen.requests * length) or foreseen.output_tokens
        cost = self.price.of(foreseen.input_tokens, output_tokens) if self.price else None
        return Amount(output_tokens, cost, foreseen.requests * (self._seconds(task) or PAPER_SECONDS_AN_ANSWER))

    def notes(self, tasks: Sequence[Task]) -> list[str]:
        """How answers to these tasks were reckoned."""
        if self.rules or not tasks:
            return []
        measured = [task for task in tasks if self._seconds(task)]
        others = [task for task in tasks if task not in measured]
        found = [_price_note(self.model, self.price)]
        if measured:
            found.append(f"time and length of an answer ({_listed(measured)}): as those of {self.model} that are kept")
        if others:
            found.append(
                f"time of an answer ({_listed(others)}): {PAPER_SECONDS_AN_ANSWER} s, the paper's pace; its length: that of the rules'"
                " answer, and a model that thinks before it writes takes more"
            )
        found.append("one call an answer: one that breaks the rules is asked for again, at most twice")
        return found

    def _seconds(self, task: Task) -> float | None:
        before = self._before[task]
        return before.seconds / before.entries if before else None


class TextRates:
    """What the vectors of one embedding model take."""

    def __init__(self, model: str, pace: Pace | None) -> None:
        """Take the model as the setting names it, and how fast it has been so far."""
        self.model = model
        self.service = model.startswith(LITELLM)
        self.price = price_of(model.removeprefix(LITELLM)) if self.service else Price(0.0, 0.0)
        self._pace = pace

    def of(self, foreseen: embedding.Foreseen) -> Amount:
        """What so many texts take."""
        if not foreseen.texts:
            return Amount(0, 0.0, 0.0)
        cost = self.price.of(foreseen.tokens) if self.price else None
        if self._pace:
            return Amount(0, cost, foreseen.tokens * self._pace.seconds_a_token)
        return Amount(0, cost, foreseen.texts * PAPER_SECONDS_A_TEXT if self.service else None)

    def notes(self) -> list[str]:
        """How texts were reckoned."""
        found = [_price_note(self.model.removeprefix(LITELLM), self.price)] if self.service else []
        if self._pace:
            return [
                *found,
                f"time of embedding: as that of {self.model} so far, {self._pace.seconds_a_token * 1000:.2g} ms a token",
            ]
        if self.service:
            return [*found, f"time of embedding: {PAPER_SECONDS_A_TEXT} s a text, the paper's pace"]
        return [*found, f"time of embedding: unknown until {self.model} has embedded something here"]


def _price_note(model: str, price: Price | None) -> str:
    if price is None:
        return f"price of {model}: unknown, it is not on LiteLLM's list"
    output = f", ${price.output * 1e6:g} out" if price.output else ""
    return f"price of {model} by LiteLLM's list: ${price.input * 1e6:g}{' in' if output else ''}{output} a million tokens"


def _listed(tasks: Sequence[Task]) -> str:
    return ", ".join(tasks)
