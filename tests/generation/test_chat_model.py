"""The LiteLLM generator against a real server on this machine: whatever it answers, every request ends valid or as a counted fallback."""

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from generation.chat_service import ChatService
from generation.requests_made import DUTIES, EVERY, boundary, context, summary, unit

from lawrag_assets.errors import InputError
from lawrag_assets.generation.fallback import fallback
from lawrag_assets.generation.litellm_generator import LiteLLMGenerator
from lawrag_assets.generation.protocol import (
    Answer,
    GenerationError,
    PropositionsRequest,
    Request,
    Task,
    Trouble,
    Usage,
    tally,
)
from lawrag_assets.generation.validation import flaw

OpenModel = Callable[..., LiteLLMGenerator]


def _one(generator: LiteLLMGenerator, request: Request[Any]) -> Answer[Any]:
    return generator.generate([request])[0]


@pytest.mark.parametrize("request_", EVERY, ids=lambda r: r.task)
def test_each_task_is_asked_with_its_schema_and_answered(
    service: ChatService, open_model: OpenModel, request_: Request[Any]
) -> None:
    answer = _one(open_model(), request_)
    assert answer.fallback is None
    assert flaw(request_, answer.value) is None
    asked = service.asked[0]
    assert asked["response_format"]["json_schema"]["strict"] is True
    assert (asked["model"], asked["temperature"]) == ("local", 0.0)
    assert (answer.usage.calls, answer.usage.input_tokens, answer.usage.output_tokens) == (1, 100, 10)
    assert answer.usage.cost is None, "nobody knows the price of a local model"


def test_a_known_price_is_kept(open_model: OpenModel) -> None:
    cost = _one(open_model("openai/gpt-4o-mini"), summary()).usage.cost
    assert cost == pytest.approx(100 * 0.15e-6 + 10 * 0.6e-6)


def test_answers_come_in_the_order_of_the_requests_at_most_so_many_at_once(service: ChatService, open_model: OpenModel) -> None:
    service.seconds = 0.05
    requests = [unit(f"{n}") for n in range(12)]
    arrived: dict[int, Answer[Any]] = {}
    answers = open_model(concurrency=3).generate(requests, arrived.update)
    assert [answer.value for answer in answers] == [(request.unit,) for request in requests]
    assert [arrived[n] for n in range(12)] == answers
    assert service.most_under_way == 3


def test_seconds_add_up_to_the_wall_clock(service: ChatService, open_model: OpenModel) -> None:
    generator = open_model(concurrency=4)
    _one(generator, unit("first"))
    service.seconds = 0.2
    started = time.perf_counter()
    answers = generator.generate([unit(f"{n}") for n in range(8)])
    elapsed = time.perf_counter() - started
    assert 0.4 <= tally(answers).usage.seconds <= elapsed


def test_a_busy_or_failing_service_is_asked_again(service: ChatService, open_model: OpenModel) -> None:
    service.acts = [429, 500, 503]
    answer = _one(open_model(), unit("a"))
    assert (answer.fallback, answer.usage.calls) == (None, 4)
    assert len(service.asked) == 4, "one request a try: the library's own retries are off"


@pytest.mark.parametrize("act", ["slow", "dripping"])
def test_a_slow_answer_ends_at_the_deadline_and_is_asked_again(service: ChatService, open_model: OpenModel, act: str) -> None:
    generator = open_model(call_seconds=0.5)
    _one(generator, unit("warm"))
    service.acts = [act]
    started = time.monotonic()
    assert _one(generator, unit("a")).fallback is None
    assert 0.5 <= time.monotonic() - started < 2.5


def test_an_answer_cut_off_gets_more_room(service: ChatService, open_model: OpenModel) -> None:
    service.acts = ["cut off", "cut off"]
    assert _one(open_model(), summary()).fallback is None
    rooms = [asked["max_tokens"] for asked in service.asked]
    assert rooms == sorted(set(rooms))
    assert len(service.asked[0]["messages"]) == len(service.asked[2]["messages"]), "it is no bad answer"


