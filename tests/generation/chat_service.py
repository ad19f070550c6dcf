"""A real server on this machine that plays OpenAI's /v1/chat/completions, well and badly, and counts what it is asked.

It also embeds as Google's service does (`models/…:batchEmbedContents`): a vector counts a text's letters.
"""

import json
import re
import threading
import time
from collections import Counter
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

USAGE = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}


class ChatService(ThreadingHTTPServer):
    """Answers each request by the next act of `acts` (a status, or a name below), then rightly.

    `always` maps a word to the act for every request that holds it. `asked` keeps the requests, `units` counts them by what is asked,
    `seconds` is how long an answer takes. "Rightly" is the unit itself for propositions, and so on (`_right`).
    """

    daemon_threads = True
    request_queue_size = 64

    def __init__(self) -> None:
        self.acts: list[int | str] = []
        self.always: dict[str, int | str] = {}
        self.asked: list[dict[str, Any]] = []
        self.units: Counter[str] = Counter()
        self.embedded: list[list[str]] = []
        self.seconds = 0.0
        self.under_way = 0
        self.most_under_way = 0
        self.lock = threading.Lock()
        super().__init__(("127.0.0.1", 0), _Handler)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"

    def act_for(self, request: dict[str, Any]) -> int | str:
        with self.lock:
            self.asked.append(request)
            self.units[_input(request)] += 1
            for word, act in self.always.items():
                if word in _input(request):
                    return act
            return self.acts.pop(0) if self.acts else "right"

    def embed(self, request: dict[str, Any]) -> dict[str, Any]:
        texts = [part["content"]["parts"][0]["text"] for part in request["requests"]]
        with self.lock:
            self.embedded.append(texts)
        letters = [[float(text.lower().count(letter)) + 0.1 for letter in "abcdefghiklmnoprstuvwzäöü§"] for text in texts]
        return {"embeddings": [{"values": counts} for counts in letters]}

    def answer(self, request: dict[str, Any], act: int | str) -> dict[str, Any]:
        content: str | None = json.dumps(_right(request), ensure_ascii=False)
        finish = "stop"
        usage: dict[str, int] | None = USAGE
        if act == "cut off":
            content, finish = content[: len(content) // 2], "length"
        elif act == "not JSON":
            content = "Gern! Die Einheit besteht aus zwei Teilen."
        elif act == "wrong schema":
            content = json.dumps({"result": ["a", 1]})
        elif act == "wrong type":
            content = json.dumps({key: {"a": 1} for key in _right(request)})
        elif act == "out of range":
            content = json.dumps({"first": 99})
        elif act == "backwards":
            content = json.dumps({"first": 1})
        elif act == "lossy":
            content = json.dumps({"propositions": ["Die Wege sind freizuhalten."]})
        elif act == "error text":
            content = json.dumps(dict.fromkeys(_right(request), "Error: rate limit exceeded"))
        elif act == "fenced":
            content = f"Hier ist das JSON:\n```json\n{content}\n```"
        elif act == "null content":
            content = None
        elif act == "no usage":
            usage = None
        choice = {"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": content}}
        body = {"id": "1", "object": "chat.completion", "created": 1, "model": "m", "choices": [choice]}
        if act == "empty choices":
            body["choices"] = []
        return body | ({"usage": usage} if usage else {})


class _Handler(BaseHTTPRequestHandler):
    server: ChatService
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        if self.path.endswith(":batchEmbedContents"):
            self._send(200, json.dumps(self.server.embed(request)).encode())
            return
        act = self.server.act_for(request)
        with self.server.lock:
            self.server.under_way += 1
            self.server.most_under_way = max(self.server.most_under_way, self.server.under_way)
        if act == "no schema" and "response_format" not in request:
            act = "right"
        status = {"no schema": 400, "too long": 400}.get(str(act), act if isinstance(act, int) else 200)
        error = {"message": f"status {status}"}
        if act == "too long":
            error = {"message": "This model's maximum context length is 10 tokens.", "code": "context_length_exceeded"}
        body = json.dumps(self.server.answer(request, act) if status == 200 else {"error": error}).encode()
        time.sleep(3.0 if act == "slow" else self.server.seconds)
        with self.server.lock:
            self.server.under_way -= 1
        self._send(int(status), body, dripping=act == "dripping")

    def _send(self, status: int, body: bytes, *, dripping: bool = False) -> None:
        try:
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            step = 1 if dripping else len(body)
            for start in range(0, len(body), step):
                self.wfile.write(body[start : start + step])
                self.wfile.flush()
                time.sleep(0.1 if dripping else 0)
        except OSError:
            pass  # the client has gone

    def log_message(self, format: str, *args: Any) -> None:
        pass


def _input(request: dict[str, Any]) -> str:
    """What the first user message asks about."""
    return str(request["messages"][1]["content"])


def _right(request: dict[str, Any]) -> dict[str, Any]:
    """An answer that satisfies the rules, by the prompt that asks."""
    instruction, asked = request["messages"][0]["content"], _input(request)
    if '{"propositions"' in instruction:
        return {"propositions": [asked.partition("Einheit: ")[2]]}
    if '{"first"' in instruction:
        return {"first": 2}
    if '{"context"' in instruction:
        heading = re.search("Überschrift: (.*)", asked)
        return {"context": f"Gartenrecht, zur Überschrift {heading[1] if heading else ''}"}
    return {"summary": "Vorschriften über Gärten und Wege."}


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatService]:
    """A running service; the environment has a key for it."""
    monkeypatch.setenv("OPENAI_API_KEY", "any")
    with ChatService() as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        yield server
        server.shutdown()
