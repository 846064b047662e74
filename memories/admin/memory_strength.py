"""How strong a memory was, is and will be, as a curve with the floor below which a sweep takes it, and the date of that."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils.formats import date_format
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from memories.core.decay import archive_date, half_life_days, reinforced, starting_strength, strength_at
from memories.core.kinds import NEVER_DECAYS, NEVER_SWEPT
from memories.core.policy import Policy
from memories.models import Memory, Status
from memoryhub.common.charts import Mark, curve

POINTS = 32
FARTHEST = timedelta(days=730)


@dataclass(frozen=True)
class Strength:
    """`now` in strength units, `half_life` in days (None: never fades), `sweep_at` or the reason in words why never."""

    now: float
    half_life: float | None
    floor: float
    sweep_at: datetime | None
    why_never: str
    ends_at: datetime | None
    capacity: int
    chart: SafeString


def strength_of(memory: Memory, policy: Policy, now: datetime, hits: Sequence[datetime]) -> Strength:
    """The curve from the memory's creation to past its sweep, in POINTS even steps.

    From the last hit on it is exact. The strength before that is not kept: there it follows the recalls that used the memory
    (`hits`) and whose traces are still there, from the strength that its kind starts with.
    """
    half_life = half_life_days(policy, memory.kind, memory.importance_level or None)
    due = archive_date(
        policy,
        strength=memory.strength,
        last_hit_at=memory.last_hit_at,
        created_at=memory.created_at,
        half_life_days=half_life,
    )
    why = _why_never(memory, half_life, policy)
    floor = policy.number("sweep.floor")
    days = timedelta(days=2 * half_life if half_life else 30)
    end = max(now, due + (due - memory.created_at) / 10) if due and not why else now + days
    end = min(end, now + FARTHEST)
    start = min(memory.created_at, now)
    steps = [start + (end - start) * step / (POINTS - 1) for step in range(POINTS)]
    marks = []
    for at in steps:
        value = _value(memory, policy, at, half_life, hits)
        day = date_format(at, "SHORT_DATE_FORMAT")
        told = _("%(day)s: strength %(value).2f") % {"day": day, "value": value}
        ahead = _("(ahead)")
        marks.append(Mark(date_format(at, "m-d"), value, f"{told} {ahead}" if at > now else told))
    return Strength(
        now=_value(memory, policy, now, half_life, hits),
        half_life=half_life,
        floor=floor,
        sweep_at=None if why else due,
        why_never=why,
        ends_at=memory.expires_at if not memory.pinned else None,
        capacity=policy.integer("sweep.capacity"),
        chart=curve(
            _("Strength over time"),
            marks,
            floor=floor if half_life is not None and floor else None,
            floor_told=_("the floor: below it a sweep archives"),
        ),
    )


def _value(
    memory: Memory, policy: Policy, at: datetime, half_life: float | None, hits: Sequence[datetime]
) -> float:
    last, strength = memory.last_hit_at, memory.strength
    if last is not None and at < last:
        strength, last = starting_strength(policy, kind=memory.kind), None
        for hit in sorted(one for one in hits if memory.created_at <= one <= at):
            strength = reinforced(policy, _faded(memory, strength, last, hit, half_life), "retrieved")
            last = hit
    return _faded(memory, strength, last, at, half_life)


def _faded(
    memory: Memory, strength: float, last: datetime | None, at: datetime, half_life: float | None
) -> float:
    return strength_at(
        strength=strength,
        last_hit_at=last,
        created_at=memory.created_at,
        now=at,
        half_life_days=half_life,
    )


def _why_never(memory: Memory, half_life: float | None, policy: Policy) -> str:
    """ "" where a sweep will take it some day."""
    if memory.status != Status.CURRENT:
        return _("it is not current any more, and sweeps take current ones only")
    if memory.pinned:
        return _("it is pinned")
    if memory.kind in NEVER_SWEPT:
        return _("no sweep archives this kind")
    if memory.kind in NEVER_DECAYS:
        return _("this kind does not fade")
    if half_life is None:
        return _("the policy has switched fading off")
    if policy.number("sweep.floor") <= 0:
        return _("the policy has no floor")
    return ""