def test_an_answer_cut_off_for_ever_is_a_fallback(service: ChatService, open_model: OpenModel) -> None:
    service.always = {"Beet": "cut off"}
    answer = _one(open_model(), unit("a"))
    assert answer.fallback is not None
    assert answer.fallback.trouble is Trouble.CUT_OFF
    assert answer.value == fallback(unit("a"))
    assert len(service.asked) < 8


BAD = [
    ("not JSON", unit("a")),
    ("wrong schema", unit("a")),
    ("wrong type", unit("a")),
    ("lossy", PropositionsRequest(DUTIES)),
    ("error text", unit("a")),
    ("error text", context()),
    ("error text", summary()),
    ("out of range", boundary()),
    ("backwards", boundary()),
    ("empty choices", unit("a")),
    ("null content", unit("a")),
]


@pytest.mark.parametrize(("act", "request_"), BAD)
def test_a_bad_answer_is_asked_for_twice_more_with_what_is_wrong(
    service: ChatService, open_model: OpenModel, act: str, request_: Request[Any]
) -> None:
    service.acts = [act, act]
    answer = _one(open_model(), request_)
    assert answer.fallback is None
    assert (answer.usage.calls, answer.usage.input_tokens) == (3, 300)
    assert "nicht brauchbar" in service.asked[1]["messages"][-1]["content"]


@pytest.mark.parametrize(("act", "request_"), BAD)
def test_a_model_that_answers_badly_for_ever_is_a_counted_fallback(
    service: ChatService, open_model: OpenModel, act: str, request_: Request[Any]
) -> None:
    service.acts = [act] * 100
    answer = _one(open_model(), request_)
    assert answer.fallback is not None
    assert answer.fallback.trouble is Trouble.BAD_ANSWER
    assert answer.fallback.reason
    assert answer.value == fallback(request_)
    assert len(service.asked) == 3
    assert tally([answer]).fallbacks == {Trouble.BAD_ANSWER: 1}


def test_json_in_a_fence_is_read(service: ChatService, open_model: OpenModel) -> None:
    service.acts = ["fenced"]
    answer = _one(open_model(), boundary())
    assert (answer.value, answer.usage.calls) == (2, 1)


def test_missing_usage_is_unknown_and_not_nothing(service: ChatService, open_model: OpenModel) -> None:
    service.acts = ["no usage"]
    usage = _one(open_model("openai/gpt-4o-mini"), boundary()).usage
    assert (usage.calls, usage.input_tokens, usage.output_tokens, usage.cost) == (1, None, None, None)


def test_a_service_that_knows_no_schemas_is_asked_without(service: ChatService, open_model: OpenModel) -> None:
    service.always = {"Beet": "no schema"}
    answers = open_model(concurrency=4).generate([unit(f"{n}") for n in range(12)])
    assert not tally(answers).fallbacks
    assert len([asked for asked in service.asked if "response_format" in asked]) <= 4


def test_an_input_too_long_for_the_model_is_a_fallback_of_its_own(service: ChatService, open_model: OpenModel) -> None:
    service.always = {"Beet 1 ": "too long"}
    answers = open_model().generate([unit("1"), unit("2")])
    assert tally(answers).fallbacks == {Trouble.REFUSED: 1}
    assert answers[1].fallback is None


def test_one_unit_that_gets_no_answer_does_not_stop_the_others(service: ChatService, open_model: OpenModel) -> None:
    service.always = {"Beet 1 ": 500, "Beet 2 ": 418}
    answers = open_model(tries=3).generate([unit(f"{n}") for n in range(4)])
    assert tally(answers).fallbacks == {Trouble.NO_ANSWER: 2}
    assert [answer.value for answer in answers] == [(unit(f"{n}").unit,) for n in range(4)]


