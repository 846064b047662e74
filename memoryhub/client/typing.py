"""The shapes of answers, as far as a program usually reads them; an answer may hold more."""

from __future__ import annotations

from typing import Any, TypedDict


class Outcome(TypedDict, total=False):
    """What became of a statement: stored, duplicate, superseded, contradiction, blocked_sensitive, not_worth_keeping, …"""

    code: str
    memory_id: str | None
    kind: str
    rule: str
    reasons: list[str]
    replaced_id: str | None


class Outcomes(TypedDict):
    """One outcome a statement, never none."""

    results: list[Outcome]


class Memory(TypedDict, total=False):
    """A stored memory. Times are ISO 8601."""

    id: str
    kind: str
    content: str
    tags: list[str]
    metadata: dict[str, Any]
    status: str
    pinned: bool
    importance: float
    strength: float
    said_at: str
    valid_from: str | None
    valid_to: str | None
    expires_at: str | None
    version: int
    created_at: str
    updated_at: str


class RecallItem(TypedDict, total=False):
    """A memory or a turn that fits a question."""

    id: str
    item_kind: str
    kind: str
    text: str
    said_at: str
    score: float
    contradicted: bool


class Recalled(TypedDict, total=False):
    """Items best first; none, and `abstained`, where nothing relevant is stored."""

    items: list[RecallItem]
    abstained: bool
    degraded: str
    trace_id: str | None


class Context(TypedDict, total=False):
    """`messages` as chat models take them, within the budget."""

    messages: list[dict[str, str]]
    used_tokens: int
    budget_tokens: int
    sections: dict[str, int]
    used: list[dict[str, Any]]
    abstained: bool | None
    degraded: str
