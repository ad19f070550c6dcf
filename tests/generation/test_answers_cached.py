"""Answers through the cache: asked once, kept at once, counted for ever; shared as JSON Lines; wrong ones never used."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from generation.requests_made import DUTIES, EVERY, boundary, context, summary, unit
from hypothesis import given
from hypothesis import strategies as st

from lawrag_assets.errors import InputError
from lawrag_assets.generation.answers import AnswerStore, answer_key
from lawrag_assets.generation.cached import CachedGenerator, CacheMode
from lawrag_assets.generation.extractive import ExtractiveGenerator
from lawrag_assets.generation.fallback import fallback
from lawrag_assets.generation.protocol import (
    Answer,
    Arrived,
    Fallback,
    GenerationError,
    Origin,
    PropositionsRequest,
    Request,
    Task,
    Trouble,
    Usage,
)


class Scripted:
    """A generator that counts what it is asked, answers with the fallback's value, and does what `troubles` says of a unit."""

    name = "scripted"

    def __init__(self, troubles: Mapping[str, Trouble] | None = None, dies_after: int = 1_000_000, prompt: str = "v1") -> None:
        self.asked: list[Request[Any]] = []
        self.troubles = troubles or {}
        self.dies_after = dies_after
        self.prompt = prompt

    def origin(self, task: Task) -> Origin:
        return Origin("scripted", "m", task, self.prompt, "{}")

    def generate(self, requests: Sequence[Request[Any]], arrived: Arrived | None = None) -> list[Answer[Any]]:
        answers = []
        for place, request in enumerate(requests):
            if len(self.asked) >= self.dies_after:
                raise GenerationError("down")
            self.asked.append(request)
            trouble = next((t for word, t in self.troubles.items() if word in str(request)), None)
            usage = Usage(1, 10, 5, 0.25, 0.5)
            answers.append(Answer(fallback(request), usage, Fallback(trouble, "why") if trouble else None))
            if arrived:
                arrived({place: answers[-1]})
        return answers


@pytest.fixture
def store(tmp_path: Path) -> AnswerStore:
    return AnswerStore(tmp_path / "cache")


@pytest.mark.parametrize("request_", EVERY, ids=lambda r: r.task)
def test_what_was_answered_is_not_asked_again_and_keeps_what_it_took(store: AnswerStore, request_: Request[Any]) -> None:
    cold, warm = Scripted(), Scripted()
    first = CachedGenerator(cold, store).generate([request_])
    again = CachedGenerator(warm, store)
    second = again.generate([request_])
    assert first == second
    assert (first[0].cached, second[0].cached) == (False, True)
    assert (len(cold.asked), len(warm.asked)) == (1, 0)
    assert type(second[0].value) is type(first[0].value)
    assert (again.tally.answers, again.tally.cached, again.tally.usage) == (1, 1, Usage(1, 10, 5, 0.25, 0.5))


def test_equal_requests_are_asked_once_and_counted_once(store: AnswerStore) -> None:
    scripted = Scripted()
    seen: dict[int, Answer[Any]] = {}
    steps: list[tuple[int, int]] = []
    cached = CachedGenerator(scripted, store, progress=lambda done, total: steps.append((done, total)))
    answers = cached.generate([unit("a"), unit("b"), unit("a")], seen.update)
    assert [answer.value for answer in answers] == [(unit(name).unit,) for name in "aba"]
    assert len(scripted.asked) == cached.tally.answers == 2
    assert seen == dict(enumerate(answers))
    assert steps == [(0, 2), (1, 2), (2, 2)]


def test_what_arrived_before_a_failure_is_kept(store: AnswerStore) -> None:
    units = [unit(f"{n}") for n in range(10)]
    with pytest.raises(GenerationError):
        CachedGenerator(Scripted(dies_after=6), store).generate(units)
    scripted = Scripted()
    CachedGenerator(scripted, store).generate(units)
    assert scripted.asked == units[6:]


