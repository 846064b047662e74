"""Ends what was to hold for a while only: for some rounds of a session, or until the session ends (R14)."""

from __future__ import annotations

import uuid
from datetime import datetime

from django.db.models import Q

from accounts.actor import Actor, system_actor
from memories.models import Evidence, Memory
from memories.services.versioning import Change, save_change
from sessions_app.models import ChatSession, Turn


def end_passing(session: ChatSession, now: datetime, *, actor: Actor | None = None) -> int:
    """Number of memories whose end came, or moved, in the open tenant transaction that holds the session's lock.

    Called after a turn was stored, after something was learnt, and when the session ends; says the same however often it is
    called. A memory that holds for N rounds ends with the N+1st message of the person after it was said last; recall, which
    follows the storing of the message, does not see it any more, and the sweep takes it.
    """
    rows = Memory.objects.of(session.subject_id).filter(session_id=session.pk)
    rows = rows.filter(Q(expires_after_turns__isnull=False) | Q(expires_with_session=True))
    if not rows.current().exists():
        return 0
    changed = 0
    for memory in rows.current().select_for_update().order_by("pk"):
        end = _end_of(memory, session, now)
        if memory.expires_at == end or (end is None and not _ended_here(memory)):
            continue
        memory.expires_at = end
        rule = "expires.turns" if memory.expires_after_turns is not None else "expires.session"
        by = actor or system_actor(session.tenant_id, name="sessions")
        save_change(memory, by, Change("ended" if end else "prolonged", rule), now, ["expires_at"])
        changed += 1
    return changed


def _ended_here(memory: Memory) -> bool:
    """An end that counting gave, and counting may take back: a memory with rounds has no other one, unless it is earlier."""
    return memory.expires_after_turns is not None and memory.expires_at is not None


def _end_of(memory: Memory, session: ChatSession, now: datetime) -> datetime | None:
    """When it ended; its own given end where that comes first; None while it goes on."""
    ends = [memory.expires_at] if memory.expires_at is not None and memory.expires_after_turns is None else []
    if memory.expires_with_session and session.state == ChatSession.State.ENDED:
        ends.append(session.ended_at or now)
    if memory.expires_after_turns is not None:
        over = _after_rounds(memory, session, memory.expires_after_turns)
        if over is None and session.state == ChatSession.State.ENDED:
            over = session.ended_at or now
        if over is not None:
            ends.append(over)
    return min(ends, default=None)


def _after_rounds(memory: Memory, session: ChatSession, rounds: int) -> datetime | None:
    """When the first message beyond the rounds was said, counted from where it was said last."""
    start = _start_of(memory, session.pk)
    later = Turn.objects.filter(session=session, role=Turn.Role.USER, seq__gt=start).order_by("seq")
    said: list[datetime] = list(later.values_list("said_at", flat=True)[rounds : rounds + 1])
    return said[0] if said else None


def _start_of(memory: Memory, session_id: uuid.UUID) -> int:
    """The number of the turn that said it last; for what came in without a turn, of the newest turn then."""
    starts = [0]
    for turn_id, at in Evidence.objects.filter(memory_id=memory.pk).values_list("turn_id", "created_at"):
        turns = Turn.objects.filter(session_id=session_id)
        turns = turns.filter(pk=turn_id) if turn_id is not None else turns.filter(created_at__lte=at)
        starts += turns.order_by("-seq").values_list("seq", flat=True)[:1]
    return max(starts)
