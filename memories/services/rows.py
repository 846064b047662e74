"""Builds the rows of one new memory out of a statement: memory, facts and evidence, unsaved."""

from __future__ import annotations

import uuid
from datetime import datetime

from memories.core.decay import starting_strength
from memories.core.kinds import NEVER_PINNED
from memories.core.placement.placing import Known, reach_of
from memories.core.policy import Policy
from memories.core.statement import Statement
from memories.models import Evidence, Fact, Memory, Status
from memoryhub.common.ids import uuid7


def memory_row(
    subject_id: uuid.UUID,
    statement: Statement,
    fingerprint: bytes,
    policy: Policy,
    now: datetime,
    rule: str,
    *,
    claim: bytes | None = None,
) -> Memory:
    """The memory of a statement, current (or pending an approval), version 1."""
    scope, agent_id, session_id = reach_of(statement)
    # "I used to live there" does not say since when.
    undated = statement.fact is None or statement.over
    holds_from = statement.valid_from or (None if undated else statement.said_at)
    return Memory(
        id=uuid7(),
        subject_id=subject_id,
        agent_id=agent_id,
        scope=scope,
        session_id=session_id,
        kind=statement.kind,
        content=statement.content,
        content_encrypted=statement.clear,
        language=statement.language,
        key=statement.key,
        tags=list(statement.tags),
        metadata=dict(statement.metadata),
        fingerprint=fingerprint,
        claim=claim,
        source=statement.source,
        speaker=statement.speaker[:200],
        importance=statement.importance,
        importance_level=statement.importance_level,
        credibility=policy.number(f"credibility.{statement.source}"),
        strength=starting_strength(policy, kind=statement.kind, from_compaction=statement.from_compaction),
        pinned=statement.pinned and statement.kind not in NEVER_PINNED,
        said_at=statement.said_at,
        event_start=statement.event_start,
        event_end=statement.event_end,
        valid_from=holds_from,
        valid_to=statement.valid_to,
        expires_at=statement.expires_at,
        expires_after_turns=statement.expires_after_turns,
        expires_with_session=statement.expires_with_session,
        status=Status.PENDING if statement.needs_approval else Status.CURRENT,
        rule=rule[:64],
        reasons=list(statement.reasons),
        version=1,
        created_at=now,
        updated_at=now,
    )


def fact_rows(subject_id: uuid.UUID, memory: Memory, statement: Statement) -> list[Fact]:
    """The structured facts; none for encrypted content, whose values must not stand in the clear."""
    return [
        Fact(
            memory_id=memory.id,
            subject_id=subject_id,
            entity=fact.entity[:200],
            entity_kind=_entity_kind(fact.entity),
            attribute=fact.attribute[:100],
            value=fact.value,
            slot_key=fact.slot,
            single_valued=fact.single,
            negated=fact.negated,
            valid_from=memory.valid_from,
            valid_to=memory.valid_to,
        )
        for fact in statement.facts
    ]


def _entity_kind(entity: str) -> str:
    if entity == "user":
        return "user"
    return "relation" if entity.startswith("user:") else "named"


def evidence_row(memory_id: uuid.UUID, statement: Statement, now: datetime) -> Evidence:
    """Where the statement was said."""
    return Evidence(
        memory_id=memory_id,
        turn_id=statement.turn_id,
        session_id=statement.session_id,
        quote=statement.quote or statement.content,
        role=statement.source,
        speaker=statement.speaker[:200],
        said_at=statement.said_at,
        created_at=now,
    )


def known_row(memory: Memory, statement: Statement) -> Known:
    """The new memory as the placement of the batch's next statements sees it."""
    return Known(
        id=memory.id,
        status=memory.status,
        kind=memory.kind,
        source=memory.source,
        said_at=memory.said_at,
        fingerprint=bytes(memory.fingerprint),
        reach=reach_of(statement),
        key=memory.key,
        valid_from=memory.valid_from,
        valid_to=memory.valid_to,
        expires_at=memory.expires_at,
        event_start=memory.event_start,
        content=memory.content,
        claim=bytes(memory.claim) if memory.claim else None,
        facts=statement.facts,
        turn_ids={statement.turn_id} if statement.turn_id else set(),
        successor=memory.superseded_by_id,
    )
