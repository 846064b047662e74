"""Who is asked about: whether the subject is there, and which names in the question are speakers of its memory."""

from __future__ import annotations

import time
import uuid
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from accounts.models import Subject
from memories.models import Posting
from memories.store.prepared import fetch_alone

T = TypeVar("T")

_SQL = f"""
    SELECT ARRAY(SELECT t.term FROM unnest(%(names)s::text[]) AS t (term)
                 WHERE EXISTS (SELECT 1 FROM {Posting._meta.db_table} p
                               WHERE p.tenant_id = %(tenant)s AND p.subject_id = %(subject)s AND p.term = t.term))
    FROM {Subject._meta.db_table} s WHERE s.tenant_id = %(tenant)s AND s.id = %(subject)s AND s.erased_at IS NULL
"""
MOST = 20_000
"""Subjects that this process keeps in mind."""
_spoken_of: dict[uuid.UUID, None] = {}
LATELY = 60.0
"""Seconds for which a subject that was found counts as there, until its search says whether it is."""
_there: dict[uuid.UUID, float] = {}


def speakers_among(tenant_id: uuid.UUID, subject_id: uuid.UUID, terms: Sequence[str]) -> list[str] | None:
    """The speaker terms among `terms` (core.names) that somebody in the subject's memory goes by; None without a subject.

    Opens its own tenant transaction: vectors are made between it and the recall's.
    """
    return speakers_in(fetch_alone(tenant_id, speakers_query(tenant_id, subject_id, terms))[0], subject_id)


def speakers_query(
    tenant_id: uuid.UUID, subject_id: uuid.UUID, terms: Sequence[str]
) -> tuple[str, Mapping[str, Any]]:
    """The statement and its parameters."""
    return _SQL, {"tenant": tenant_id, "subject": subject_id, "names": list(terms)}


def speakers_in(rows: Sequence[tuple[Any, ...]], subject_id: uuid.UUID) -> list[str] | None:
    """What the statement's rows say, as `speakers_among`."""
    if not rows:
        _there.pop(subject_id, None)
        return None
    _keep(_there, subject_id, time.monotonic())
    if rows[0][0]:
        _keep(_spoken_of, subject_id, None)
    return list(rows[0][0])


def _keep(kept: dict[uuid.UUID, T], subject_id: uuid.UUID, value: T) -> None:
    if len(kept) >= MOST:
        kept.clear()
    kept[subject_id] = value


def is_spoken_of(subject_id: uuid.UUID) -> bool:
    """Whether this process has seen a question about the subject that names a speaker: the next one may, too."""
    return subject_id in _spoken_of


def was_there(subject_id: uuid.UUID) -> bool:
    """Whether this process has found the subject within the last LATELY seconds; it may have been erased since."""
    found = _there.get(subject_id)
    return found is not None and time.monotonic() - found < LATELY
