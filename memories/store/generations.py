"""Vectors by generation: what is missing in one, how fast it fills, and taking a generation's rows out in batches."""

from __future__ import annotations

import uuid
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from django.db import connection

from memories.models import Embedding, Episode, Memory
from memoryhub.common.db import current_tenant_id

_ITEMS = ((Memory._meta.db_table, "content"), (Episode._meta.db_table, "text"))


@dataclass(frozen=True, slots=True)
class Filled:
    """Of `total` items that should have a vector in a generation, `missing` have none."""

    total: int
    missing: int

    @property
    def done(self) -> int:
        return self.total - self.missing


def filled(space_id: int) -> Filled:
    """How far the generation is filled with the open tenant's current memories and episodes."""
    total = missing = 0
    for table, column in _ITEMS:
        sql = f"""
            WITH have AS MATERIALIZED (
                SELECT item_id FROM {Embedding._meta.db_table} WHERE tenant_id = %(tenant)s AND space_id = %(space)s)
            SELECT count(*), count(*) FILTER (WHERE h.item_id IS NULL)
            FROM {table} i LEFT JOIN have h ON h.item_id = i.id
            WHERE i.tenant_id = %(tenant)s AND i.status = 'current' AND btrim(i.{column}) <> ''
        """
        with connection.cursor() as cursor:
            # While a generation fills, statistics say that it is empty: a loop over it would be planned, and take for ever.
            cursor.execute("SET LOCAL enable_nestloop = off")
            cursor.execute(sql, {"tenant": current_tenant_id(), "space": space_id})
            row = cursor.fetchone()
            cursor.execute("SET LOCAL enable_nestloop = on")
        assert row is not None
        total, missing = total + row[0], missing + row[1]
    return Filled(total, missing)


def made_since(space_id: int, since: datetime) -> int:
    """Number of the open tenant's vectors in the generation that were made since then: their ids begin with the time."""
    low = uuid.UUID(int=int(since.timestamp() * 1000) << 80)
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT count(*) FROM {Embedding._meta.db_table} WHERE tenant_id = %s AND space_id = %s AND id >= %s",
            [current_tenant_id(), space_id, low],
        )
        row = cursor.fetchone()
    assert row is not None
    count: int = row[0]
    return count


def has_vectors(space_ids: Collection[int]) -> bool:
    """Whether the open tenant has any vector in one of the generations."""
    return bool(space_ids) and Embedding.objects.filter(space_id__in=space_ids).exists()


def drop_vectors(space_id: int, limit: int) -> int:
    """Delete at most `limit` of the open tenant's vectors in the generation; the number that went."""
    table = Embedding._meta.db_table
    with connection.cursor() as cursor:
        cursor.execute(
            f"DELETE FROM {table} WHERE tenant_id = %(tenant)s AND id IN "
            f"(SELECT id FROM {table} WHERE tenant_id = %(tenant)s AND space_id = %(space)s LIMIT %(limit)s)",
            {"tenant": current_tenant_id(), "space": space_id, "limit": limit},
        )
        return int(cursor.rowcount)


def drop_items(space_ids: Collection[int], item_ids: Collection[uuid.UUID]) -> int:
    """Delete the items' vectors in these generations: they were made of a text that may be another one now."""
    if not space_ids or not item_ids:
        return 0
    with connection.cursor() as cursor:
        cursor.execute(
            f"DELETE FROM {Embedding._meta.db_table} WHERE tenant_id = %s AND space_id = ANY(%s) AND item_id = ANY(%s)",
            [current_tenant_id(), list(space_ids), list(item_ids)],
        )
        return int(cursor.rowcount)
