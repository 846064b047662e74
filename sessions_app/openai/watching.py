"""Reads along in an answer that is passed on: what was said, how it ended, and what it took; the bytes are not its business."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

MOST_WORDS = 200_000
"""Characters of an answer that are kept here; more than may be stored of it anyway."""
MOST_BYTES = 8_000_000
"""Of one event, or of an answer that is not streamed."""


@dataclass(slots=True)
class Heard:
    """`finished` tells that the answer came to its end; `usage` is the endpoint's own, {} where it gave none.

    `beside` counts the characters of what is not remembered: calls of tools, refusals, further answers.
    """

    pieces: list[str] = field(default_factory=list)
    length: int = 0
    finished: bool = False
    model: str = ""
    usage: dict[str, Any] = field(default_factory=dict)
    beside: int = 0

    @property
    def text(self) -> str:
        return "".join(self.pieces)

    def take(self, data: Any) -> None:
        """One completion, or one chunk of it; anything else is passed over."""
        if not isinstance(data, dict):
            return
        self.model = str(data.get("model") or self.model)
        if isinstance(data.get("usage"), dict):
            self.usage = data["usage"]
        choices = data.get("choices")
        for choice in choices if isinstance(choices, list) else ():
            if isinstance(choice, dict):
                self._choice(choice)

    def _choice(self, choice: dict[str, Any]) -> None:
        said = choice.get("delta") or choice.get("message")
        said = said if isinstance(said, dict) else {}
        text = said.get("content")
        # Of several answers the first is the one that is remembered.
        first = choice.get("index", 0) == 0
        if isinstance(text, str) and first and self.length < MOST_WORDS:
            self.pieces.append(text)
            self.length += len(text)
        elif text:
            self.beside += len(str(text))
        self.beside += sum(len(str(said[name])) for name in ("tool_calls", "refusal") if said.get(name))
        self.finished = self.finished or (first and bool(choice.get("finish_reason")))


class Watcher:
    """Of one answer. `feed` takes the body's pieces, wherever they were cut; `done` tells that the end mark came."""

    def __init__(self, *, streams: bool) -> None:
        self.heard = Heard()
        self.done = False
        self._streams, self._rest = streams, b""

    def feed(self, chunk: bytes) -> None:
        """Never raises: an answer that cannot be understood is passed on all the same."""
        self._rest += chunk
        if self._streams:
            *lines, self._rest = self._rest.split(b"\n")
            for line in lines:
                self._line(line)
        if len(self._rest) > MOST_BYTES:
            self._rest = b""

    def end(self) -> None:
        """The body is complete."""
        if self._streams:
            self._line(self._rest)
        else:
            self.heard.take(_json(self._rest))
        self._rest = b""

    def _line(self, line: bytes) -> None:
        if not line.startswith(b"data:"):
            return
        data = line[5:].strip()
        if data == b"[DONE]":
            self.done = self.heard.finished = True
        elif data:
            self.heard.take(_json(data))


def _json(data: bytes) -> Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None
