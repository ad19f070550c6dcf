"""How well a pipeline retrieves, reranks, routes and refuses on a labelled question set: figures, question by question and on average.

Gold of the level `section` are the questions' `gold`, of the level `subsection` their `gold_subsections`; both are compared as citations
of the candidates. Averages run over answerable questions. What was fitted is tested on folds that it was not fitted on, or on questions
that it has not seen (`fitting.require_unseen`). Measures are ir_measures'.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from lawrag_assets.errors import InputError
from lawrag_assets.laws.citations import comparable
from lawrag_assets.qa.features import FeatureMaker
from lawrag_assets.qa.finding import POOL
from lawrag_assets.qa.fitting import Example, cost, fit_judge, folds
from lawrag_assets.qa.judging import SIGNALS, Judge
from lawrag_assets.qa.model import Candidate
from lawrag_assets.qa.pipeline import Looked, Pipeline
from lawrag_assets.retrieval.asked import Asked

LEVELS = ("section", "subsection")
MEASURES = ("R@1", "R@5", "RR@10")
TOP = 5

Ranking = list[Candidate]


@dataclass(frozen=True)
class Examined:
    """A labelled question and what the pipeline found for it. `rankings` are candidates in order, by configuration."""

    row: Mapping[str, Any]
    looked: Looked
    example: Example
    dense: Ranking
    """The best candidates by plain cosine."""

    @property
    def answerable(self) -> bool:
        """Whether the corpus answers it."""
        return self.example.answerable


def examine(pipeline: Pipeline, questions: pl.DataFrame, progress: Callable[[int, int], None] | None = None) -> list[Examined]:
    """Run a question set (`evaluation.questions.QUESTIONS_SCHEMA`) through the pipeline up to judging."""
    finder, views = pipeline.parts.finder, pipeline.parts.views
    features = FeatureMaker(finder, views)
    found = []
    for number, row in enumerate(questions.iter_rows(named=True), 1):
        looked = pipeline.look(str(row["question"]))
        candidates = sorted(looked.candidates, key=lambda candidate: candidate.rank)
        gold = gold_citations(row, "subsection")
        example = Example(
            question=row["question"],
            group=row["pair"] or f"{row['question_set']} {row['id']}",
            answerable=row["kind"] == "answerable",
            features=features.features(looked.asked, candidates, looked.scores),
            gold=np.array([_cites(candidate, gold) for candidate in candidates], bool),
            dense=looked.scores.dense,
            sentences=np.concatenate([v.sentences @ looked.asked.vectors[0] for v in views.of([c.passage for c in candidates])])
            if candidates
            else np.zeros(0),
            usual=pipeline.parts.usual(looked.language),
        )
        dense_order = np.argsort(-looked.scores.dense, kind="stable")[:POOL]
        dense = [Candidate(finder.passages.all[p], float(looked.scores.dense[p]), rank) for rank, p in enumerate(dense_order, 1)]
        found.append(Examined(row, looked, example, dense))
        if progress:
            progress(number, questions.height)
    if not any(examined.answerable for examined in found):
        raise InputError("no question of the set is answerable")
    return found


def gold_citations(row: Mapping[str, Any], level: str) -> frozenset[str]:
    """A question's gold of a level in comparable form; the sections where the set has no Absätze."""
    subsections = row["gold_subsections"] if level == "subsection" else []
    return frozenset(map(comparable, subsections or row["gold"]))


def _cites(candidate: Candidate, gold: frozenset[str]) -> bool:
    return comparable(candidate.passage.citation) in gold or comparable(candidate.passage.section_citation) in gold


def rankings_of(examined: Sequence[Examined], logits: Sequence[np.ndarray]) -> dict[str, list[Ranking]]:
    """Rankings by configuration, so that what reranking and what the larger pool do can be told apart.

    `dense top-5`; `retrieved top-20`, the retriever's own order; `reranked top-5`, its first five in the reranker's order; and `reranked
    top-20`. `logits` are those of each question's candidates in the retriever's order.
    """
    pools = [sorted(one.looked.candidates, key=lambda candidate: candidate.rank) for one in examined]
    return {
        "dense top-5": [one.dense[:TOP] for one in examined],
        "dense top-20": [one.dense for one in examined],
        "retrieved top-20": pools,
        "reranked top-5": [_sorted(pool[:TOP], of_pool[:TOP]) for pool, of_pool in zip(pools, logits, strict=True)],
        "reranked top-20": [_sorted(pool, of_pool) for pool, of_pool in zip(pools, logits, strict=True)],
    }


