"""Who is asked about: whether the subject is there, and which names in the question are speakers of its memory."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from django.db import connection

from accounts.models import Subject
from memories.models import Posting
from memoryhub.common.db import current_tenant_id


def speakers_among(subject_id: uuid.UUID, terms: Sequence[str]) -> list[str] | None:
    """The speaker terms among `terms` (core.names) that somebody in the subject's memory goes by; None without a subject."""
    sql = f"""
        SELECT ARRAY(SELECT t.term FROM unnest(%s::text[]) AS t (term)
                     WHERE EXISTS (SELECT 1 FROM {Posting._meta.db_table} p
                                   WHERE p.tenant_id = %s AND p.subject_id = %s AND p.term = t.term))
        FROM {Subject._meta.db_table} s WHERE s.tenant_id = %s AND s.id = %s AND s.erased_at IS NULL
    """
    tenant_id = current_tenant_id()
    with connection.cursor() as cursor:
        cursor.execute(sql, [list(terms), tenant_id, subject_id, tenant_id, subject_id])
        row = cursor.fetchone()
    return None if row is None else list(row[0])
