"""A real server on this machine that plays OpenAI's streamed /v1/chat/completions, well and badly."""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class AnswerService(ThreadingHTTPServer):
    """Streams `text` in pieces of `step` characters; before that it plays `acts`, one a request.

    An act is a status (500), "empty", "cut off" (at the half, for length), "breaks" (the connection ends at the half), or "silent".
    `asked` keeps the requests, `gone` counts clients that went before the end.
    """

    daemon_threads = True

    def __init__(self, text: str = "") -> None:
        self.text = text
        self.step = 7
        self.pause = 0.0
        self.acts: list[int | str] = []
        self.asked: list[dict[str, Any]] = []
        self.gone = 0
        super().__init__(("127.0.0.1", 0), _Handler)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"


class _Handler(BaseHTTPRequestHandler):
    server: AnswerService

    def do_POST(self) -> None:
        self.server.asked.append(json.loads(self.rfile.read(int(self.headers["content-length"]))))
        act = self.server.acts.pop(0) if self.server.acts else "right"
        if isinstance(act, int):
            body = json.dumps({"error": {"message": f"status {act}"}}).encode()
            self.send_response(act)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
            return
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        try:
            self._stream(act)
        except OSError:
            self.server.gone += 1

    def _stream(self, act: str) -> None:
        text = "" if act == "empty" else self.server.text
        if act in ("cut off", "breaks"):
            text = text[: len(text) // 2]
        if act == "silent":
            time.sleep(5)
        for at in range(0, len(text), self.server.step):
            self._send({"content": text[at : at + self.server.step]}, None)
            time.sleep(self.server.pause)
        if act != "breaks":
            self._send({}, "length" if act == "cut off" else "stop")
            self.wfile.write(b"data: [DONE]\n\n")

    def _send(self, delta: dict[str, str], finish: str | None) -> None:
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        chunk = {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}
        self.wfile.write(f"data: {json.dumps(chunk, ensure_ascii=False)}\n\n".encode())
        self.wfile.flush()

    def log_message(self, format: str, *args: Any) -> None:
        pass


@contextmanager
def answer_service(text: str = "") -> Iterator[AnswerService]:
    """A running service."""
    with AnswerService(text) as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        yield server
        server.shutdown()