def _sorted(pool: Ranking, logits: np.ndarray) -> Ranking:
    return [pool[place] for place in np.argsort(-np.round(logits, 6), kind="stable")]


def measured(examined: Sequence[Examined], rankings: Mapping[str, list[Ranking]]) -> pl.DataFrame:
    """configuration, level, lang, measure, mean, questions; lang "all" and each language. Answerable questions only."""
    import ir_measures

    measures = [ir_measures.parse_measure(name) for name in MEASURES]
    asked = [place for place, one in enumerate(examined) if one.answerable]
    rows = []
    for level in LEVELS:
        qrels = {str(p): dict.fromkeys(gold_citations(examined[p].row, level), 1) for p in asked}
        evaluator = ir_measures.evaluator(measures, qrels)
        for name, of_all in rankings.items():
            run = {str(p): _scored(of_all[p], level) for p in asked}
            values: dict[tuple[str, str], float] = {
                (v.query_id, str(v.measure)): float(v.value) for v in evaluator.iter_calc(run)
            }
            for lang in ("all", *sorted({one.looked.language for one in examined})):
                members = [p for p in asked if lang in ("all", examined[p].looked.language)]
                for measure in MEASURES:
                    mean = float(np.mean([values.get((str(p), measure), 0.0) for p in members])) if members else None
                    rows.append((name, level, lang, measure, mean, len(members)))
    schema = {
        "configuration": pl.String,
        "level": pl.String,
        "lang": pl.String,
        "measure": pl.String,
        "mean": pl.Float64,
        "questions": pl.Int64,
    }
    return pl.DataFrame(rows, schema=schema, orient="row")


def headline(measures: pl.DataFrame) -> dict[str, float]:
    """Of `measured`, what answering comes to: the sections found by the reranked pool, all languages, by measure."""
    shown = measures.filter(configuration="reranked top-20", level="section", lang="all")
    return dict(shown.select("measure", "mean").iter_rows())


def _scored(ranking: Ranking, level: str) -> dict[str, float]:
    """Citations with falling scores; a section counts where its first Absatz stands."""
    citations = [c.passage.section_citation if level == "section" else c.passage.citation for c in ranking]
    distinct = list(dict.fromkeys(map(comparable, citations)))
    return {citation: float(len(distinct) - place) for place, citation in enumerate(distinct)}


def separation(
    signals: Sequence[Mapping[str, float]], kinds: Sequence[str], languages: Sequence[str], confidences: Sequence[float]
) -> pl.DataFrame:
    """AUROC of each signal, and of the fitted combination, on answerable against unanswerable questions, by stratum and language.

    Columns signal, stratum ("all" or a kind), lang, auroc, answerable, unanswerable. Null where one side is empty.
    """
    from sklearn.metrics import roc_auc_score

    columns = {name: np.array([of_one[name] for of_one in signals]) for name in SIGNALS} | {"combined": np.array(confidences)}
    kind, lang = np.array(kinds), np.array(languages)
    rows = []
    for stratum in ("all", *sorted(set(kinds) - {"answerable"})):
        for language in ("all", *sorted(set(languages))):
            chosen = ((kind == "answerable") | (kind == stratum) | (stratum == "all")) & (
                (lang == language) | (language == "all")
            )
            truth = kind[chosen] == "answerable"
            for name, values in columns.items():
                auroc = float(roc_auc_score(truth, values[chosen])) if 0 < truth.sum() < len(truth) else None
                rows.append((name, stratum, language, auroc, int(truth.sum()), int((~truth).sum())))
    schema = {
        "signal": pl.String,
        "stratum": pl.String,
        "lang": pl.String,
        "auroc": pl.Float64,
        "answerable": pl.Int64,
        "unanswerable": pl.Int64,
    }
    return pl.DataFrame(rows, schema=schema, orient="row")


@dataclass(frozen=True)
class Judged:
    """Decisions on questions that the judge was not fitted on."""

    signals: list[dict[str, float]]
    confidences: np.ndarray
    answers: np.ndarray
    """Whether the evidence was found to suffice, by the threshold of the judge of that fold."""


