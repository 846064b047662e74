"""The body of a chat request: what was said in it, what was said last, and the same with memory put in front."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from memories.core.text.signs import without_invisible
from memoryhub.common.errors import Invalid

MARKED = 30
"""Messages, the newest ones, by which a conversation is known again."""
SPOKEN = ("user", "assistant")


@dataclass(frozen=True)
class ChatBody:
    """`raw` is what came, and what is sent on where nothing is to be put in."""

    raw: bytes
    data: dict[str, Any]

    @property
    def model(self) -> str:
        return str(self.data.get("model") or "")

    @property
    def user(self) -> str | None:
        """The field `user`; None where it is not given. Invalid for another thing than a text."""
        user = self.data.get("user")
        if user is None or isinstance(user, str):
            return user
        raise Invalid("the field user is not usable", fields={"user": "a text of 1 to 512 characters"})

    @property
    def streams(self) -> bool:
        return bool(self.data.get("stream"))

    @cached_property
    def spoken(self) -> list[tuple[str, str]]:
        """(role, words) of what the person and the assistant said, oldest first, up to and with the newest words of the person."""
        found = [(str(one.get("role")), words_of(one)) for one in self._messages()]
        spoken = [(role, text) for role, text in found if role in SPOKEN and without_invisible(text).strip()]
        while spoken and spoken[-1][0] != "user":
            spoken.pop()
        return spoken

    @property
    def question(self) -> str:
        """The person's newest words; "" where there are none."""
        return self.spoken[-1][1] if self.spoken else ""

    def forms(self) -> list[str]:
        """What the newest messages would be known by, newest first: each of the person's by all that led to it, each answer by
        what it answers. The first is the newest message's own.
        """
        said, asked, found = "", "", []
        for role, text in self.spoken:
            said = _digest(said, role, text)
            if role == "user":
                asked = text
                found.append(said)
            elif asked:
                found.append(answer_form(asked, text))
        return found[: -MARKED - 1 : -1]

    def with_memory(self, content: str) -> bytes:
        """The request with a system message before the caller's; nothing else in it changes."""
        messages = self._messages()
        # Reasoning models take developer messages, and refuse a mixture.
        role = "developer" if any(one.get("role") == "developer" for one in messages) else "system"
        changed = {**self.data, "messages": [{"role": role, "content": content}, *messages]}
        return json.dumps(changed).encode()

    def _messages(self) -> list[dict[str, Any]]:
        messages = self.data.get("messages")
        if isinstance(messages, list) and messages and all(isinstance(one, dict) for one in messages):
            return messages
        raise Invalid(
            "the request has no messages", fields={"messages": "a list of objects with role and content"}
        )


def parse(raw: bytes) -> ChatBody:
    """Invalid for what is no JSON object."""
    try:
        data = json.loads(raw)
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict):
        raise Invalid("the body is not a JSON object", hint="Send the JSON of a chat completion's request.")
    return ChatBody(raw, data)


def words_of(message: dict[str, Any]) -> str:
    """A message's words; those of all its text parts, where it has parts."""
    content = message.get("content")
    if isinstance(content, str):
        return content
    return "\n".join(_texts(content)) if isinstance(content, list) else ""


def _texts(parts: list[Any]) -> Iterator[str]:
    for part in parts:
        text = part.get("text") if isinstance(part, dict) else None
        if isinstance(text, str):
            yield text


def answer_form(question: str, answer: str) -> str:
    """What an answer is known by."""
    return _digest("answer", question, answer)


def _digest(*parts: str) -> str:
    """Not stored as it is: who stores it makes a keyed print of it."""
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()
