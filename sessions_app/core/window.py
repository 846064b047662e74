"""The window: the newest turns in their own words, how full it is, and where it is cut when it is compacted (R2, R4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeVar

from memories.core.policy import PRESETS, Policy

USER = "user"
UNCOUNTED = frozenset({"tool", "system"})
"""Roles that take part in no round: a tool's result does not make a conversation longer."""


class HasRole(Protocol):
    """What the window has to know of a turn."""

    @property
    def role(self) -> str: ...

    @property
    def tokens(self) -> int: ...


T = TypeVar("T", bound=HasRole)


def policy_for(preset: str, policy: Policy) -> Policy:
    """The session's preset under the tenant's own overrides: what a tenant set by hand wins."""
    if preset not in PRESETS:
        return policy
    return Policy.from_overrides({**PRESETS[preset], **policy.overrides()})


def rounds(turns: Sequence[T]) -> list[list[T]]:
    """The turns grouped by round, oldest first: a user's message with everything up to the next user's message.

    What stands before the first user message (a greeting, an imported answer) is a round of its own if anybody spoke.
    """
    groups: list[list[T]] = []
    opened = False
    for turn in turns:
        if not groups or (turn.role == USER and opened):
            groups.append([])
            opened = False
        groups[-1].append(turn)
        opened = opened or turn.role not in UNCOUNTED
    return groups


def count_rounds(turns: Sequence[HasRole]) -> int:
    """Number of rounds in which somebody spoke; tool and system messages alone make none."""
    return sum(1 for group in rounds(turns) if any(turn.role not in UNCOUNTED for turn in group))


def level(turns: Sequence[HasRole], policy: Policy) -> float:
    """How full the window is: max(rounds / window.rounds, tokens / window.tokens); above 1 it is compacted."""
    tokens = sum(turn.tokens for turn in turns)
    return max(
        count_rounds(turns) / policy.integer("window.rounds"), tokens / policy.integer("window.tokens")
    )


def last_rounds(turns: Sequence[T], number: int) -> list[T]:
    """The turns of the newest `number` rounds."""
    return [turn for group in rounds(turns)[-number:] for turn in group] if number > 0 else []


def cut(turns: Sequence[HasRole], policy: Policy, *, settled: int | None = None) -> int:
    """How many of the oldest turns leave the window now: 0 while it is not over-full, or when none may leave.

    The fewest that bring the level down to `window.compact_to`, ending with a round. The newest `window.keep_turns` stay,
    and so does everything from index `settled` on (an answer that is still being written, and what follows it).

    Where a round is a single turn (a monologue, two people talking), the newest turns alone may fill the window: then it
    waits for `window.least_leaving` turns, or each further turn would become a digest of its own. Too many tokens do not wait.
    """
    if level(turns, policy) <= 1:
        return 0
    most = min(len(turns) - policy.integer("window.keep_turns"), len(turns) if settled is None else settled)
    too_long = sum(turn.tokens for turn in turns) > policy.integer("window.tokens")
    if most <= 0 or (most < policy.integer("window.least_leaving") and not too_long):
        return 0
    target = policy.number("window.compact_to")
    best = 0
    at = 0
    for group in rounds(turns):
        at += len(group)
        if at > most:
            break
        best = at
        if level(turns[at:], policy) <= target:
            break
    # One round longer than all that may leave (a tool's many results): cut inside it rather than not at all.
    return best or most