def judged_out_of_fold(examples: Sequence[Example], logits: Sequence[np.ndarray]) -> Judged:
    """Judge each question by a judge, and a threshold, that were fitted without its fold."""
    signals = [example.signals(of_pool) for example, of_pool in zip(examples, logits, strict=True)]
    answerable = np.array([example.answerable for example in examples])
    confidences, answers = np.zeros(len(examples)), np.zeros(len(examples), bool)
    for train, test in folds(examples):
        judge = fit_judge([signals[p] for p in train], answerable[train])
        for place in test:
            confidences[place] = judge.confidence(signals[place])
            answers[place] = confidences[place] >= judge.threshold
    return Judged(signals, confidences, answers)


def judged_by(judge: Judge, examples: Sequence[Example], logits: Sequence[np.ndarray]) -> Judged:
    """Judge questions by a judge that has not seen them."""
    signals = [example.signals(of_pool) for example, of_pool in zip(examples, logits, strict=True)]
    confidences = np.array([judge.confidence(of_one) for of_one in signals])
    return Judged(signals, confidences, confidences >= judge.threshold)


def reliability(confidences: np.ndarray, answerable: np.ndarray, bins: int = 5) -> pl.DataFrame:
    """How often questions of a confidence are answerable: low, high, questions, mean confidence, share answerable; bins of equal size."""
    order = np.argsort(confidences, kind="stable")
    rows = [
        (
            float(confidences[part].min()),
            float(confidences[part].max()),
            len(part),
            float(confidences[part].mean()),
            float(answerable[part].mean()),
        )
        for part in np.array_split(order, min(bins, len(order)))
        if len(part)
    ]
    return pl.DataFrame(rows, schema=["low", "high", "questions", "confidence", "answerable"], orient="row")


def errors(answers: np.ndarray, answerable: np.ndarray) -> dict[str, float]:
    """Wrong answers and wrong refusals as shares of the unanswerable and the answerable questions, and what they cost a question."""
    return {
        "wrong answers": float(answers[~answerable].mean()) if (~answerable).any() else 0.0,
        "wrong refusals": float((~answers)[answerable].mean()) if answerable.any() else 0.0,
        "cost": cost(answers, answerable),
    }


def routed(pipeline: Pipeline, questions: pl.DataFrame) -> pl.DataFrame:
    """Where the first right law stands among the routed ones: id, lang, rank (null where none is right); questions that name laws only."""
    rows = []
    for row in questions.filter(pl.col("laws").list.len() > 0).iter_rows(named=True):
        question = str(row["question"])
        language = pipeline.parts.language(question)
        scores = pipeline.parts.finder.scores(Asked.one(question, language, pipeline.parts.embed(question)))
        laws = [route.law for route in pipeline.parts.router.route(question, scores)]
        ranks = [laws.index(law) + 1 for law in row["laws"] if law in laws]
        rows.append((row["id"], language, min(ranks, default=None)))
    return pl.DataFrame(rows, schema={"id": pl.String, "lang": pl.String, "rank": pl.Int64}, orient="row")


def translation_pairs(examined: Sequence[Examined], rankings: Mapping[str, list[Ranking]]) -> pl.DataFrame:
    """How alike answerable questions and their translations (`pair`) fare: configuration, pairs, and shares of the pairs.

    `both`: gold among the first `TOP` in each language; `one`: in one only; `same_first`: the same Absatz comes first.
    """
    members: dict[str, list[int]] = {}
    for place, one in enumerate(examined):
        if one.row["pair"] and one.answerable:
            members.setdefault(f"{one.row['question_set']} {one.row['pair']}", []).append(place)
    pairs = [places for places in members.values() if len({examined[p].looked.language for p in places}) == 2 == len(places)]
    rows = []
    for name, of_all in rankings.items():
        found = np.array([[_among_first(examined[p], of_all[p]) for p in places] for places in pairs], bool).reshape(-1, 2)
        firsts = [[c.passage.passage_id for p in places for c in of_all[p][:1]] for places in pairs]
        same = [len(first) == 2 and first[0] == first[1] for first in firsts]
        shares = (found.all(1), found.sum(1) == 1, np.array(same, bool))
        rows.append((name, len(pairs), *(float(share.mean()) if pairs else None for share in shares)))
    schema = {"configuration": pl.String, "pairs": pl.Int64, "both": pl.Float64, "one": pl.Float64, "same_first": pl.Float64}
    return pl.DataFrame(rows, schema=schema, orient="row")


def _among_first(one: Examined, ranking: Ranking) -> bool:
    gold = gold_citations(one.row, "subsection")
    return any(_cites(candidate, gold) for candidate in ranking[:TOP])
