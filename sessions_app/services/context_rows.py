"""Reads, in one transaction, what a context needs before the recall: the window, digests, constraints and slots."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.db.models import Q

from accounts.actor import Actor
from memories.core.language import Language
from memories.core.policy import Policy
from memories.models import Memory, Slot
from memoryhub.common.db import tenant_transaction
from sessions_app import store
from sessions_app.core.pieces import Entry
from sessions_app.models import ChatSession, Turn
from sessions_app.services.access import access_session
from sessions_app.services.slots import live_slots

MAX_CONSTRAINTS = 100


@dataclass(frozen=True, slots=True)
class Known:
    """What one transaction reads before the recall."""

    session: ChatSession
    zone: ZoneInfo
    window: list[Turn]
    digests: list[Entry]
    constraints: list[Entry]
    slots: list[Slot]


def read_known(
    actor: Actor, session_id: uuid.UUID, question_turn_id: uuid.UUID | None, policy: Policy, now: datetime
) -> Known:
    with tenant_transaction(actor.tenant_id):
        session = access_session(actor, session_id)
        before: int | None = None
        if question_turn_id is not None:
            before = (
                Turn.objects.filter(session=session, pk=question_turn_id)
                .values_list("seq", flat=True)
                .first()
            )
        zone = _zone(session.subject.time_zone)
        window = [turn for turn in store.window(session, before_seq=before) if turn.content]
        newest = policy.integer("digest.in_context")
        digests = store.live_digests(session.pk)[-newest:] if newest else []
        return Known(
            session=session,
            zone=zone,
            window=window,
            digests=[memory_entry(d.memory, zone) for d in digests if d.memory.status == "current"],
            constraints=_constraints(session, zone, now),
            slots=live_slots(session.subject_id, now),
        )


def _constraints(session: ChatSession, zone: ZoneInfo, now: datetime) -> list[Entry]:
    """What the person or an operator laid down, pinned and important ones first: always in (R12).

    A rule that a tool, an import or the assistant spoke of is a memory like any other, not one to be obeyed.
    """
    rows = (
        Memory.objects.of(session.subject_id).constraints().alive(now).filter(source__in=["user", "operator"])
    )
    reaches = Q(scope="user") | Q(scope="session", session_id=session.pk)
    if session.agent_id is not None:
        reaches |= Q(scope="agent", agent_id=session.agent_id)
    mine = list(rows.filter(reaches))
    mine.sort(key=lambda row: (row.pinned, row.importance, row.said_at), reverse=True)
    return [memory_entry(row, zone) for row in mine[:MAX_CONSTRAINTS]]


def memory_entry(memory: Memory, zone: ZoneInfo) -> Entry:
    return Entry(
        id=memory.pk,
        item_kind="memory",
        kind=memory.kind,
        text=memory.content,
        said_at=memory.said_at.astimezone(zone),
        source=memory.source,
        speaker=memory.speaker,
        confidence=memory.credibility,
    )


def language_of(window: list[Turn]) -> Language:
    return "zh" if window and window[-1].language == "zh" else "en"


def _zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError):
        return ZoneInfo("UTC")
