"""Reads, in two trips, what a context needs before the recall: the window, digests, rules, slots and profile."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.db.models import QuerySet

from accounts.actor import Actor
from memories.core.policy import Policy
from memories.core.profile import ProfileFact
from memories.core.text.language import Language
from memories.models import Memory, Slot, Status
from memories.services.constraints import Constraint, constraint_rows, in_force
from memories.services.profile import as_profile, profile_rows
from memoryhub.common.one_trip import ReadTogether
from sessions_app import store
from sessions_app.core.pieces import Entry
from sessions_app.models import ChatSession, Turn
from sessions_app.services.access import allowed
from sessions_app.services.slots import slot_rows, with_words

MAX_CONSTRAINTS = 200
"""Rules that are tried for a place in the context; how many more there are is told."""


@dataclass(frozen=True, slots=True)
class Known:
    """What is read before the recall."""

    session: ChatSession
    zone: ZoneInfo
    window: list[Turn]
    digests: list[Entry]
    constraints: list[Entry]
    slots: list[Slot]
    profile: list[ProfileFact]
    constraints_beyond: int = 0
    replaced: bool = True
    """Whether anything of the subject was ever superseded; where nothing was, nothing is outdated."""


def _session_rows(values: Mapping[str, Any]) -> list[QuerySet[Any, Any]]:
    return [store.session_rows(values["session"])]


def _rows(values: Mapping[str, Any]) -> list[QuerySet[Any, Any]]:
    """All that hangs on a session."""
    subject_id, now = values["subject"], values["now"]
    session = ChatSession(
        id=values["session"], window_from=values["window_from"], next_seq=values["next_seq"]
    )
    rules_of_both = constraint_rows(subject_id, now, session_id=values["session"], agent_id=values["agent"])
    return [
        # A context shows nothing in clear that is stored encrypted.
        store.window(session, before=values["question"]).defer("sealed"),
        store.live_digests(values["session"]).defer("memory__content_encrypted"),
        *(rules.defer("content_encrypted") for rules in rules_of_both),
        slot_rows(subject_id, now),
        Memory.objects.of(subject_id).filter(status=Status.SUPERSEDED).values_list("id")[:1],
        *(profile_rows(subject_id, now, for_line=True) if values["profile"] else ()),
    ]


_read_session, _read_rows = ReadTogether(_session_rows), ReadTogether(_rows)


def readable_session(actor: Actor, session_id: uuid.UUID) -> ChatSession:
    """The session with its subject, in one trip; SessionNotFound where the actor may not read it."""
    found = _read_session.read(actor.tenant_id, {"session": session_id})[0]
    return allowed(actor, found[0] if found else None)


def read_known(
    actor: Actor,
    session: ChatSession,
    question_turn_id: uuid.UUID | None,
    policy: Policy,
    now: datetime,
) -> Known:
    """All that hangs on a session that the actor may read (readable_session), in one trip."""
    values = {
        "session": session.pk,
        "subject": session.subject_id,
        "agent": session.agent_id,
        "window_from": session.window_from,
        "next_seq": session.next_seq,
        "question": question_turn_id,
        "now": now,
        "profile": bool(policy.integer("profile.context_tokens")),
    }
    window, digests, own, operators, slots, replaced, *profile = _read_rows.read(actor.tenant_id, values)
    zone = _zone(session.subject.time_zone)
    newest = policy.integer("digest.in_context")
    rules = in_force(own, operators)
    return Known(
        session=session,
        zone=zone,
        window=[turn for turn in window if turn.content],
        digests=[
            memory_entry(d.memory, zone)
            for d in (digests[-newest:] if newest else ())
            if d.memory.status == Status.CURRENT
        ],
        constraints=[rule_entry(rule, zone) for rule in rules[:MAX_CONSTRAINTS]],
        slots=with_words(slots),
        profile=as_profile(*profile) if profile else [],
        constraints_beyond=max(0, len(rules) - MAX_CONSTRAINTS),
        replaced=bool(replaced),
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
