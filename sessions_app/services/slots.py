"""Short-term slots of a person, across sessions: written after every turn, each with its own end (R11)."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from datetime import datetime

from django.db.models import QuerySet

from accounts.actor import Actor
from memories.adapters.factory import get_clock
from memories.core import slots as core
from memories.core.extraction.engine import extract
from memories.core.forgetting.remains import nothing_left
from memories.core.policy import Policy
from memories.core.text.language import Language
from memories.core.text.tokens import count
from memories.models import Slot
from memories.services.jobs import enqueue
from memories.services.policies import policy_for
from memories.services.subjects import zone_of
from memories.store.locks import lock_subject
from memoryhub.common.db import tenant_transaction
from sessions_app import store
from sessions_app.models import Turn

_KIND = {
    core.SlotKind.ENTITY: Slot.Kind.ENTITY,
    core.SlotKind.TASK: Slot.Kind.TASK_STATE,
    core.SlotKind.CONCLUSION: Slot.Kind.CONCLUSION,
}
_CORE = {model.value: kind for kind, model in _KIND.items()}


def note_slots(*, actor: Actor, turn: Turn, now: datetime, text: str | None = None) -> int:
    """Number of slots that a stored turn wrote. `now` is when it was said, or later; `text` what of it may be kept.

    What the turn states leaves its subjects and decisions beside the words that name something. One upsert a turn: the
    same key is replaced by the later one, and no concurrent write is lost. Above the policy's number the least
    important, then the oldest, go. A topic that came up in enough sessions is remembered for long, by a job.
    """
    session = turn.session
    policy = policy_for(actor.tenant_id, session.pk).policy
    zone = zone_of(session.subject)
    text = turn.content if text is None else text
    stated = extract(text, role=turn.role, speaker=turn.speaker, said_at=turn.said_at, tz=zone)
    found = core.entries(text, now=now, policy=policy, candidates=stated)
    if not found:
        return 0
    with tenant_transaction(actor.tenant_id):
        # One writer a person: otherwise two turns at once could both see room for the last slot.
        lock_subject(session.subject_id)
        if not Turn.objects.filter(pk=turn.pk, content=turn.content).exists():
            return 0  # Its words were taken out meanwhile.
        anew = store.upsert_slots(
            subject_id=session.subject_id,
            session_id=session.pk,
            turn_id=turn.pk,
            rows=[
                (_KIND[slot.kind].value, slot.key[:200], slot.text, slot.importance, slot.expires_at)
                for slot in found
            ],
            now=now,
        )
        _evict(session.subject_id, now, policy)
        # Counted up to the threshold just now, so that each topic is asked for once; with the count, or not at all.
        threshold = policy.integer("slots.promote_after")
        for slot in anew:
            if slot.kind == Slot.Kind.ENTITY and slot.mentions == threshold:
                enqueue(
                    kind="promote_topic",
                    key=str(slot.id),
                    payload={"slot_id": str(slot.id), "turn_id": str(turn.pk)},
                    subject_id=session.subject_id,
                    run_after=min(now, get_clock().now()),
                )
    return len(found)


def slot_rows(subject_id: uuid.UUID, now: datetime) -> QuerySet[Slot]:
    """The live slots, most important first, then newest; those too of which no words are left (with_words)."""
    rows: QuerySet[Slot] = Slot.objects.filter(subject_id=subject_id, expires_at__gt=now)
    return rows.order_by("-importance", "-updated_at", "key")


def with_words(rows: Iterable[Slot]) -> list[Slot]:
    """Those of which more is left than marks of what was forgotten."""
    return [row for row in rows if not nothing_left(row.value)]


def rendered(slots: Sequence[Slot], language: Language, policy: Policy, now: datetime) -> str:
    """One summary of at most `slots.render_tokens` tokens; empty without live slots."""
    return core.render(
        [as_core(slot) for slot in slots], now=now, policy=policy, count_tokens=count, language=language
    )


def as_core(row: Slot) -> core.Slot:
    """A stored slot as the core knows it."""
    return core.Slot(
        kind=_CORE[row.kind],
        key=row.key,
        text=row.value,
        importance=row.importance,
        written_at=row.updated_at,
        expires_at=row.expires_at,
        sessions=row.mentions,
    )


def _evict(subject_id: uuid.UUID, now: datetime, policy: Policy) -> None:
    rows = list(Slot.objects.filter(subject_id=subject_id))
    _, gone = core.kept([as_core(row) for row in rows], now=now, policy=policy)
    if gone:
        Slot.objects.filter(subject_id=subject_id, key__in=[slot.key for slot in gone]).delete()
