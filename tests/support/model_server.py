"""A model endpoint for tests: OpenAI-compatible, over real sockets, doing what a script says."""

from __future__ import annotations

import hashlib
import json
import threading
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import numpy as np

DIM = 32


@dataclass
class Reply:
    """What the server does with one request.

    `pieces` are streamed one chunk each (joined when the request is not for a stream). `status` other than 200 is an
    error with `retry_after`. Before piece number `hold_at` the server waits for `hold`, at most `hold_seconds`.
    `cut_at` drops the connection before that piece. `finish` None leaves the end mark out. `refusal` makes it a refusal.
    `raw` is sent as the body as it is. `usage` False leaves the usage out.
    `pause` is the time before each piece, in seconds. `chunks` are streamed as they are, one write each, instead of the pieces.
    `headers` are sent with a success of `raw` or `chunks`.
    """

    pieces: list[str] = field(default_factory=lambda: ["Hello", " there", "."])
    status: int = 200
    retry_after: str = ""
    error: str = "scripted"
    hold: threading.Event | None = None
    hold_at: int = 0
    hold_seconds: float = 30.0
    cut_at: int | None = None
    finish: str | None = "stop"
    refusal: bool = False
    raw: str | None = None
    usage: bool = True
    pause: float = 0.0
    chunks: list[bytes] | None = None
    headers: dict[str, str] = field(default_factory=dict)


def json_reply(value: object, *, prose: bool = False) -> Reply:
    """A reply that is the value as JSON, with `prose` inside a chatty answer and a code fence."""
    text = json.dumps(value, ensure_ascii=False)
    return Reply(pieces=[f"Sure! Here it is:\n```json\n{text}\n```\nAnything else?" if prose else text])


class ModelServer:
    """Runs in a thread. `script(...)` queues replies, in order; with none left every request gets a default one."""

    def __init__(self) -> None:
        self.requests: list[dict[str, Any]] = []
        self.client_left = threading.Event()
        self._script: deque[Reply] = deque()
        self._lock = threading.Lock()
        handler = type("Handler", (_Handler,), {"owner": self})
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._http.daemon_threads = True
        self._thread = threading.Thread(
            target=self._http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
        )

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}/v1"

    def script(self, *replies: Reply) -> None:
        with self._lock:
            self._script.extend(replies)

    def forget(self) -> None:
        """What was asked, and what is still scripted."""
        with self._lock:
            self._script.clear()
        self.requests.clear()
        self.client_left.clear()

    def next_reply(self) -> Reply:
        with self._lock:
            return self._script.popleft() if self._script else Reply()

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join(5)


@contextmanager
def model_server() -> Iterator[ModelServer]:
    """A running server for the block."""
    server = ModelServer()
    server.start()
    try:
        yield server
    finally:
        server.stop()


class _Handler(BaseHTTPRequestHandler):
    owner: ModelServer
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        self.owner.requests.append({"path": self.path, "auth": self.headers.get("authorization", "")})
        self._send(200, {"object": "list", "data": [{"id": "test-model", "object": "model"}]})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.owner.requests.append({"path": self.path, "auth": self.headers.get("authorization", ""), **body})
        reply = self.owner.next_reply()
        try:
            self._answer(body, reply)
        except OSError:
            self.owner.client_left.set()
            self.close_connection = True

    def _answer(self, body: dict[str, Any], reply: Reply) -> None:
        if reply.status != 200:
            headers = {"retry-after": reply.retry_after} if reply.retry_after else {}
            self._send(reply.status, {"error": {"message": reply.error, "type": "scripted"}}, headers)
        elif reply.raw is not None:
            self._wait(reply, 0)
            self._send_bytes(200, reply.raw.encode(), reply.headers)
        elif self.path.endswith("/embeddings"):
            self._wait(reply, reply.hold_at)
            self._embeddings(body)
        elif self.path.endswith("/rerank"):
            self._wait(reply, reply.hold_at)
            self._rerank(body)
        elif body.get("stream"):
            self._stream(body, reply)
        else:
            self._whole(body, reply)

    def _whole(self, body: dict[str, Any], reply: Reply) -> None:
        self._wait(reply, reply.hold_at)
        text = "".join(reply.pieces)
        message = {"role": "assistant", "content": None if reply.refusal else text}
        if reply.refusal:
            message["refusal"] = text
        data = {
            "id": "c1",
            "object": "chat.completion",
            "created": 0,
            "model": body["model"],
            "choices": [{"index": 0, "message": message, "finish_reason": reply.finish or "stop"}],
        }
        if reply.usage:
            data["usage"] = {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18}
        self._send(200, data)

    def _stream(self, body: dict[str, Any], reply: Reply) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("transfer-encoding", "chunked")
        for name, value in reply.headers.items():
            self.send_header(name, value)
        self.end_headers()
        if reply.chunks is not None:
            for at, chunk in enumerate(reply.chunks):
                self._wait(reply, at)
                time.sleep(reply.pause)
                self._write(chunk)
            self._write(b"")
            return
        for at, piece in enumerate(reply.pieces):
            self._wait(reply, at)
            time.sleep(reply.pause)
            if reply.cut_at == at:
                self.close_connection = True
                self.connection.shutdown(2)
                return
            self._event(body, {"refusal" if reply.refusal else "content": piece}, None)
        self._wait(reply, len(reply.pieces))
        if reply.finish:
            self._event(body, {}, reply.finish)
        if reply.usage and body.get("stream_options", {}).get("include_usage"):
            self._chunk(
                {
                    **_head(body),
                    "choices": [],
                    "usage": {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18},
                }
            )
        self._write(b"data: [DONE]\n\n")
        self._write(b"")

    def _wait(self, reply: Reply, at: int) -> None:
        if reply.hold is not None and at == reply.hold_at:
            reply.hold.wait(reply.hold_seconds)

    def _event(self, body: dict[str, Any], delta: dict[str, Any], finish: str | None) -> None:
        self._chunk({**_head(body), "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]})

    def _chunk(self, data: dict[str, Any]) -> None:
        self._write(f"data: {json.dumps(data)}\n\n".encode())

    def _write(self, data: bytes) -> None:
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        self.wfile.flush()

    def _embeddings(self, body: dict[str, Any]) -> None:
        rows = [
            {"object": "embedding", "index": at, "embedding": vector_of(text)}
            for at, text in enumerate(body["input"])
        ]
        self._send(200, {"object": "list", "model": body["model"], "data": rows[::-1]})

    def _rerank(self, body: dict[str, Any]) -> None:
        """Scores by the share of the question's characters that a document has; the best first, as such endpoints do."""
        asked = set(body["query"])
        rows = [
            {"index": at, "relevance_score": len(asked & set(text)) / max(1, len(asked))}
            for at, text in enumerate(body["documents"])
        ]
        rows.sort(key=lambda row: -row["relevance_score"])
        self._send(200, {"id": "r1", "results": rows[: body["top_n"]]})

    def _send(self, status: int, data: object, headers: dict[str, str] | None = None) -> None:
        self._send_bytes(status, json.dumps(data).encode(), headers or {})

    def _send_bytes(self, status: int, data: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)


def _head(body: dict[str, Any]) -> dict[str, Any]:
    return {"id": "c1", "object": "chat.completion.chunk", "created": 0, "model": body["model"]}


def vector_of(text: str) -> list[float]:
    """The server's vector of a text: fixed by its hash, not of unit length."""
    seed = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
    values: list[float] = (np.random.default_rng(seed).standard_normal(DIM) * 3).tolist()
    return values
