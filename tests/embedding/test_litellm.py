"""The LiteLLM backend against a real server on this machine that plays OpenAI's /v1/embeddings, well and badly."""

import json
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import numpy as np
import pytest

from lawrag_assets.embedding import litellm_backend
from lawrag_assets.embedding.litellm_backend import LiteLLMEmbedder
from lawrag_assets.embedding.protocol import EmbeddingError
from lawrag_assets.errors import InputError

TEXTS = ["a", "bb", "cccc"]


class Service(ThreadingHTTPServer):
    """Answers each request by the next act of `acts` (a status, or a name below), then rightly; keeps what it was asked."""

    daemon_threads = True

    def __init__(self) -> None:
        self.acts: list[int | str] = []
        self.asked: list[dict[str, Any]] = []
        super().__init__(("127.0.0.1", 0), _Handler)

    def answer(self, request: dict[str, Any], act: int | str) -> bytes:
        data = [
            {"object": "embedding", "index": i, "embedding": [float(len(t)), 1.0, 0.0]} for i, t in enumerate(request["input"])
        ]
        if act == "reversed":
            data.reverse()
        elif act == "short":
            data.pop()
        elif act == "twice the same":
            data[1]["index"] = 0
        elif act == "ragged":
            data[1]["embedding"] = [1.0]
        elif act == "zero":
            data[1]["embedding"] = [0.0, 0.0, 0.0]
        elif act == "empty":
            data = []
        elif isinstance(act, int):
            return json.dumps({"error": {"message": f"status {act}"}}).encode()
        return json.dumps(
            {"object": "list", "model": "m", "data": data, "usage": {"prompt_tokens": 1, "total_tokens": 1}}
        ).encode()


