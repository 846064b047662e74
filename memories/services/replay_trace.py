"""Replays a past recall from the parts that its trace froze, under the same or another policy."""

from __future__ import annotations

import uuid
from dataclasses import dataclass

from accounts.actor import Actor
from memories.core.policy import Policy
from memories.models import PolicyVersion
from memories.services.traces import get_trace, score_again
from memoryhub.common.db import tenant_transaction


@dataclass(frozen=True, slots=True)
class Replayed:
    """A row of a past recall: its score then, its score under the policy that is asked about, and its place in both."""

    item_id: uuid.UUID
    item_kind: str
    score_then: float
    score_now: float
    place_then: int
    place_now: int
    used: bool


@dataclass(frozen=True, slots=True)
class Replay:
    """`redacted` is the number of rows whose items were redacted since; their numbers stand, their words do not."""

    rows: list[Replayed]
    policy_version: int
    redacted: int


def replay_trace(*, actor: Actor, trace_id: uuid.UUID, policy: Policy | None = None) -> Replay:
    """The ranking of a past recall, best first under `policy` (default: the one that was in force then)."""
    trace = get_trace(actor=actor, trace_id=trace_id)
    if policy is None:
        with tenant_transaction(actor.tenant_id):
            row = PolicyVersion.objects.filter(number=trace.policy_version).first()
        policy = Policy.from_overrides(row.overrides) if row else Policy.default()
    scored = [
        (place, entry, score_again(entry["scores"], policy))
        for place, entry in enumerate(trace.considered, start=1)
    ]
    by_score = sorted(scored, key=lambda one: (-one[2], one[0]))
    rows = [
        Replayed(
            item_id=uuid.UUID(entry["id"]),
            item_kind=entry["item_kind"],
            score_then=entry["score"],
            score_now=score,
            place_then=then,
            place_now=now,
            used=entry["used"],
        )
        for now, (then, entry, score) in enumerate(by_score, start=1)
    ]
    return Replay(rows=rows, policy_version=trace.policy_version, redacted=trace.redacted)
