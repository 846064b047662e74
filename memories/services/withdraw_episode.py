"""Takes what was indexed of a turn out of recall, when something else stands in the turn's place."""

from __future__ import annotations

import uuid

from accounts.actor import Actor
from memories.models import Episode, Status
from memories.store.index import remove_from_index
from memoryhub.common.db import tenant_transaction


def withdraw_episode(*, actor: Actor, subject_id: uuid.UUID, source_id: uuid.UUID) -> int:
    """Number of parts that left recall; the rows stay, archived. Nothing the second time, or when none was indexed.

    The subject's lock is not taken: the caller may hold the session's, and writers of episodes wait for that one.
    """
    actor.require_subject(subject_id, write=True)
    with tenant_transaction(actor.tenant_id):
        rows = Episode.objects.of(subject_id).filter(source_id=source_id, status=Status.CURRENT)
        ids = list(rows.order_by("id").values_list("id", flat=True))
        if ids:
            Episode.objects.filter(id__in=ids).update(status=Status.ARCHIVED)
            remove_from_index(ids)
    return len(ids)
