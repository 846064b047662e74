"""Memories as of a past time that the index of today does not hold as they were then: archived since, or reworded."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import connection

from memories.core.names import LENGTH_TERM
from memories.store.past_sql import memories
from memories.store.recall_shape import Shape
from memoryhub.common.db import current_tenant_id


@dataclass(frozen=True, slots=True)
class Extra:
    """One such memory: its terms with their frequencies and number, and its vector where there is one."""

    item_id: uuid.UUID
    terms: Mapping[str, int] = field(default_factory=dict)
    length: int = 1
    vector: Sequence[float] | None = None


def reworded_since(subject_id: uuid.UUID, as_of: datetime) -> list[tuple[uuid.UUID, str, str]]:
    """(id, text then, speaker) of the memories believed at `as_of` whose text is another now, or stands in no index.

    The most important first. Inside a tenant transaction.
    """
    sql = f"""
        SELECT m.id, m.content, m.speaker FROM {memories(Shape(as_of=True))}
        JOIN memories_memory today ON today.tenant_id = %(tenant)s AND today.id = m.id
        WHERE m.tenant_id = %(tenant)s AND m.subject_id = %(subject)s AND m.status = 'current'
            AND (m.pinned OR m.expires_at IS NULL OR m.expires_at > %(as_of)s)
            AND (m.content <> today.content OR NOT EXISTS (
                SELECT 1 FROM memories_posting p WHERE p.tenant_id = %(tenant)s AND p.item_id = m.id AND p.term = %(length_term)s))
        ORDER BY m.importance DESC, m.said_at DESC, m.id
    """
    values: dict[str, Any] = {
        "tenant": current_tenant_id(),
        "subject": subject_id,
        "as_of": as_of,
        "length_term": LENGTH_TERM,
    }
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        return [(row[0], row[1], row[2]) for row in cursor.fetchall()]
