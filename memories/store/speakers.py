"""Who is asked about: whether the subject is there, and which names in the question are speakers of its memory."""

from __future__ import annotations

import uuid
from collections.abc import Sequence

from accounts.models import Subject
from memories.models import Posting
from memoryhub.common.db import read_alone


def speakers_among(tenant_id: uuid.UUID, subject_id: uuid.UUID, terms: Sequence[str]) -> list[str] | None:
    """The speaker terms among `terms` (core.names) that somebody in the subject's memory goes by; None without a subject.

    Opens its own tenant transaction: vectors are made between it and the recall's.
    """
    sql = f"""
        SELECT ARRAY(SELECT t.term FROM unnest(%s::text[]) AS t (term)
                     WHERE EXISTS (SELECT 1 FROM {Posting._meta.db_table} p
                                   WHERE p.tenant_id = %s AND p.subject_id = %s AND p.term = t.term))
        FROM {Subject._meta.db_table} s WHERE s.tenant_id = %s AND s.id = %s AND s.erased_at IS NULL
    """
    rows = read_alone(tenant_id, sql, [list(terms), tenant_id, subject_id, tenant_id, subject_id])
    return list(rows[0][0]) if rows else None
