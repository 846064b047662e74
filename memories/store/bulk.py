"""Writes many new memories of one subject in one statement: memory, first version and evidence."""

from __future__ import annotations

import json
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection

from memories.core.statement import Statement
from memories.models import Evidence, Memory, MemoryVersion
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
            SELECT * FROM unnest(%(ids)s::uuid[], %(kinds)s::text[], %(contents)s::text[], %(languages)s::text[],
                %(sources)s::text[], %(speakers)s::text[], %(importances)s::float8[], %(tags)s::jsonb[], %(metadata)s::jsonb[],
                %(prints)s::bytea[], %(claims)s::bytea[], %(said)s::timestamptz[], %(version_ids)s::uuid[], %(evidence_ids)s::uuid[])
                AS g (id, kind, content, language, source, speaker, importance, tags, metadata, fingerprint, claim, said_at,
                      version_id, evidence_id)
        ), made AS (
            INSERT INTO {Memory._meta.db_table} (id, tenant_id, subject_id, scope, kind, content, language, key, tags, metadata,
                fingerprint, claim, source, speaker, importance, importance_level, credibility, strength, hits, hit_events, pinned,
                said_at, expires_with_session, status, rule, reasons, version, created_at, updated_at)
            SELECT id, %(tenant)s, %(subject)s, 'user', kind, content, language, '',
                ARRAY(SELECT jsonb_array_elements_text(tags)), metadata, fingerprint, claim, source, speaker, importance, '',
                (%(credibility)s::jsonb ->> source)::float8, (%(strength)s::jsonb ->> kind)::float8, 0, 0, false, said_at, false,
                'current', '{RULE}', '["kept as given"]', 1, %(now)s, %(now)s
            FROM given ON CONFLICT DO NOTHING RETURNING *
        ), versions AS (
            INSERT INTO {MemoryVersion._meta.db_table} (id, tenant_id, memory_id, number, change, content, state, actor_kind,
                actor_id, rule, reason, at)
            SELECT g.version_id, %(tenant)s, m.id, 1, 'created', m.content, jsonb_build_object({state_sql()}),
                %(actor_kind)s, %(actor_id)s, '{RULE}', '', %(now)s
            FROM made m JOIN given g ON g.id = m.id
        ), evidence AS (
            INSERT INTO {Evidence._meta.db_table} (id, tenant_id, memory_id, quote, role, speaker, said_at, created_at)
            SELECT g.evidence_id, %(tenant)s, m.id, m.content, m.source, m.speaker, m.said_at, %(now)s
            FROM made m JOIN given g ON g.id = m.id
        )
        SELECT id FROM made
    """
    said = [row.statement for row in rows]
    values: dict[str, Any] = {
        "tenant": current_tenant_id(),
        "subject": subject_id,
        "now": now,
        "actor_kind": actor_kind,
        "actor_id": actor_id[:64],
        "credibility": json.dumps(credibility),
        "strength": json.dumps(strength),
        "ids": [row.id for row in rows],
        "kinds": [one.kind for one in said],
        "contents": [one.content for one in said],
        "languages": [one.language for one in said],
        "sources": [one.source for one in said],
        "speakers": [one.speaker[:200] for one in said],
        "importances": [one.importance for one in said],
        "tags": [json.dumps(list(one.tags)) for one in said],
        "metadata": [json.dumps(dict(one.metadata)) for one in said],
        "prints": [row.fingerprint for row in rows],
        "claims": [row.claim for row in rows],
        "said": [one.said_at for one in said],
        "version_ids": [uuid7() for _ in rows],
        "evidence_ids": [uuid7() for _ in rows],
    }
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        return {row[0] for row in cursor.fetchall()}
