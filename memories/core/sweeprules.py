"""What a sweep does with one memory, and why; the store does the same in set-based SQL (R24).

In order: (1) a pinned memory stays; (2) `expires_at <= now` expires, whatever the kind; one of a kind that is never swept
stays; (3) decayed strength below the floor and older than the minimum age archives; (4) above the capacity, the
least retention values are evicted. `ask` marks what is important, never expires and was not confirmed for long.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from memories.core.decay import age_days, half_life_days, retention_value, strength_at
from memories.core.kinds import NEVER_SWEPT
from memories.core.outcomes import Decision, SweepOutcome
from memories.core.policy import Policy


@dataclass(frozen=True, slots=True)
class MemoryFacts:
    """What the sweep looks at; times are aware, importance is 0..1."""

    id: str
    kind: str
    created_at: datetime
    strength: float
    importance: float = 0.5
    importance_level: str | None = None
    last_hit_at: datetime | None = None
    confirmed_at: datetime | None = None
    expires_at: datetime | None = None
    hits: int = 0
    pinned: bool = False

    @property
    def exempt(self) -> bool:
        """True when neither the floor nor the capacity may take it."""
        return self.pinned or self.kind in NEVER_SWEPT


def verdict(memory: MemoryFacts, policy: Policy, now: datetime) -> Decision | None:
    """Expire or archive, with the rule and the numbers; None when the memory stays."""
    if memory.expires_at is not None and memory.expires_at <= now and not memory.pinned:
        return Decision(SweepOutcome.EXPIRE, "sweep.ttl", ("expires_at has passed",))
    if memory.exempt:
        return None
    half_life = half_life_days(policy, memory.kind, memory.importance_level)
    strength = strength_at(
        strength=memory.strength,
        last_hit_at=memory.last_hit_at,
        created_at=memory.created_at,
        now=now,
        half_life_days=half_life,
    )
    age = age_days(memory.created_at, now)
    floor, min_age = policy.number("sweep.floor"), policy.number("sweep.min_age_days")
    if strength < floor and age > min_age:
        reasons = (f"strength {strength:.3f} < {floor:g}", f"age {age:.1f} d > {min_age:g} d")
        return Decision(SweepOutcome.ARCHIVE, "sweep.floor", reasons)
    return None


def value_of(memory: MemoryFacts, policy: Policy, now: datetime) -> float:
    """The retention value that decides who goes when the capacity is reached."""
    return retention_value(
        policy,
        importance=memory.importance,
        hits=memory.hits,
        last_hit_at=memory.last_hit_at,
        created_at=memory.created_at,
        now=now,
        half_life_days=half_life_days(policy, memory.kind, memory.importance_level),
    )


def evictions(
    memories: Iterable[MemoryFacts], policy: Policy, now: datetime
) -> list[tuple[MemoryFacts, Decision]]:
    """Who goes so that at most `sweep.capacity` memories stay: least value first, then oldest, then id.

    Exempt memories count towards the capacity and never go, so a user of only exempt memories stays above it.
    """
    live = list(memories)
    over = len(live) - policy.integer("sweep.capacity")
    if over <= 0:
        return []
    ranked = sorted(
        (
            (value_of(memory, policy, now), memory.created_at, memory.id, memory)
            for memory in live
            if not memory.exempt
        ),
        key=lambda row: row[:3],
    )
    return [
        (
            memory,
            Decision(
                SweepOutcome.EVICT, "sweep.capacity", (f"value {value:.3f}", f"{over} above the capacity")
            ),
        )
        for value, _, _, memory in ranked[:over]
    ]


def asks(memory: MemoryFacts, policy: Policy, now: datetime) -> Decision | None:
    """Whether to ask the person if an important memory still holds, instead of trusting or dropping it."""
    if memory.expires_at is not None or memory.importance < policy.number("stale.importance"):
        return None
    last = max(filter(None, (memory.created_at, memory.confirmed_at)))
    days = age_days(last, now)
    limit = policy.number("stale.days")
    if days <= limit:
        return None
    return Decision(SweepOutcome.ASK, "sweep.stale", (f"unconfirmed for {days:.0f} d > {limit:g} d",))
