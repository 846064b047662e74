"""The session tables' own queries: locks, numbering, and what stands in a window."""

from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.db import IntegrityError, connection
from django.db.models import F, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from memories.core.text import tokens
from memories.core.text.language import detect
from memories.models import Slot
from memories.store.locks import lock_subject
from memoryhub.common.db import current_tenant_id
from memoryhub.common.errors import NotFound
from memoryhub.common.ids import uuid7
from sessions_app.core.limits import LEASE_SECONDS
from sessions_app.models import ChatSession, Digest, Turn

SHOWN = (Turn.State.COMPLETE, Turn.State.STOPPED, Turn.State.INTERRUPTED, Turn.State.FAILED)
"""States of a turn that stands in the window with whatever text it has."""


def lock_session(session_id: uuid.UUID, subject_id: uuid.UUID | None = None) -> ChatSession | None:
    """The session, its row locked until the transaction ends: turns are numbered and digests made under this lock.

    The subject's lock comes first, always: who writes or forgets memories holds it before it reaches for sessions and
    turns. None where there is no such session, or its subject was erased. A session's subject never changes: who knows it
    gives it.
    """
    if subject_id is None:
        subject_id = ChatSession.objects.filter(pk=session_id).values_list("subject_id", flat=True).first()
    if subject_id is None:
        return None
    try:
        lock_subject(subject_id)
    except NotFound:
        return None
    rows = ChatSession.objects.select_for_update(of=("self",)).select_related("subject")
    row: ChatSession | None = rows.filter(pk=session_id).first()
    return row


def find_session(session_id: uuid.UUID) -> ChatSession | None:
    """The session, with its subject, without a lock."""
    return session_rows(session_id).first()


def session_rows(session_id: uuid.UUID) -> QuerySet[ChatSession]:
    """The session, with its subject; one row or none."""
    rows: QuerySet[ChatSession] = ChatSession.objects.select_related("subject").filter(pk=session_id)
    return rows


def find_turn(turn_id: uuid.UUID) -> Turn | None:
    """The turn, with its session and their subject, without a lock."""
    row: Turn | None = Turn.objects.select_related("session__subject").filter(pk=turn_id).first()
    return row


def lock_turn(turn_id: uuid.UUID) -> Turn | None:
    """The turn, its row locked until the transaction ends."""
    row: Turn | None = Turn.objects.select_for_update().filter(pk=turn_id).first()
    return row


def add_turn(
    session: ChatSession, *, role: str, content: str, said_at: datetime, now: datetime, **fields: Any
) -> Turn:
    """Store the next turn of a session whose row is locked; numbers have no gaps and follow the order of storing."""
    turn = Turn(
        session=session,
        seq=session.next_seq,
        role=role,
        content=content,
        language=detect(content),
        tokens=tokens.count(content),
        said_at=said_at,
        created_at=now,
        **fields,
    )
    turn.save(force_insert=True)
    session.next_seq += 1
    session.last_activity_at = max(session.last_activity_at, said_at)
    session.save(update_fields=["next_seq", "last_activity_at"])
    return turn


def lease(now: datetime) -> datetime:
    """When a lease taken now lapses."""
    return now + timedelta(seconds=LEASE_SECONDS)


def turn_of_client(session_id: uuid.UUID, client_msg_id: str | None) -> Turn | None:
    """The turn that a client's message id was stored as."""
    if client_msg_id is None:
        return None
    row: Turn | None = Turn.objects.filter(session_id=session_id, client_msg_id=client_msg_id).first()
    return row


def answer_to(turn_id: uuid.UUID) -> Turn | None:
    """The newest answer to a user's turn that was not replaced."""
    row: Turn | None = (
        Turn.objects.filter(reply_to_id=turn_id).exclude(state=Turn.State.REPLACED).order_by("-seq").first()
    )
    return row


def window(session: ChatSession, *, before: uuid.UUID | None = None) -> QuerySet[Turn]:
    """The turns not yet in a digest, oldest first; an answer being written is among them, an empty one is not.

    `before` is a turn of the session: it and what follows are left out. So is what was forgotten as a whole, or is being
    taken out of the texts just now.
    """
    turns = Turn.objects.filter(
        session=session, seq__gte=session.window_from, archived_at__isnull=True, forgotten_at__isnull=True
    )
    turns = turns.filter(Q(state=Turn.State.STREAMING) | (Q(state__in=SHOWN) & ~Q(content="")))
    if before is not None:
        place = Subquery(Turn.objects.filter(session=session, pk=before).values("seq"))
        turns = turns.filter(seq__lt=Coalesce(place, session.next_seq))
    rows: QuerySet[Turn] = turns.order_by("seq")
    return rows


def live_digests(session_id: uuid.UUID) -> QuerySet[Digest]:
    """The session's digests that stand (neither undone nor merged into another), oldest first, with their memories."""
    rows: QuerySet[Digest] = Digest.objects.filter(
        session_id=session_id, undone_at__isnull=True, replaced_by__isnull=True
    )
    return rows.select_related("memory").order_by("first_seq")


