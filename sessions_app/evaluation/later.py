"""The sweep thirty days after the 60-turn script: the fresh todo must be archived, a digest that was hit must stay."""

from __future__ import annotations

import uuid
from datetime import datetime, timedelta

from accounts.actor import Actor
from memories.core.kinds import Kind
from memories.models import Memory, Status
from memories.services.reinforce import reinforce
from memories.services.remember import remember
from memories.services.sweep import sweep
from memoryhub.common.db import tenant_transaction

HITS = 6


def thirty_days_later(
    actor: Actor, subject_id: uuid.UUID, session_id: uuid.UUID, end: datetime
) -> dict[str, float]:
    """Percentages by name: todo_archived (100 when every todo left recall) and digest_kept (100 when the hit digest stayed).

    The digest is used on the last of some later days, as a person who comes back to a topic would.
    """
    remember(
        actor=actor,
        subject_id=subject_id,
        content="Send the signed form back.",
        kind=Kind.TODO,
        said_at=end,
        session_id=session_id,
        infer=False,
    )
    with tenant_transaction(actor.tenant_id):
        digests = list(
            Memory.objects.of(subject_id).current().filter(kind=Kind.DIGEST).values_list("id", flat=True)
        )
    for number in range(HITS):
        at = end + timedelta(days=number)
        reinforce(
            actor=actor, subject_id=subject_id, ids=digests, event="cited", turn_id=uuid.uuid4(), now=at
        )
    sweep(actor=actor, now=end + timedelta(days=30))
    with tenant_transaction(actor.tenant_id):
        todos = Memory.objects.of(subject_id).filter(kind=Kind.TODO)
        archived = todos.filter(status=Status.ARCHIVED).count()
        kept = Memory.objects.of(subject_id).current().filter(id__in=digests).count()
        return {
            "todo_archived": 100.0 * archived / max(1, todos.count()),
            "digest_kept": 100.0 * kept / len(digests) if digests else 0.0,
        }
