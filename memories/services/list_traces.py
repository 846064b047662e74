"""Lists the traces of a subject's recalls."""

from __future__ import annotations

import uuid

from django.db.models import QuerySet

from accounts.actor import Actor
from memories.models import RecallTrace
from memories.services.subjects import check_readable


def traces_of(
    *, actor: Actor, subject_id: uuid.UUID, session_id: uuid.UUID | None = None, abstained: bool | None = None
) -> QuerySet[RecallTrace]:
    """The subject's traces without what each considered, for a door that pages in the open tenant transaction."""
    check_readable(actor, subject_id, "traces.list")
    rows: QuerySet[RecallTrace] = RecallTrace.objects.filter(subject_id=subject_id)
    if session_id is not None:
        rows = rows.filter(session_id=session_id)
    if abstained is not None:
        rows = rows.filter(abstained=abstained)
    return rows.defer("considered", "context")