def unlearnt(session_id: uuid.UUID, *, up_to_seq: int | None = None) -> list[uuid.UUID]:
    """Ids of the turns that nothing was learnt from yet, oldest first."""
    rows = Turn.objects.filter(session_id=session_id, learned_at__isnull=True, state__in=SHOWN).exclude(
        content=""
    )
    if up_to_seq is not None:
        rows = rows.filter(seq__lte=up_to_seq)
    return list(rows.order_by("seq").values_list("id", flat=True))


def idle_sessions(before: datetime, limit: int) -> list[uuid.UUID]:
    """Open sessions without activity since `before`, the most silent first."""
    rows = ChatSession.objects.filter(state=ChatSession.State.OPEN, last_activity_at__lt=before)
    return list(rows.order_by("last_activity_at").values_list("id", flat=True)[:limit])


def long_windows(turns: int, since: datetime, limit: int) -> list[ChatSession]:
    """Sessions active since `since` whose window holds more than `turns` numbers: candidates for compaction."""
    rows = ChatSession.objects.filter(
        last_activity_at__gte=since, next_seq__gt=F("window_from") + turns
    ).order_by("-last_activity_at")
    return list(rows[:limit])


def left_unlearnt(since: datetime, before: datetime, limit: int) -> list[tuple[uuid.UUID, uuid.UUID]]:
    """(turn id, subject id) of turns stored in [since, before) that nothing was learnt from: their process died."""
    rows = (
        Turn.objects.filter(
            session__last_activity_at__gte=since, created_at__gte=since, created_at__lt=before
        )
        .filter(learned_at__isnull=True, state__in=SHOWN)
        .exclude(content="")
    )
    return list(rows.order_by("created_at").values_list("id", "session__subject_id")[:limit])


def lapsed_answers(now: datetime, limit: int) -> list[Turn]:
    """Answers whose lease lapsed, locked; those that another process is marking right now are skipped."""
    rows = Turn.objects.select_for_update(skip_locked=True, of=("self",)).filter(
        state=Turn.State.STREAMING, leased_until__lt=now
    )
    return list(rows.order_by("leased_until")[:limit])


def is_doubled_span(error: IntegrityError) -> bool:
    """True when the database refused a second digest of one span and generation."""
    diagnosis = getattr(error.__cause__, "diag", None)
    return getattr(diagnosis, "constraint_name", None) == "one_digest_a_span"


def archive(turn_ids: Iterable[uuid.UUID], digest: Digest, now: datetime) -> int:
    """Take turns out of the window and link them to their digest."""
    updated: int = Turn.objects.filter(pk__in=list(turn_ids), archived_at__isnull=True).update(
        archived_at=now, digest=digest
    )
    return updated


SlotRow = tuple[str, str, str, float, datetime]
"""kind, key, text, importance in 0..1, end."""


class WrittenSlot(NamedTuple):
    """A slot as it stands after a write; `mentions` is the number of sessions that brought it up."""

    id: uuid.UUID
    kind: str
    key: str
    mentions: int


def upsert_slots(
    *,
    subject_id: uuid.UUID,
    session_id: uuid.UUID,
    turn_id: uuid.UUID,
    rows: Sequence[SlotRow],
    now: datetime,
) -> list[WrittenSlot]:
    """Write the rows in the open tenant transaction, under the subject's lock; those that this session brought up anew.

    Of two writes to a key the later one's words stand, whichever comes first; the end never moves back; `mentions`
    counts the sessions that brought it up, one after another.
    """
    table = Slot._meta.db_table
    sql = f"""
        INSERT INTO {table} AS slot (id, tenant_id, subject_id, kind, key, value, importance, mentions,
                                     session_id, turn_id, created_at, updated_at, expires_at)
        SELECT row.id, %s, %s, row.kind, row.key, row.value, row.importance, 1, %s, %s, %s, %s, row.expires_at
        FROM unnest(%s::uuid[], %s::text[], %s::text[], %s::text[], %s::float8[], %s::timestamptz[])
             AS row (id, kind, key, value, importance, expires_at)
        ORDER BY row.kind, row.key
        ON CONFLICT (tenant_id, subject_id, kind, key) DO UPDATE SET
            value = CASE WHEN excluded.updated_at >= slot.updated_at THEN excluded.value ELSE slot.value END,
            turn_id = CASE WHEN excluded.updated_at >= slot.updated_at THEN excluded.turn_id ELSE slot.turn_id END,
            mentions = slot.mentions + (slot.session_id IS DISTINCT FROM excluded.session_id)::int,
            session_id = excluded.session_id,
            importance = GREATEST(slot.importance, excluded.importance),
            updated_at = GREATEST(slot.updated_at, excluded.updated_at),
            expires_at = GREATEST(slot.expires_at, excluded.expires_at)
        RETURNING slot.id, slot.kind, slot.key, slot.mentions
    """  # noqa: S608  (the table's own name)
    kinds, keys, texts, importances, ends = zip(*rows, strict=True)
    values: list[Any] = [
        current_tenant_id(),
        subject_id,
        session_id,
        turn_id,
        now,
        now,
        [uuid7() for _ in rows],
        list(kinds),
        list(keys),
        list(texts),
        list(importances),
        list(ends),
    ]
    before = dict(Slot.objects.filter(subject_id=subject_id, key__in=keys).values_list("key", "session_id"))
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        written = cursor.fetchall()
    return [WrittenSlot(*row) for row in written if before.get(row[2]) != session_id]
