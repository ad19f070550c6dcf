"""Answers written by a language model from the evidence. Checking what it writes is the pipeline's concern."""

from collections.abc import Iterator, Sequence

from lawrag_assets.generation.chat_stream import ChatStream
from lawrag_assets.qa.model import Candidate, Language
from lawrag_assets.qa.prompts import answer_prompt


class ModelWriter:
    """Asks a model for an answer from the evidence, in the question's language."""

    quotes = False

    def __init__(self, chat: ChatStream) -> None:
        """`chat` is the model."""
        self._chat = chat

    @property
    def name(self) -> str:
        """The model's name."""
        return self._chat.model

    def write(self, question: str, evidence: Sequence[Candidate], language: Language) -> Iterator[str]:
        """See `Writer.write`. Question and evidence leave the machine where the model is another's."""
        yield from self._chat.ask(answer_prompt(language).messages(question, [candidate.passage for candidate in evidence]))
