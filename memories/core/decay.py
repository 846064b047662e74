"""Strength over time: decay on read, reinforcement on use, and the value that decides eviction (R12, R22, R24).

The store mirrors these formulas in SQL. With t in days (86,400 s) and `anchor = coalesce(last_hit_at, created_at)`:

    strength(now)  = strength * 2 ^ (-max(0, now - anchor) / half_life)        (strength when half_life is null)
    reinforced     = least(strength(now) + bonus, cap), written with last_hit_at = now
    archive at     = greatest(anchor + half_life * log2(strength / floor), created_at + min_age)
    retention      = importance * 2 ^ (-max(0, now - anchor) / half_life) + hit_weight * hits
"""

from __future__ import annotations

import math
from datetime import datetime, timedelta
from enum import StrEnum

from memories.core.errors import NaiveTimeError
from memories.core.kinds import NEVER_DECAYS, Level
from memories.core.policy import Policy
from memories.core.policy_table import RULES

DAY_SECONDS = 86_400.0


class Hit(StrEnum):
    """What happened to a memory that changes its strength."""

    RETRIEVED = "retrieved"
    CITED = "cited"
    CONFIRMED = "confirmed"
    DONE = "done"
    REPEATED = "repeated"
    WRONG = "wrong"


def half_life_days(policy: Policy, kind: str, importance_level: str | None = None) -> float | None:
    """Days after which strength halves; None when the memory never decays.

    Profile and constraint never decay, whatever their level; elsewhere a level (high, medium, low) replaces the kind's
    half-life; a kind that the table does not name has `half_life.unknown`. ValueError for a level that does not exist.
    """
    if kind in NEVER_DECAYS or not policy.flag("decay.enabled"):
        return None
    if importance_level:
        return policy.number(f"half_life.level.{Level(importance_level).value}")
    key = f"half_life.{kind}"
    return policy.number(key if key in RULES and "." not in kind else "half_life.unknown")


def age_days(since: datetime, now: datetime) -> float:
    """Days from `since` to `now`, never negative (a clock that steps back must not strengthen a memory)."""
    if since.tzinfo is None or now.tzinfo is None:
        raise NaiveTimeError("a time without a zone", hint="Pass aware datetimes.")
    return max(0.0, (now - since).total_seconds() / DAY_SECONDS)


def decay_factor(days: float, half_life: float | None) -> float:
    """2^(-days/half_life) in 0..1; 1 when there is no half-life."""
    if half_life is None:
        return 1.0
    return math.exp2(-max(0.0, days) / half_life)


def strength_at(
    *,
    strength: float,
    last_hit_at: datetime | None,
    created_at: datetime,
    now: datetime,
    half_life_days: float | None,
) -> float:
    """The decayed strength at `now` (R22): strength * 2^(-age/half_life), age from the last hit, else from creation."""
    return strength * decay_factor(age_days(last_hit_at or created_at, now), half_life_days)


def starting_strength(policy: Policy, *, kind: str, from_compaction: bool = False) -> float:
    """What a new memory starts with: digests 0.6, what compaction found 0.5, the rest 1.0."""
    if kind == "digest":
        return policy.number("strength.start.digest")
    return policy.number("strength.start.salience" if from_compaction else "strength.start")


def reinforced(policy: Policy, strength_now: float, event: str) -> float:
    """Strength after a hit, from the decayed strength at that moment; never above the cap (R22).

    `wrong` halves. A strength already above a lowered cap comes down to it. With `reinforce.enabled` off only `wrong`
    has an effect: what a person corrects is never ignored.
    """
    hit = Hit(event)
    cap = policy.number("strength.cap")
    if hit is Hit.WRONG:
        return min(cap, strength_now * policy.number("reinforce.wrong_factor"))
    if not policy.flag("reinforce.enabled"):
        return min(cap, strength_now)
    return min(cap, strength_now + policy.number(f"reinforce.{hit.value}"))


def retention_value(
    policy: Policy,
    *,
    importance: float,
    hits: int,
    last_hit_at: datetime | None,
    created_at: datetime,
    now: datetime,
    half_life_days: float | None,
) -> float:
    """Worth of keeping a memory when the capacity is reached (R24): importance * 2^(-age/half_life) + 0.1 * hits."""
    age = age_days(last_hit_at or created_at, now)
    return importance * decay_factor(age, half_life_days) + policy.number("sweep.hit_weight") * hits


FARTHEST_DAYS = 365_000.0
"""What fades more slowly is not told apart: beyond it lies the end of the calendar."""


def archive_date(
    policy: Policy,
    *,
    strength: float,
    last_hit_at: datetime | None,
    created_at: datetime,
    half_life_days: float | None,
) -> datetime | None:
    """When the strength falls below the floor and the memory is old enough; None when that never happens."""
    floor = policy.number("sweep.floor")
    if half_life_days is None or floor <= 0:
        return None
    oldest = created_at + timedelta(days=policy.number("sweep.min_age_days"))
    if strength <= floor:
        return oldest
    days = min(half_life_days * math.log2(strength / floor), FARTHEST_DAYS)
    return max((last_hit_at or created_at) + timedelta(days=days), oldest)
