"""The stored trace of a recall: what was considered, each score's parts, and what was used (R6, R21)."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import datetime
from operator import attrgetter
from typing import Any

from accounts.actor import Actor
from accounts.reading import note_reading
from memories.models import RecallTrace
from memories.services.policies import InForce
from memories.store.candidates import Candidate
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import NotFound

PARTS = (
    "similarity",
    "cosine",
    "lexical",
    "covered",
    "context",
    "relevance",
    "strength",
    "recency",
    "importance",
    "credibility",
    "pin",
    "answer",
    "kept",
    "asks",
    "slot",
    "told",
    "own",
    "experience",
    "liking",
    "later",
    "hop",
    "theirs",
    "stale",
    "outside",
)


def parts_of(row: Candidate) -> dict[str, float]:
    """Every term of a row's score in 0..1 and not yet weighted; `cosine` is absent where there is no vector."""
    values = zip(PARTS, _VALUES(row), strict=True)
    return {name: round(float(value), 4) for name, value in values if value is not None}


_VALUES: Callable[[Candidate], tuple[float | None, ...]] = attrgetter(
    *("strong" if name == "strength" else name for name in PARTS)
)


def gone_by(in_force: InForce) -> dict[str, Any]:
    """The columns of a trace that tell by which policy its recall went."""
    return {
        "policy_version": in_force.version,
        "experiment_id": in_force.experiment_id,
        "arm": in_force.arm or "",
    }


def new_trace(
    *,
    subject_id: uuid.UUID,
    session_id: uuid.UUID | None,
    turn_id: uuid.UUID | None,
    query: str,
    standalone_query: str,
    found: Sequence[Candidate],
    parts: Mapping[uuid.UUID, dict[str, float]],
    used: Collection[uuid.UUID],
    abstained: bool,
    degraded: str,
    in_force: InForce,
    space_id: int | None,
    milliseconds: float,
    at: datetime,
) -> RecallTrace:
    """The trace, not stored yet. Rows are ids and numbers (`parts` by their ids, parts_of), texts stay where they are."""
    considered: list[dict[str, Any]] = [
        {
            "id": str(row.item_id),
            "item_kind": row.item_kind,
            "score": round(row.score, 6),
            "scores": parts[row.item_id],
            "used": row.item_id in used,
        }
        for row in found
    ]
    return RecallTrace(
        subject_id=subject_id,
        session_id=session_id,
        turn_id=turn_id,
        query=query,
        standalone_query=standalone_query,
        considered=considered,
        abstained=abstained,
        degraded=degraded,
        **gone_by(in_force),
        space_id=space_id,
        milliseconds=round(milliseconds, 2),
        at=at,
    )


def get_trace(*, actor: Actor, trace_id: uuid.UUID) -> RecallTrace:
    """A trace of a subject that the actor may read; NotFound otherwise."""
    with tenant_transaction(actor.tenant_id):
        trace: RecallTrace | None = RecallTrace.objects.filter(
            id=trace_id, subject__erased_at__isnull=True
        ).first()
        if trace is None:
            raise NotFound("no such trace")
        actor.require_subject(trace.subject_id, write=False)
        note_reading(actor, trace.subject_id, "trace.read", target_kind="trace", target_id=trace.id)
    return trace
