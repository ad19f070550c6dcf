"""Who writes answers: the protocol, and the stream of whole sentences that a reader gets.

A writer gives pieces of any length as they come; `sentences_as_they_come` puts them together, for a citation can only be checked when
it is complete. What is quoted or asked of a model is the writers' own concern.
"""

from collections.abc import Generator, Iterator, Sequence
from typing import Protocol

from lawrag_assets.laws.sentences import sentences_of
from lawrag_assets.qa.model import Candidate, Language


class Writer(Protocol):
    """Something that writes an answer from evidence."""

    @property
    def name(self) -> str:
        """The model's name, or `extractive`."""

    @property
    def quotes(self) -> bool:
        """Whether the text is the law's own words, whose references are not citations of the answer's."""

    def write(self, question: str, evidence: Sequence[Candidate], language: Language) -> Iterator[str]:
        """Yield the answer piece by piece.

        Raises InputError where the model cannot be had, GenerationError where it fails.
        """


def sentences_as_they_come(pieces: Iterator[str]) -> Generator[str, None, None]:
    """Whole sentences, each with the blanks or line break that follow it, as soon as the next one has begun.

    Joined they are the text that the pieces make.
    """
    waiting = ""
    for piece in pieces:
        waiting += piece
        *whole, waiting = _cut(waiting)
        yield from whole
    if waiting:
        yield from _cut(waiting)


def _cut(text: str) -> list[str]:
    """The text's sentences with what follows each; at least one element."""
    parts: list[str] = []
    for line in text.splitlines(keepends=True) or [""]:
        parts += _cut_line(line)
    return parts


def _cut_line(line: str) -> list[str]:
    starts = [0]
    at = 0
    for sentence in sentences_of(line):
        begin = line.index(sentence, at)
        if begin > starts[-1] and line[:begin].strip():
            starts.append(begin)
        at = begin + len(sentence)
    return [line[a:b] for a, b in zip(starts, [*starts[1:], len(line)], strict=True)]
