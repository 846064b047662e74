"""Reads, in one transaction, what a context needs before the recall: the window, digests, rules, slots and profile."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, replace
from datetime import datetime
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from accounts.actor import Actor
from memories.core.policy import Policy
from memories.core.profile import ProfileFact
from memories.core.text.language import Language
from memories.models import Memory, Slot
from memories.services.constraints import Constraint, standing_constraints
from memories.services.profile import profile_facts
from memoryhub.common.db import tenant_transaction
from sessions_app import store
from sessions_app.core.pieces import Entry
from sessions_app.models import ChatSession, Turn
from sessions_app.services.access import access_session
from sessions_app.services.slots import live_slots

MAX_CONSTRAINTS = 200
"""Rules that are tried for a place in the context; how many more there are is told."""


@dataclass(frozen=True, slots=True)
class Known:
    """What one transaction reads before the recall."""

    session: ChatSession
    zone: ZoneInfo
    window: list[Turn]
    digests: list[Entry]
    constraints: list[Entry]
    slots: list[Slot]
    profile: list[ProfileFact]
    constraints_beyond: int = 0


def read_known(
    actor: Actor, session_id: uuid.UUID, question_turn_id: uuid.UUID | None, policy: Policy, now: datetime
) -> Known:
    with tenant_transaction(actor.tenant_id):
        session = access_session(actor, session_id)
        zone = _zone(session.subject.time_zone)
        window = [turn for turn in store.window(session, before=question_turn_id) if turn.content]
        newest = policy.integer("digest.in_context")
        digests = store.live_digests(session.pk)[-newest:] if newest else []
        rules = standing_constraints(
            session.subject_id, now, session_id=session.pk, agent_id=session.agent_id
        )
        return Known(
            session=session,
            zone=zone,
            window=window,
            digests=[memory_entry(d.memory, zone) for d in digests if d.memory.status == "current"],
            constraints=[rule_entry(rule, zone) for rule in rules[:MAX_CONSTRAINTS]],
            slots=live_slots(session.subject_id, now),
            profile=profile_facts(session.subject_id, now)
            if policy.integer("profile.context_tokens")
            else [],
            constraints_beyond=max(0, len(rules) - MAX_CONSTRAINTS),
        )


def rule_entry(rule: Constraint, zone: ZoneInfo) -> Entry:
    """A rule as an entry; a person's own that the operators' overrules is marked as disputed."""
    return replace(memory_entry(rule.memory, zone), contradicted=rule.overruled)


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
