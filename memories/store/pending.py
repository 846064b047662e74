"""Finds what should have a vector in an embedding space and has none."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Any

from django.db import connection
from django.db.models import Exists, OuterRef, QuerySet

from accounts.tenancy import NEWEST
from memories.models import Embedding, Episode, Memory, Status
from memories.store.index import Indexed
from memoryhub.common.db import current_tenant_id
from memoryhub.common.ids import first_uuid7_at

_FIRST = uuid.UUID(int=0)
LOOKED_AT = 1_000
"""Of how many of the newest memories `late_memories` tells: more would be read at each visit of the admin's home."""


def without_vector(space_id: int, limit: int, after: Indexed | None = None) -> list[Indexed]:
    """Current and superseded memories (history is recalled, too), then episodes, of the open tenant that have no vector in the space; at most `limit`, by id.

    With `after`, those behind that item: who walks through a large store does not walk over what is done each time.
    """
    found: list[Indexed] = []
    for item_kind, table, column in (
        ("memory", Memory._meta.db_table, "content"),
        ("episode", Episode._meta.db_table, "text"),
    ):
        if after is not None and item_kind == "memory" and after.item_kind == "episode":
            continue
        behind = after.item_id if after is not None and after.item_kind == item_kind else _FIRST
        # OFFSET keeps it one look into the unique index a row: while a generation fills, statistics call it empty, and a
        # join with "nothing" would be a loop over all of it.
        sql = f"""
            SELECT i.id, i.subject_id, i.{column} FROM {table} i
            WHERE i.tenant_id = %(tenant)s AND i.id > %(behind)s AND i.status IN ('current', 'superseded') AND btrim(i.{column}) <> ''
              AND NOT EXISTS (SELECT 1 FROM {Embedding._meta.db_table} e
                              WHERE e.tenant_id = %(tenant)s AND e.space_id = %(space)s AND e.item_id = i.id OFFSET 0)
            ORDER BY i.id LIMIT %(limit)s
        """
        values: dict[str, Any] = {
            "tenant": current_tenant_id(),
            "space": space_id,
            "limit": limit - len(found),
            "behind": behind,
        }
        with connection.cursor() as cursor:
            cursor.execute(sql, values)
            found += [Indexed(item_kind, row[0], row[1], row[2]) for row in cursor.fetchall()]
        if len(found) >= limit:
            break
    return found


def late_memories(space_id: int, before: datetime) -> QuerySet[Memory]:
    """Memories of the open tenant that were stored before that time and still have no vector in the space, among the newest LOOKED_AT.

    By the time in their ids: what an import brings along is as old as what it tells of, and new in the store.
    """
    newest = Memory.objects.filter(
        id__lt=first_uuid7_at(before), status__in=[Status.CURRENT, Status.SUPERSEDED]
    ).order_by(NEWEST)
    vectors = Embedding.objects.filter(space_id=space_id, item_id=OuterRef("pk"))
    return (
        Memory.objects.filter(pk__in=newest.values("pk")[:LOOKED_AT])
        .exclude(content="")
        .filter(~Exists(vectors))
    )