class _Handler(BaseHTTPRequestHandler):
    server: Service

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.server.asked.append({"path": self.path, **request})
        act = self.server.acts.pop(0) if self.server.acts else "right"
        body = self.server.answer(request, act)
        self.send_response(act if isinstance(act, int) else 200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        try:
            for start in range(0, len(body), 1 if act == "dripping" else len(body)):
                self.wfile.write(body[start : start + (1 if act == "dripping" else len(body))])
                if act == "dripping":
                    time.sleep(0.1)
        except OSError:
            pass  # the client has gone

    def log_message(self, format: str, *args: Any) -> None:
        pass


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    """A running service."""
    monkeypatch.setenv("OPENAI_API_KEY", "any")
    with Service() as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        yield server
        server.shutdown()


def _open(service: Service, model: str = "openai/text-embedding-3-small", deadline: float = 20.0) -> LiteLLMEmbedder:
    base = f"http://127.0.0.1:{service.server_port}/v1"
    return LiteLLMEmbedder(model, identity="m", api_base=base, deadline_seconds=deadline, backoff_seconds=0.01)


def _assert_right(vectors: Any) -> None:
    expected = np.array([[len(text), 1, 0] for text in TEXTS], np.float32)
    np.testing.assert_allclose(vectors, expected / np.linalg.norm(expected, axis=1, keepdims=True), atol=1e-6)
    assert vectors.dtype == np.float32


def test_texts_come_back_as_unit_vectors(service: Service) -> None:
    embedder = _open(service)
    embedded = embedder.embed(TEXTS, "query")
    _assert_right(embedded.vectors)
    assert (embedder.dimension, embedder.max_tokens, embedded.truncated) == (3, 8191, 0)
    assert [(r["path"], r["model"], r["input"]) for r in service.asked] == [("/v1/embeddings", "text-embedding-3-small", TEXTS)]


def test_the_vectors_order_is_that_of_the_index(service: Service) -> None:
    service.acts = ["reversed"]
    _assert_right(_open(service).embed(TEXTS, "query").vectors)


def test_a_busy_or_failing_service_is_asked_again(service: Service) -> None:
    service.acts = [429, 503, 500]
    _assert_right(_open(service).embed(TEXTS, "query").vectors)
    assert len(service.asked) == 4, "one request a try: the library's own retries are off"


def test_a_service_that_keeps_failing_is_given_up_at_the_deadline(service: Service) -> None:
    service.acts = [500] * 1000
    started = time.monotonic()
    with pytest.raises(EmbeddingError, match=r"(given up after|no answer within) 1 s"):
        _open(service, deadline=1).embed(TEXTS, "query")
    assert time.monotonic() - started < 10


def test_an_answer_that_drips_for_ever_ends_at_the_deadline(service: Service) -> None:
    embedder = _open(service, deadline=1)
    embedder.load()
    service.acts = ["dripping"]
    started = time.monotonic()
    with pytest.raises(EmbeddingError, match="no answer within 1 s"):
        embedder.embed(TEXTS, "query")
    assert time.monotonic() - started < 10


@pytest.mark.parametrize("act", ["short", "twice the same", "ragged", "zero", "empty"])
def test_a_wrong_answer_is_never_taken_for_vectors(service: Service, act: str) -> None:
    service.acts = [act] * 10
    with pytest.raises(EmbeddingError, match="text-embedding-3-small"):
        _open(service).embed(TEXTS, "query")


@pytest.mark.parametrize("status", [401, 403, 404])
def test_a_refusal_is_the_users_to_mend_and_not_tried_again(service: Service, status: int) -> None:
    service.acts = [status] * 10
    with pytest.raises(InputError, match=f"status {status}.*key") as caught:
        _open(service).embed(TEXTS, "query")
    assert "\n" not in str(caught.value)
    assert len(service.asked) == 1


def test_a_bad_request_fails_at_once(service: Service) -> None:
    service.acts = [400] * 10
    with pytest.raises(EmbeddingError, match="status 400"):
        _open(service).embed(TEXTS, "query")
    assert len(service.asked) == 1


def test_many_texts_go_in_several_requests_and_come_back_in_order(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(litellm_backend, "TEXTS_PER_REQUEST", 4)
    texts = ["x" * (i % 7 + 1) for i in range(10)]
    vectors = _open(service).embed(texts, "passage").vectors
    assert [len(r["input"]) for r in service.asked] == [4, 4, 2]
    np.testing.assert_allclose(vectors[:, 0] / vectors[:, 1], [len(text) for text in texts], atol=1e-5)


def test_texts_over_the_models_limit_are_cut_and_counted(service: Service) -> None:
    embedded = _open(service).embed(["kurz", "wort " * 9000], "passage")
    assert embedded.cut.tolist() == [False, True]
    assert embedded.token_counts[1] == 8191
    assert len(service.asked[0]["input"][1]) < 5 * 9000


def test_no_texts_ask_for_nothing_but_a_dimension(service: Service) -> None:
    embedder = _open(service)
    assert embedder.embed([], "query").vectors.shape == (0, 3)
    assert len(service.asked) == 1


def test_providers_that_tell_questions_from_documents_are_told(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NVIDIA_NIM_API_KEY", "any")
    embedder = _open(service, "nvidia_nim/nv-embed")
    embedder.embed(["a"], "query")
    embedder.embed(["a"], "passage")
    assert [r["input_type"] for r in service.asked] == ["query", "passage"]


@pytest.mark.parametrize("model", ["no-such-model-anywhere", "nosuchprovider/model"])
def test_an_unknown_provider_is_named_with_the_way_out(service: Service, model: str) -> None:
    with pytest.raises(InputError, match="litellm/openai/"):
        _open(service, model).load()


def test_a_missing_key_is_named_before_anything_is_sent(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    with pytest.raises(InputError, match="OPENAI_API_KEY"):
        _open(service).embed(TEXTS, "query")
    assert not service.asked


def test_nothing_is_printed(service: Service, capfd: pytest.CaptureFixture[str]) -> None:
    service.acts = [500, "short"]
    with pytest.raises(EmbeddingError):
        _open(service).embed(TEXTS, "query")
    assert capfd.readouterr() == ("", "")