def test_a_fallback_is_kept_but_not_one_for_want_of_an_answer(store: AnswerStore) -> None:
    troubles = {"Beet a": Trouble.BAD_ANSWER, "Beet b": Trouble.NO_ANSWER, "Beet c": Trouble.REFUSED, "Beet d": Trouble.CUT_OFF}
    units = [unit(name) for name in "abcd"]
    cached = CachedGenerator(Scripted(troubles), store)
    first = cached.generate(units)
    assert cached.tally.fallbacks == dict.fromkeys(Trouble, 1)
    healthy = Scripted()
    second = CachedGenerator(healthy, store).generate(units)
    assert healthy.asked == [units[1]]
    assert [answer.fallback for answer in second] == [first[0].fallback, None, first[2].fallback, first[3].fallback]


def test_only_cache_asks_nothing_and_counts_what_is_missing(store: AnswerStore) -> None:
    CachedGenerator(Scripted(), store).generate([unit("a")])
    scripted = Scripted()
    only = CachedGenerator(scripted, store, mode=CacheMode.ONLY_CACHE)
    assert only.generate([unit("a"), unit("a")])[0].cached
    with pytest.raises(InputError, match=r"2 of 3 answers of scripted to the task propositions are not in the cache") as caught:
        only.generate([unit("a"), unit("b"), unit("c"), unit("c")])
    assert "\n" not in str(caught.value)
    assert not scripted.asked


def test_refresh_asks_everything_again_once_and_replaces_it(store: AnswerStore) -> None:
    CachedGenerator(Scripted({"Beet a": Trouble.BAD_ANSWER}), store).generate([unit("a")])
    scripted = Scripted()
    refresh = CachedGenerator(scripted, store, mode=CacheMode.REFRESH)
    assert refresh.generate([unit("a")])[0].fallback is None
    refresh.generate([unit("a"), unit("b")])
    assert scripted.asked == [unit("a"), unit("b")]
    assert CachedGenerator(Scripted(), store).generate([unit("a")])[0].fallback is None


def test_an_answer_that_breaks_the_rules_is_not_used_and_mended(store: AnswerStore) -> None:
    request = PropositionsRequest(DUTIES)
    scripted = Scripted()
    key = answer_key(scripted.origin(request.task), request)
    store.put_many(scripted.origin(request.task), {key: Answer(("Alles ist erlaubt.",), Usage())})
    assert CachedGenerator(scripted, store).generate([request])[0].value == (DUTIES,)
    assert CachedGenerator(Scripted(), store, mode=CacheMode.ONLY_CACHE).generate([request])[0].value == (DUTIES,)


def test_another_prompt_model_parameter_or_request_is_another_answer(store: AnswerStore) -> None:
    base = Origin("g", "m", Task.CONTEXT, "v1", "{}")
    origins = [
        base,
        Origin("h", "m", Task.CONTEXT, "v1", "{}"),
        Origin("g", "n", Task.CONTEXT, "v1", "{}"),
        Origin("g", "m", Task.CONTEXT, "v2", "{}"),
        Origin("g", "m", Task.CONTEXT, "v1", '{"temperature": 1.0}'),
    ]
    requests = [context(), context("Anderes gilt."), context(heading="Wege")]
    assert len({answer_key(origin, request) for origin in origins for request in requests}) == 15
    CachedGenerator(Scripted(), store).generate([unit("a")])
    later = Scripted(prompt="v2")
    CachedGenerator(later, store).generate([unit("a")])
    assert len(later.asked) == 1


def test_holdings_are_listed_by_model_and_prompt(store: AnswerStore) -> None:
    cached = CachedGenerator(Scripted({"Beet b": Trouble.BAD_ANSWER}), store)
    cached.generate([unit("a"), unit("b")])
    cached.generate([summary()])
    CachedGenerator(ExtractiveGenerator(), store).generate([boundary()])
    assert [(h.model, h.task, h.entries, h.fallbacks) for h in store.holdings()] == [
        ("extractive", Task.BOUNDARY, 1, 0),
        ("m", Task.PROPOSITIONS, 2, 1),
        ("m", Task.SUMMARY, 1, 0),
    ]
    propositions = store.holdings()[1]
    assert (propositions.calls, propositions.input_tokens, propositions.output_tokens, propositions.cost) == (2, 20, 10, 0.5)
    assert propositions.bytes > 200


