"""Answers without a model: the best sentences of the evidence, word for word, each with its citation. It says that it quotes."""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from lawrag_assets.generation.extractive import NAME
from lawrag_assets.qa.model import Candidate, Language, Passage, Sentence

MOST_QUOTES = 3
NEAR_BEST = 0.6
"""A quoted sentence scores at least this share of the best one's score."""

LEAD = {
    "de": "Ohne Sprachmodell, im Wortlaut des Gesetzes: ",
    "en": "Without a language model, in the words of the law (German): ",
}

LEADS = frozenset(lead.strip() for lead in LEAD.values())

Score = Callable[[str, Language, Sequence[Passage]], list[np.ndarray]]
"""How well the sentences of each of some passages fit a question: (sentences,) a passage."""


class ExtractiveWriter:
    """Quotes the sentences that fit the question best."""

    name = NAME
    quotes = True

    def __init__(self, score: Score) -> None:
        """`score` compares a question with sentences."""
        self._score = score

    def write(self, question: str, evidence: Sequence[Candidate], language: Language) -> Iterator[str]:
        """See `Writer.write`. The first piece is `LEAD`; each further one a quoted sentence and its citation in brackets."""
        chosen = best_sentences(question, evidence, language, self._score)
        yield LEAD[language]
        for number, (_, sentence) in enumerate(chosen):
            yield f"{' ' if number else ''}„{sentence.text}“ ({sentence.citation})"


def best_sentences(
    question: str, evidence: Sequence[Candidate], language: Language, score: Score
) -> list[tuple[Passage, Sentence]]:
    """At most `MOST_QUOTES` sentences, best first: a sentence's score times its passage's."""
    fits = score(question, language, [candidate.passage for candidate in evidence])
    places = [
        (float(max(fit, 0.0)) * (1.0 if candidate.rerank_score is None else candidate.rerank_score), candidate.passage, sentence)
        for candidate, of_passage in zip(evidence, fits, strict=True)
        for fit, sentence in zip(of_passage, candidate.passage.sentences, strict=False)
    ]
    best = sorted(places, key=lambda place: -place[0])[:MOST_QUOTES]
    return [(passage, sentence) for value, passage, sentence in best if value >= NEAR_BEST * best[0][0]]
