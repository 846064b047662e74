"""What the services need from outside: an embedder, a chat model and a clock, as protocols that adapters fulfil."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Literal, Protocol
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from memories.core.budget import Meter
from memories.core.model_errors import (
    EmbedderUnavailable,
    EmbeddingRefused,
    ModelInterrupted,
    ModelMalformed,
    ModelMisconfigured,
    ModelRefused,
    ModelTruncated,
    ModelUnavailable,
)
from memories.core.text.language import Language

__all__ = [
    "ChatMessage",
    "ChatModel",
    "ChatRequest",
    "Clock",
    "Delta",
    "Embedder",
    "EmbedderIdentity",
    "EmbedderUnavailable",
    "EmbeddingKind",
    "EmbeddingRefused",
    "FixedClock",
    "Meter",
    "ModelInterrupted",
    "ModelMalformed",
    "ModelMisconfigured",
    "ModelRefused",
    "ModelTruncated",
    "ModelUnavailable",
    "NotedOutcome",
    "RecalledForAnswer",
    "Reranker",
    "RerankerUnavailable",
    "SystemClock",
    "Usage",
    "Vectors",
]

Vectors = NDArray[np.float32]
"""Shape (number of texts, dim); every row has length 1."""

EmbeddingKind = Literal["query", "passage"]


@dataclass(frozen=True, slots=True)
class EmbedderIdentity:
    """What makes vectors comparable: only vectors of one identity may be compared. Stored as EmbeddingSpace."""

    name: str
    revision: str
    dim: int


class Embedder(Protocol):
    """Turns texts into unit vectors; synchronous, thread-safe, never called on the event loop or in a transaction."""

    @property
    def identity(self) -> EmbedderIdentity: ...

    def embed(self, texts: Sequence[str], *, kind: EmbeddingKind) -> Vectors:
        """Unit rows of shape (len(texts), dim). EmbeddingRefused for an empty text, EmbedderUnavailable when down."""
        ...


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """One message of a chat request; `role` is system, user, assistant or tool."""

    role: str
    content: str


@dataclass(frozen=True, slots=True)
class RecalledForAnswer:
    """A memory or an earlier turn that stands in the context; `number` is what an answer cites it by, as [number].

    `note` says how it is to be taken: superseded, ended, upcoming, contradicted; "" for what simply holds.
    """

    number: int
    id: UUID | str
    text: str
    said_at: datetime | None = None
    speaker: str = ""
    kind: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class NotedOutcome:
    """What became of something said in this turn: the reason code (R13), and the memory's text where there is one.

    `replaced` is the text that it superseded.
    """

    code: str
    text: str = ""
    replaced: str = ""
    kind: str = ""


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """Everything an answer may be made from.

    Model endpoints are sent `messages` alone; the offline responder reads the rest. `memories` are in rank order.
    `max_tokens` bounds the answer, `timeout` (seconds) the wait for each next piece of it; None takes the adapter's.
    `meter` is told what each call costs, however it ends.
    """

    messages: Sequence[ChatMessage]
    memories: Sequence[RecalledForAnswer] = ()
    outcomes: Sequence[NotedOutcome] = ()
    language: Language | None = None
    max_tokens: int | None = None
    timeout: float | None = None
    meter: Meter = field(default_factory=Meter, compare=False)

    @property
    def question(self) -> str:
        """The newest user message, or an empty text."""
        return next((message.content for message in reversed(self.messages) if message.role == "user"), "")


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the endpoint reports them; `estimated` when it reported none and they were counted here."""

    prompt_tokens: int
    completion_tokens: int
    estimated: bool = False


@dataclass(frozen=True, slots=True)
class Delta:
    """The next piece of an answer. The last one has `finish` ("stop") and, where known, `usage`; its text may be empty."""

    text: str = ""
    finish: str = ""
    usage: Usage | None = None


class ChatModel(Protocol):
    """A model that answers; streaming is async, structured output (extraction, digests) is synchronous."""

    @property
    def name(self) -> str:
        """What the answer is labelled with: the model's name, or "offline"."""
        ...

    @property
    def is_model(self) -> bool:
        """False for the offline responder: digest and extraction then use rules instead of complete_json."""
        ...

    def stream(self, request: ChatRequest) -> AsyncIterator[Delta]:
        """The answer in pieces. Closing the iterator early (aclose, or cancelling the task) ends the upstream call.

        Raises ModelUnavailable or ModelMisconfigured before the first piece, ModelInterrupted after it,
        ModelTruncated or ModelRefused at the end; the pieces that were yielded before stay valid.
        """
        ...

    def complete_json(
        self,
        messages: Sequence[ChatMessage],
        schema: Mapping[str, Any],
        timeout: float | None = None,
        meter: Meter | None = None,
    ) -> dict[str, Any]:
        """One reply, validated against the JSON schema; ModelMalformed when it still does not fit when asked again.

        `meter` is told what each call costs, also of those that raise.
        """
        ...


class RerankerUnavailable(Exception):
    """No scores this time; `reason` is one word: timeout, error, malformed, busy or resting."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Reranker(Protocol):
    """Scores documents against a question; synchronous, time-boxed, thread-safe, never called in a transaction."""

    def scores(self, query: str, documents: Sequence[str]) -> list[float]:
        """One score in 0..1 a document, in their order; RerankerUnavailable when there are none in time."""
        ...


class Clock(Protocol):
    """The one source of "now"."""

    def now(self) -> datetime:
        """An aware time in UTC."""
        ...


class SystemClock:
    """The machine's clock."""

    def now(self) -> datetime:
        return datetime.now(UTC)


@dataclass
class FixedClock:
    """A clock that stands until it is moved; for tests, evaluation and dry runs."""

    at: datetime = field(default_factory=lambda: datetime(2026, 1, 5, 9, 0, tzinfo=UTC))

    def now(self) -> datetime:
        return self.at.astimezone(UTC)

    def advance(self, **delta: float) -> datetime:
        """Move forward by timedelta's keywords, e.g. `advance(days=3)`, and return the new time."""
        self.at += timedelta(**delta)
        return self.now()
