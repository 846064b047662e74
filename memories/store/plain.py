"""What a plain vector table would answer: the nearest turns of a subject and nothing else; to measure against."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from django.db import connection

from memories.models import Embedding, Episode
from memoryhub.common.db import current_tenant_id


def nearest_sources(
    subject_id: uuid.UUID, space_id: int, vector: Sequence[float], limit: int
) -> list[uuid.UUID]:
    """The sources of the `limit` nearest episodes, best first, by `ORDER BY vector <=> question` alone; a source may repeat."""
    sql = f"""
        SELECT e.source_id FROM (
            SELECT item_id, vector <=> %s::halfvec AS distance FROM {Embedding._meta.db_table}
            WHERE tenant_id = %s AND subject_id = %s AND space_id = %s AND item_kind = 'episode'
            ORDER BY vector <=> %s::halfvec, item_id LIMIT %s
        ) n JOIN {Episode._meta.db_table} e ON e.tenant_id = %s AND e.id = n.item_id ORDER BY n.distance, n.item_id
    """
    asked, tenant_id = "[" + ",".join(f"{value:.5g}" for value in vector) + "]", current_tenant_id()
    with connection.cursor() as cursor:
        cursor.execute(sql, [asked, tenant_id, subject_id, space_id, asked, limit, tenant_id])
        return [row[0] for row in cursor.fetchall()]
