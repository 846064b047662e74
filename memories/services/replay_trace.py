"""Replays a past recall from the parts that its trace froze, under the policy of then or another one (R19, decision 15)."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from accounts.actor import Actor
from memories.core.policy import Policy
from memories.core.reweigh import score_again
from memories.models import Episode, Memory, RecallTrace
from memories.services.experiments.policies_then import key_of, policies_then
from memories.services.memories_then import as_they_were
from memories.services.traces import get_trace
from memories.store.past_sql import NEVER_AGAIN
from memoryhub.common.db import tenant_transaction

EXACT = 1e-3
"""How far a score that is computed anew from rounded parts may lie beside the stored one."""


@dataclass(frozen=True, slots=True)
class Replayed:
    """A row of a past recall: its score then, its score under the policy that is asked about, and its place in both.

    `text` is what it said at the time of the recall; "" for what is `gone`: forgotten, redacted, purged or erased since.
    """

    item_id: uuid.UUID
    item_kind: str
    score_then: float
    score_now: float
    place_then: int
    place_now: int
    used: bool
    scores: Mapping[str, float] = field(default_factory=dict)
    text: str = ""
    gone: bool = False


@dataclass(frozen=True, slots=True)
class Replay:
    """`redacted` is the number of rows whose items are gone since; their numbers stand, their words do not.

    `exact` says that each stored score follows from its parts under the policy of then.
    """

    trace_id: uuid.UUID
    at: datetime
    query: str
    standalone_query: str
    abstained: bool
    degraded: str
    rows: list[Replayed]
    policy_version: int
    redacted: int
    exact: bool


def replay_trace(*, actor: Actor, trace_id: uuid.UUID, policy: Policy | None = None) -> Replay:
    """The ranking of a past recall, best first under `policy` (default: the one that was in force then).

    Nothing is searched again, so what was written, swept or forgotten since changes no place. NotFound for a trace of a
    subject that the actor may not read.
    """
    trace = get_trace(actor=actor, trace_id=trace_id)
    with tenant_transaction(actor.tenant_id):
        (then,) = policies_then([key_of(trace)]).values()
        words = _words(trace)
    asked = policy or then
    scored: list[tuple[int, dict[str, Any], float]] = []
    exact = True
    for place, entry in enumerate(trace.considered, start=1):
        before = score_again(entry["scores"], then)
        exact = exact and abs(before - entry["score"]) <= EXACT
        # What the other policy changes is added to the stored score, so that rounded parts cannot swap two near rows.
        scored.append((place, entry, entry["score"] + (score_again(entry["scores"], asked) - before)))
    by_score = sorted(scored, key=lambda one: (-one[2], one[0])) if policy is not None else scored
    rows = []
    for now, (place, entry, score) in enumerate(by_score, start=1):
        item_id = uuid.UUID(entry["id"])
        rows.append(
            Replayed(
                item_id=item_id,
                item_kind=entry["item_kind"],
                score_then=entry["score"],
                score_now=score,
                place_then=place,
                place_now=now,
                used=bool(entry["used"]),
                scores=entry["scores"],
                text=words.get(item_id, ""),
                gone=item_id not in words,
            )
        )
    return Replay(
        trace_id=trace.pk,
        at=trace.at,
        query=trace.query,
        standalone_query=trace.standalone_query,
        abstained=trace.abstained,
        degraded=trace.degraded,
        rows=rows,
        policy_version=trace.policy_version,
        redacted=max(trace.redacted, sum(row.gone for row in rows)),
        exact=exact,
    )


def _words(trace: RecallTrace) -> dict[uuid.UUID, str]:
    """What may still be shown of the considered items, by id: a memory in the words of then."""
    by_kind: dict[str, list[uuid.UUID]] = {"memory": [], "episode": []}
    for entry in trace.considered:
        by_kind.setdefault(entry["item_kind"], []).append(uuid.UUID(entry["id"]))
    memories = (
        Memory.objects.of(trace.subject_id).filter(pk__in=by_kind["memory"]).exclude(status__in=NEVER_AGAIN)
    )
    words = {memory.pk: memory.content for memory in as_they_were(list(memories), trace.at)}
    episodes = Episode.objects.of(trace.subject_id).filter(pk__in=by_kind["episode"])
    return words | dict(episodes.exclude(status__in=NEVER_AGAIN).values_list("pk", "text"))