def test_a_team_shares_a_run_as_json_lines(store: AnswerStore, tmp_path: Path) -> None:
    for request in EVERY:
        CachedGenerator(Scripted({"Brunnen": Trouble.CUT_OFF}), store).generate([request])
    file = tmp_path / "answers.jsonl"
    assert store.export_lines(file) == 4
    assert {json.loads(line)["model"] for line in file.read_text("utf-8").splitlines()} == {"m"}
    other = AnswerStore(tmp_path / "other")
    assert (other.import_lines(file), other.import_lines(file)) == (4, 0)
    assert other.holdings() == store.holdings()
    for request in EVERY:
        only = CachedGenerator(Scripted(), other, mode=CacheMode.ONLY_CACHE)
        assert only.generate([request]) == CachedGenerator(Scripted(), store, mode=CacheMode.ONLY_CACHE).generate([request])


def test_import_keeps_what_is_there(store: AnswerStore, tmp_path: Path) -> None:
    CachedGenerator(Scripted({"Beet a": Trouble.BAD_ANSWER}), store).generate([unit("a")])
    store.export_lines(tmp_path / "theirs.jsonl")
    mine = AnswerStore(tmp_path / "mine")
    CachedGenerator(Scripted(), mine).generate([unit("a")])
    assert mine.import_lines(tmp_path / "theirs.jsonl") == 0
    assert CachedGenerator(Scripted(), mine).generate([unit("a")])[0].fallback is None


LINE = {
    "key": "0" * 64,
    "generator": "g",
    "model": "m",
    "task": "boundary",
    "prompt": "v1",
    "parameters": "{}",
    "value": 2,
    "calls": 1,
    "input_tokens": 1,
    "output_tokens": None,
    "cost": None,
    "seconds": 0.5,
    "trouble": None,
    "reason": None,
}


@pytest.mark.parametrize(
    "line",
    [
        "not JSON",
        "[]",
        json.dumps({k: v for k, v in LINE.items() if k != "model"}),
        json.dumps(LINE | {"key": "xyz"}),
        json.dumps(LINE | {"task": "poem"}),
        json.dumps(LINE | {"calls": -1}),
        json.dumps(LINE | {"cost": "free"}),
        json.dumps(LINE | {"value": {"a": 1}}),
        json.dumps(LINE | {"unknown": 1}),
    ],
)
def test_a_line_that_is_no_answer_is_named(store: AnswerStore, tmp_path: Path, line: str) -> None:
    file = tmp_path / "answers.jsonl"
    file.write_text(json.dumps(LINE) + "\n\n" + line + "\n", "utf-8")
    with pytest.raises(InputError, match=r"answers\.jsonl:3: no exported answer") as caught:
        store.import_lines(file)
    assert "\n" not in str(caught.value)


def test_a_file_that_cannot_be_read_is_named(store: AnswerStore, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"none\.jsonl"):
        store.import_lines(tmp_path / "none.jsonl")
    (tmp_path / "binary.jsonl").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match=r"binary\.jsonl.*UTF-8"):
        store.import_lines(tmp_path / "binary.jsonl")


def test_requests_of_two_tasks_are_refused(store: AnswerStore) -> None:
    with pytest.raises(ValueError, match="one task"):
        CachedGenerator(Scripted(), store).generate([summary(), context()])
    assert CachedGenerator(Scripted(), store).generate([]) == []


@given(st.lists(st.sampled_from("abcdef"), max_size=12), st.sets(st.sampled_from("abcdef")))
def test_whatever_is_there_the_answers_are_the_same(
    tmp_path_factory: pytest.TempPathFactory, asked: list[str], there: set[str]
) -> None:
    store = AnswerStore(tmp_path_factory.mktemp("cache"))
    CachedGenerator(Scripted(), store).generate([unit(name) for name in sorted(there)])
    scripted = Scripted()
    answers = CachedGenerator(scripted, store).generate([unit(name) for name in asked])
    assert answers == Scripted().generate([unit(name) for name in asked])
    assert len(scripted.asked) == len(set(asked) - there)
