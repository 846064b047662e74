"""A receiver of webhooks for tests: over real sockets, answering what a script says, keeping what came."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from memories.core.webhooks import verifies


@dataclass(frozen=True)
class Message:
    """One request: its headers in lower case, its bytes, and the status that it was answered with."""

    headers: dict[str, str]
    body: bytes
    status: int

    @property
    def data(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.body)
        return found

    def signed_by(self, secret: str, **changes: Any) -> bool:
        """Whether it is genuine, as a receiver sees to it."""
        given: dict[str, Any] = {
            "message_id": self.headers["webhook-id"],
            "timestamp": self.headers["webhook-timestamp"],
            "header": self.headers["webhook-signature"],
            "body": self.body,
            "now": time.time(),
        }
        return verifies(secret, **{**given, **changes})


class Receiver:
    """Runs in a thread. `answer` says the status of each request; `before` is called when one came, before it is answered."""

    def __init__(self) -> None:
        self.messages: list[Message] = []
        self.answer: Callable[[dict[str, Any]], int] = lambda data: 200
        self.headers: dict[str, str] = {}
        self.before: Callable[[], None] = lambda: None
        handler = type("Handler", (_Handler,), {"owner": self})
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._http.daemon_threads = True
        self._thread = threading.Thread(
            target=self._http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True
        )

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_address[1]}/hook"

    @property
    def taken(self) -> list[Message]:
        """What was answered with success."""
        return [one for one in self.messages if 200 <= one.status < 300]

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join(5)


@contextmanager
def receiver() -> Iterator[Receiver]:
    """A running one for the block."""
    found = Receiver()
    found.start()
    try:
        yield found
    finally:
        found.stop()


class _Handler(BaseHTTPRequestHandler):
    owner: Receiver
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        self.owner.before()
        status = self.owner.answer(json.loads(body))
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.owner.messages.append(Message(headers, body, status))
        self.send_response(status)
        for name, value in {**self.owner.headers, "content-length": "0"}.items():
            self.send_header(name, value)
        self.end_headers()