def test_an_outage_is_no_heap_of_fallbacks(service: ChatService, open_model: OpenModel) -> None:
    service.always = {"Beet": 503}
    with pytest.raises(GenerationError, match=r"5 requests in a row got no answer.*503"):
        open_model(tries=2).generate([unit(f"{n}") for n in range(40)])
    assert len(service.asked) < 30


def test_a_service_that_is_not_there_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "any")
    generator = LiteLLMGenerator("openai/local", api_base="http://127.0.0.1:9/v1", concurrency=1, tries=2, backoff_seconds=0.01)
    with pytest.raises(GenerationError) as caught:
        generator.generate([unit(f"{n}") for n in range(9)])
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("status", [401, 403, 404])
def test_a_refusal_is_the_users_to_mend_and_not_tried_again(service: ChatService, open_model: OpenModel, status: int) -> None:
    service.always = {"Beet": status}
    with pytest.raises(InputError, match=f"status {status}.*key") as caught:
        open_model(concurrency=1).generate([unit("a"), unit("b")])
    assert "\n" not in str(caught.value)
    assert len(service.asked) == 1


def test_a_missing_key_is_named_before_anything_is_sent(
    service: ChatService, open_model: OpenModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    with pytest.raises(InputError, match="OPENAI_API_KEY"):
        _one(open_model(), unit("a"))
    assert not service.asked


def test_an_unknown_provider_is_named_with_the_way_out(open_model: OpenModel) -> None:
    with pytest.raises(InputError, match=r"no-such-model.*PROVIDER/MODEL"):
        _one(open_model("no-such-model"), unit("a"))


def test_one_generator_serves_several_batches_and_threads_with_a_loop(service: ChatService, open_model: OpenModel) -> None:
    generator = open_model()
    for n in range(3):
        assert _one(generator, unit(f"{n}")).fallback is None

    async def in_a_thread() -> Answer[Any]:
        return await asyncio.to_thread(_one, generator, unit("thread"))

    assert asyncio.run(in_a_thread()).fallback is None


def test_threads_that_ask_share_the_bound(service: ChatService, open_model: OpenModel) -> None:
    generator = open_model(concurrency=3)
    _one(generator, unit("first"))
    service.seconds = 0.05
    batches = [[unit(f"{batch} {n}") for n in range(6)] for batch in range(4)]
    started = time.perf_counter()
    with ThreadPoolExecutor(4) as pool:
        answers = list(pool.map(generator.generate, batches))
    elapsed = time.perf_counter() - started
    assert [[answer.value for answer in batch] for batch in answers] == [[(r.unit,) for r in batch] for batch in batches]
    assert service.most_under_way == 3
    assert sum(tally(batch).usage.seconds for batch in answers) <= elapsed


def test_an_error_of_the_one_who_keeps_answers_stops_the_work(service: ChatService, open_model: OpenModel) -> None:
    def full(_: object) -> None:
        raise InputError("no room")

    with pytest.raises(InputError, match="no room"):
        open_model(concurrency=2).generate([unit(f"{n}") for n in range(20)], full)
    assert len(service.asked) <= 4


def test_nothing_is_printed(service: ChatService, open_model: OpenModel, capfd: pytest.CaptureFixture[str]) -> None:
    service.acts = [500, "not JSON", "null content"]
    _one(open_model(), unit("a"))
    assert capfd.readouterr() == ("", "")


def test_usages_add_up_and_the_unknown_stays_unknown() -> None:
    assert Usage(1, 2, 3, 0.5, 1.0) + Usage(1, 2, 3, None, 1.0) == Usage(2, 4, 6, None, 2.0)


def test_an_origin_costs_no_library_and_tells_models_and_tasks_apart() -> None:
    origins = {LiteLLMGenerator(model, temperature=t).origin(task) for model in "ab" for t in (0.0, 1.0) for task in Task}
    assert len(origins) == 16
