"""Lists the live slots of a subject (R11)."""

from __future__ import annotations

import uuid

from accounts.actor import Actor
from memories.adapters.factory import get_clock
from memories.models import Slot
from memories.services.subjects import check_readable
from memoryhub.common.db import tenant_transaction
from sessions_app.services.slots import slot_rows, with_words

MOST = 100


def list_slots(*, actor: Actor, subject_id: uuid.UUID) -> list[Slot]:
    """The most important first. NotFound for a subject that the actor may not read."""
    with tenant_transaction(actor.tenant_id):
        check_readable(actor, subject_id, "slots.list")
        return with_words(slot_rows(subject_id, get_clock().now())[:MOST])
