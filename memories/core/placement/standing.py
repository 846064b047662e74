"""Which of the rules that are laid down hold in one conversation, and in what order they are told (R12)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol, TypeVar

_WIDTH = {"session": 0, "agent": 1, "user": 2}


class Rule(Protocol):
    """What has to be known of a rule."""

    @property
    def key(self) -> str: ...

    @property
    def scope(self) -> str: ...

    @property
    def pinned(self) -> bool: ...

    @property
    def importance(self) -> float: ...

    @property
    def said_at(self) -> datetime: ...


R = TypeVar("R", bound=Rule)


def in_order(rules: Sequence[R]) -> list[R]:
    """Pinned ones first, then the most important, then the newest."""
    return sorted(rules, key=lambda rule: (rule.pinned, rule.importance, rule.said_at), reverse=True)


def without_shadowed(rules: Sequence[R]) -> list[R]:
    """Of one person's rules of the same key the nearest: a rule for this conversation stands before the one for all of them."""
    nearest: dict[str, int] = {}
    for rule in rules:
        width = _WIDTH.get(rule.scope, 2)
        nearest[rule.key] = min(width, nearest.get(rule.key, width))
    return [rule for rule in rules if not rule.key or _WIDTH.get(rule.scope, 2) == nearest[rule.key]]


def overruled(own: Rule, operators: Sequence[Rule]) -> bool:
    """Whether an operator laid down a rule about the same: it stands, and the person's own is shown beside it."""
    words = set(own.key.split())
    return bool(words) and any(words == set(other.key.split()) for other in operators)
