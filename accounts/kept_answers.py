"""Answers that are kept for callers who ask again with the same Idempotency-Key; the app that stores them registers here."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

from accounts.actor import Actor
from memoryhub.common.errors import Invalid

KEY_PATTERN = r"^[\x21-\x7e]{1,200}$"
_KEY = re.compile(KEY_PATTERN[1:-1])


def check_key(key: str) -> None:
    """Invalid for what is no key."""
    if not _KEY.fullmatch(key):
        raise Invalid(
            "the Idempotency-Key is not usable",
            hint="Send 1 to 200 visible ASCII characters without spaces, such as a UUID.",
            fields={"Idempotency-Key": "1 to 200 visible ASCII characters"},
        )


@dataclass(frozen=True, slots=True)
class Answer:
    """What a caller is told: a status, a body of JSON's own types, and the headers that belong to it.

    `subject_id` is whose memory the body is about; left out, it is read from what was audited. `sealed` bodies are stored encrypted.
    """

    status: int
    body: Any
    headers: dict[str, str] = field(default_factory=dict)
    subject_id: uuid.UUID | None = None
    sealed: bool = False
    replayed: bool = False


class AnswersOnce(Protocol):
    """Does the work once a (caller, key), and answers every time."""

    def __call__(
        self, *, actor: Actor, key: str, asked: bytes, work: Callable[[], Answer], in_steps: bool = False
    ) -> Answer: ...


_registered: list[AnswersOnce] = []


def use_answers(once: AnswersOnce) -> None:
    """Called once at start, by the app that stores answers."""
    _registered[:] = [once]


def answers_once() -> AnswersOnce:
    """The one in use."""
    return _registered[0]
