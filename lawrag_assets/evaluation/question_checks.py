"""What is worth knowing of a question set before anything is measured with it: its make-up, its gold, what it says twice.

Findings only: whether one is a fault, a person decides. Reading the sets is `questions`' concern, showing the findings the command line's.
"""

import itertools
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

import polars as pl

from lawrag_assets.errors import InputError
from lawrag_assets.evaluation.language import guess_language
from lawrag_assets.evaluation.near_duplicates import THRESHOLD, SimilarPairs, similar_pairs, vectors
from lawrag_assets.evaluation.qrels import Citations
from lawrag_assets.evaluation.questions import answerable

NOT_SAID = "not said"


class Sections(Citations, Protocol):
    """Whatever knows all sections of a corpus, in force or not."""

    def status(self, citation: str) -> str | None:
        """The status of the section that the citation names; None and InputError as in `section_id`."""
        ...

    def why_unknown(self, citation: str) -> str:
        """Why a citation names no section, in a few words."""
        ...


@dataclass(frozen=True)
class GoldFinding:
    """A gold citation under which evaluation finds no section: why ("no such section"; "repealed"), and in which questions it stands."""

    citation: str
    reason: str
    questions: list[str]


@dataclass(frozen=True)
class LanguageFinding:
    """A question whose language is guessed to be another than the file says."""

    question: str
    declared: str
    guessed: Literal["de", "en"]


@dataclass(frozen=True)
class NearDuplicate:
    """Two questions that are nearly the same, by their ids, with their cosine."""

    first: str
    second: str
    similarity: float


@dataclass(frozen=True)
class NearDuplicates:
    """How many pairs were found, and the most similar of them (`near_duplicates.MOST_PAIRS` at most)."""

    threshold: float
    found: int
    pairs: list[NearDuplicate]


@dataclass(frozen=True)
class SetFindings:
    """One question set. Of questions that are the same word by word, near-duplicates name the first."""

    questions: int
    kinds: dict[str, int]
    languages: dict[str, int]
    """Questions by declared language, `NOT_SAID` where there is none."""
    characters: dict[str, int]
    """Length of the questions: median, p95, max."""
    gold_citations: int
    """Of the answerable questions, each as often as it stands there."""
    unknown_gold: list[GoldFinding]
    """Citations that name no section of the corpus, the most frequent first."""
    gold_not_in_force: list[GoldFinding]
    """Citations that name a section which is not in force, the most frequent first."""
    duplicates: list[list[str]]
    """Ids of questions that are the same but for white space."""
    near_duplicates: NearDuplicates
    other_language: list[LanguageFinding]


def check_question_sets(
    sets: Sequence[pl.DataFrame], sections: Sections
) -> tuple[list[SetFindings], dict[tuple[int, int], NearDuplicates]]:
    """Check tables of `questions.QUESTIONS_SCHEMA` against a corpus.

    Returns the findings of each set, and the near-duplicates between each two of them by their places: a set that is tuned on and one that
    is tested on must have none.
    """
    distinct = [_distinct(questions) for questions in sets]
    together = vectors([text for questions in distinct for text in questions["question"]])
    ends = pl.Series([0, *(questions.height for questions in distinct)]).cum_sum().to_list()
    parts = [together[start:end] for start, end in itertools.pairwise(ends)]
    findings = []
    for questions, one, matrix in zip(sets, distinct, parts, strict=True):
        findings.append(_findings(questions, sections, _named(similar_pairs(matrix), one, one)))
    between = {
        (i, j): _named(similar_pairs(parts[i], parts[j]), distinct[i], distinct[j])
        for i in range(len(sets))
        for j in range(i + 1, len(sets))
    }
    return findings, between


def _findings(questions: pl.DataFrame, sections: Sections, near_duplicates: NearDuplicates) -> SetFindings:
    unknown, not_in_force = _gold_findings(questions, sections)
    lengths = questions["question"].str.len_chars()
    quantiles = {"median": 0.5, "p95": 0.95, "max": 1.0}
    return SetFindings(
        questions=questions.height,
        kinds=_counts(questions["kind"]),
        languages=_counts(questions["lang"].fill_null(NOT_SAID)),
        characters={name: int(lengths.quantile(at, "nearest") or 0) for name, at in quantiles.items()},
        gold_citations=int(answerable(questions)["gold"].list.len().sum()),
        unknown_gold=unknown,
        gold_not_in_force=not_in_force,
        duplicates=[ids for ids in _by_words(questions).values() if len(ids) > 1],
        near_duplicates=near_duplicates,
        other_language=_other_language(questions),
    )


def _counts(values: pl.Series) -> dict[str, int]:
    return dict(Counter(values.to_list()).most_common())


def _gold_findings(questions: pl.DataFrame, sections: Sections) -> tuple[list[GoldFinding], list[GoldFinding]]:
    """Gold of answerable questions that names no section, and that names one which is not in force."""
    where: dict[str, list[str]] = defaultdict(list)
    for identifier, gold in answerable(questions).select("id", "gold").iter_rows():
        for citation in dict.fromkeys(gold):
            where[citation].append(identifier)
    unknown, not_in_force = [], []
    for citation, ids in sorted(where.items(), key=lambda item: -len(item[1])):
        status = _status(sections, citation)
        if status is None:
            unknown.append(GoldFinding(citation, sections.why_unknown(citation), ids))
        elif status != "in_force":
            not_in_force.append(GoldFinding(citation, status, ids))
    return unknown, not_in_force


def _status(sections: Sections, citation: str) -> str | None:
    try:
        return sections.status(citation)
    except InputError:
        return None


def _by_words(questions: pl.DataFrame) -> dict[str, list[str]]:
    """Ids by the question's words."""
    found: dict[str, list[str]] = defaultdict(list)
    for identifier, question in questions.select("id", "question").iter_rows():
        found[" ".join(question.split())].append(identifier)
    return found


def _distinct(questions: pl.DataFrame) -> pl.DataFrame:
    """The first question of each wording."""
    first = {ids[0] for ids in _by_words(questions).values()}
    return questions.filter(pl.col("id").is_in(first))


def _named(similar: SimilarPairs, first: pl.DataFrame, second: pl.DataFrame) -> NearDuplicates:
    ids, other_ids = first["id"].to_list(), second["id"].to_list()
    pairs = [NearDuplicate(ids[row], other_ids[column], round(cosine, 3)) for row, column, cosine in similar.pairs]
    return NearDuplicates(THRESHOLD, similar.found, pairs)


def _other_language(questions: pl.DataFrame) -> list[LanguageFinding]:
    found = []
    for identifier, question, declared in (
        questions.filter(pl.col("lang").is_not_null()).select("id", "question", "lang").iter_rows()
    ):
        guessed = guess_language(question)
        if guessed is not None and guessed != declared:
            found.append(LanguageFinding(identifier, declared, guessed))
    return found
