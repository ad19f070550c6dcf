"""Made-up labelled questions: topics that have a section each, and a chapter for every three topics."""

import numpy as np
import polars as pl

from lawrag_assets.evaluation.questions import QUESTIONS_SCHEMA
from lawrag_assets.ranking.features import SectionFacts
from lawrag_assets.ranking.labelled import LabelledQuestions
from lawrag_assets.retrieval.run import RUN_SCHEMA

THINGS = [
    "Leiter",
    "Boot",
    "Fahrrad",
    "Zelt",
    "Klavier",
    "Kamera",
    "Rasenmäher",
    "Trompete",
    "Kajak",
    "Beamer",
    "Bohrer",
    "Schlitten",
]
SIZE = 16


def sections(count: int = len(THINGS)) -> pl.DataFrame:
    """A law of so many sections, in the columns that facts are taken from."""
    return pl.DataFrame(
        {
            "section_id": [f"made/§{place + 1}" for place in range(count)],
            "slug": "made",
            "status": "in_force",
            "hierarchy": [[{"label": f"Abschnitt {place // 3}", "title": "…"}] for place in range(count)],
            "text": ["Wort " * (place + 1) for place in range(count)],
        }
    )


def facts() -> SectionFacts:
    return SectionFacts.of(sections())


def labelled(count: int = 90, *, question_set: str = "made", seed: int = 1) -> LabelledQuestions:
    """Questions of a few words about a thing each, frequent things first; their vectors point to the thing, with noise."""
    chance = np.random.default_rng(seed)
    topics = np.minimum(chance.geometric(0.2, count) - 1, len(THINGS) - 1)
    directions = np.random.default_rng(0).normal(size=(len(THINGS), SIZE))
    vectors = directions[topics] + 0.7 * chance.normal(size=(count, SIZE)) + 2
    letters = "abcdefghijklmnopqrstuvwxyz"
    noise = ["".join(chance.choice(list(letters), 9)) for _ in range(6 * count)]
    texts = [
        f"{THINGS[topic]} {' '.join(noise[6 * place : 6 * place + 6])}: was gilt?" for place, topic in enumerate(topics.tolist())
    ]
    ids = [f"q{place}" for place in range(count)]
    return made(question_set, ids, texts, vectors, [[f"made/§{topic + 1}"] for topic in topics.tolist()])


def made(
    question_set: str,
    ids: list[str],
    texts: list[str],
    vectors: np.ndarray,
    gold: list[list[str]],
    pair: str | None = None,
) -> LabelledQuestions:
    said = {"question_set": question_set, "kind": "answerable", "pair": pair}
    rows = [said | {"id": id_, "question": text} for id_, text in zip(ids, texts, strict=True)]
    questions = pl.DataFrame(rows, schema=QUESTIONS_SCHEMA)
    pairs = [(question_set, id_, section) for id_, sections in zip(ids, gold, strict=True) for section in sections]
    table = pl.DataFrame(pairs, schema=["question_set", "query", "section"], orient="row")
    unit = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)
    return LabelledQuestions.of(questions, unit, table)


def together(*parts: LabelledQuestions) -> LabelledQuestions:
    """Several sets as one."""
    return LabelledQuestions.concat(parts)


def run(questions: LabelledQuestions, *, found: float = 0.3, seed: int = 5) -> pl.DataFrame:
    """What a retriever without labels might find: five sections a question, the right one among them as often as `found` says."""
    chance = np.random.default_rng(seed)
    rows = []
    for question_set, query, gold in zip(questions.sets, questions.ids, questions.gold, strict=True):
        places = chance.permutation(len(THINGS))[:5]
        names = [f"made/§{place + 1}" for place in places]
        if chance.random() < found:
            names = [gold[0], *[name for name in names if name != gold[0]][:4]]
        for rank, name in enumerate(names, start=1):
            rows.append(("made", "dense", "max", f"{question_set}/{query}", name, rank, 1 - rank / 10))
    return pl.DataFrame(rows, schema=RUN_SCHEMA, orient="row")
