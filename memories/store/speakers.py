"""Which of the names that a question might mention are speakers of the subject."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from django.db import connection

from memories.models import Posting
from memoryhub.common.db import current_tenant_id


def speakers_among(subject_id: uuid.UUID, terms: Sequence[str]) -> list[str]:
    """The speaker terms among `terms` (core.names) that somebody in the subject's memory goes by."""
    if not terms:
        return []
    sql = f"""
        SELECT t.term FROM unnest(%s::text[]) AS t (term)
        WHERE EXISTS (SELECT 1 FROM {Posting._meta.db_table} p
                      WHERE p.tenant_id = %s AND p.subject_id = %s AND p.term = t.term)
    """
    with connection.cursor() as cursor:
        cursor.execute(sql, [list(terms), current_tenant_id(), subject_id])
        return [row[0] for row in cursor.fetchall()]
