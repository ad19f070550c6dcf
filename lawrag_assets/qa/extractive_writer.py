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

Score = Callable[[str, Sequence[str]], np.ndarray]
"""How well each of some texts fits a question: (texts,)."""


class ExtractiveWriter:
    """Quotes the sentences that fit the question best."""

    name = NAME
    quotes = True

    def __init__(self, score: Score) -> None:
        """`score` compares the question with sentences."""
        self._score = score

    def write(self, question: str, evidence: Sequence[Candidate], language: Language) -> Iterator[str]:
        """See `Writer.write`. The first piece is `LEAD`; each further one a quoted sentence and its citation in brackets."""
        chosen = best_sentences(question, evidence, self._score)
        yield LEAD[language]
        for number, (_, sentence) in enumerate(chosen):
            yield f"{' ' if number else ''}„{sentence.text}“ ({sentence.citation})"


def best_sentences(question: str, evidence: Sequence[Candidate], score: Score) -> list[tuple[Passage, Sentence]]:
    """At most `MOST_QUOTES` sentences, best first: a sentence's score times its passage's."""
    places = [(candidate, sentence) for candidate in evidence for sentence in candidate.passage.sentences]
    if not places:
        return []
    fits = np.clip(score(question, [sentence.text for _, sentence in places]), 0.0, None)
    scores = fits * np.array([1.0 if candidate.rerank_score is None else candidate.rerank_score for candidate, _ in places])
    order = np.argsort(-scores, kind="stable")[:MOST_QUOTES]
    kept = [place for place in order if scores[place] >= NEAR_BEST * scores[order[0]]]
    return [(places[place][0].passage, places[place][1]) for place in kept]
