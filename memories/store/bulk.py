"""Writes many new memories of one subject in one statement: memory, first version and evidence."""

from __future__ import annotations

import json
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from memories.core.statement import Statement
from memories.models import Evidence, Memory, MemoryVersion
from memories.store import arrays, prepared
from memories.store.sweep import state_sql
from memoryhub.common.db import current_tenant_id
from memoryhub.common.ids import uuid7

RULE = "import.given"


@dataclass(frozen=True, slots=True)
class Bulk:
    """A memory to insert as given: its id, the screened statement, and the prints that later writes compare."""

    id: uuid.UUID
    statement: Statement
    fingerprint: bytes
    claim: bytes | None


def insert_memories(
    subject_id: uuid.UUID,
    rows: Sequence[Bulk],
    *,
    actor_kind: str,
    actor_id: str,
    credibility: dict[str, float],
    strength: dict[str, float],
    now: datetime,
) -> set[uuid.UUID]:
    """The ids of those that are new; what a current memory says already is passed over.

    `credibility` is by source, `strength` by kind. Inside a tenant transaction, under the subject's lock.
    """
    sql = f"""
        WITH given AS MATERIALIZED (
            SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::float8[], $8::text[],
                $9::text[], $10::bytea[], $11::bytea[], $12::timestamptz[], $13::uuid[], $14::uuid[])
                AS g (id, kind, content, language, source, speaker, importance, tags, metadata, fingerprint, claim, said_at,
                      version_id, evidence_id)
        ), made AS (
            INSERT INTO {Memory._meta.db_table} (id, tenant_id, subject_id, scope, kind, content, language, key, tags, metadata,
                fingerprint, claim, source, speaker, importance, importance_level, credibility, strength, hits, hit_events, pinned,
                said_at, expires_with_session, status, rule, reasons, version, created_at, updated_at)
            SELECT id, $15::uuid, $16::uuid, 'user', kind, content, language, '',
                CASE WHEN tags = '[]' THEN '{{}}' ELSE ARRAY(SELECT jsonb_array_elements_text(tags::jsonb)) END,
                metadata::jsonb, fingerprint, claim, source, speaker, importance, '',
                ($17::jsonb ->> source)::float8, ($18::jsonb ->> kind)::float8, 0, 0, false, said_at, false,
                'current', '{RULE}', '["kept as given"]', 1, $19::timestamptz, $19
            FROM given ON CONFLICT DO NOTHING RETURNING *
        ), versions AS (
            INSERT INTO {MemoryVersion._meta.db_table} (id, tenant_id, memory_id, number, change, content, state, actor_kind,
                actor_id, rule, reason, at)
            SELECT g.version_id, $15, m.id, 1, 'created', m.content, jsonb_build_object({state_sql()}),
                $20::text, $21::text, '{RULE}', '', $19
            FROM made m JOIN given g ON g.id = m.id
        ), evidence AS (
            INSERT INTO {Evidence._meta.db_table} (id, tenant_id, memory_id, quote, role, speaker, said_at, created_at)
            SELECT g.evidence_id, $15, m.id, m.content, m.source, m.speaker, m.said_at, $19
            FROM made m JOIN given g ON g.id = m.id
        )
        SELECT id FROM made
    """
    said = [row.statement for row in rows]
    values: list[Any] = [
        arrays.ids([row.id for row in rows]),
        arrays.texts([one.kind for one in said]),
        arrays.texts([one.content for one in said]),
        arrays.texts([one.language for one in said]),
        arrays.texts([one.source for one in said]),
        arrays.texts([one.speaker[:200] for one in said]),
        arrays.floats([one.importance for one in said]),
        arrays.texts([json.dumps(list(one.tags)) if one.tags else "[]" for one in said]),
        arrays.texts([json.dumps(dict(one.metadata)) if one.metadata else "{}" for one in said]),
        arrays.blobs([row.fingerprint for row in rows]),
        arrays.blobs([row.claim for row in rows]),
        arrays.times([one.said_at for one in said]),
        arrays.ids([uuid7() for _ in rows]),
        arrays.ids([uuid7() for _ in rows]),
        current_tenant_id(),
        subject_id,
        json.dumps(credibility),
        json.dumps(strength),
        now,
        actor_kind,
        actor_id[:64],
    ]
    return {row[0] for row in prepared.send(sql, values)}


def standing_as(subject_id: uuid.UUID, fingerprints: Sequence[bytes]) -> dict[bytes, uuid.UUID]:
    """Which memory says already what has this fingerprint, for those of which a current one does. Inside a tenant transaction."""
    found = Memory.objects.of(subject_id).current().filter(fingerprint__in=list(fingerprints))
    return {bytes(one): memory_id for one, memory_id in found.values_list("fingerprint", "id")}
