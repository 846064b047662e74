"""What the views of mem0's door share: whose memory is meant, and the fields that several of them take."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from datetime import UTC, date, datetime, time
from typing import Any

from accounts.api.base import ActorView
from accounts.models import Subject
from memories.mem0.filters import Wanted
from memories.models import Memory
from memories.services.get_memory import get_memory
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Invalid

MAX_BATCH = 200


class Mem0View(ActorView):
    """What they share. They are no part of the OpenAPI document: mem0's own describes them."""

    schema = None

    def body(self) -> Mapping[str, Any]:
        if not isinstance(self.request.data, Mapping):
            raise Invalid("the body is no object", fields={"body": "must be a JSON object"})
        return self.request.data

    def owner(self, wanted: Wanted, *, create: bool = False) -> Subject:
        """Whose memory is meant; NotFound without `create` where there is nobody of that id."""
        kind, external_id = wanted.owner or (None, None)
        if external_id is None and self.actor.subject_id is None:
            raise Invalid(
                "nobody is named",
                hint="Name whose memory is meant: filters={'user_id': '...'}.",
                fields={"filters": "name a user_id, agent_id or run_id"},
            )
        subject_id = self.named_subject(external_id, kind, create=create)
        self._meant = subject_id
        with tenant_transaction(self.actor.tenant_id):
            found: Subject = Subject.objects.get(pk=subject_id)
        return found

    def one(self, memory_id: uuid.UUID) -> tuple[Memory, Subject]:
        memory = get_memory(actor=self.actor, memory_id=memory_id)
        with tenant_transaction(self.actor.tenant_id):
            return memory, Subject.objects.get(pk=memory.subject_id)


def whole(given: Mapping[str, Any], name: str, most: int) -> int | None:
    value = given.get(name)
    if value is None:
        return None
    text = str(value)
    if not (text.isascii() and text.isdigit() and len(text) < 7 and 1 <= int(text) <= most):
        raise Invalid(f"{name} is out of range", fields={name: f"a whole number from 1 to {most}"})
    return int(text)


def memory_id_of(row: Any, at: int) -> uuid.UUID:
    try:
        return uuid.UUID(str(row["memory_id"]))
    except (TypeError, KeyError, ValueError):
        raise Invalid("an id is missing", fields={f"memories.{at}": "must have a memory_id"}) from None


def end_of(value: Any) -> datetime | None:
    """The end of a day in UTC, for mem0's `expiration_date`."""
    if value is None:
        return None
    try:
        return datetime.combine(date.fromisoformat(value), time.max, UTC)
    except (TypeError, ValueError):
        raise Invalid("the day is not understood", fields={"expiration_date": "YYYY-MM-DD"}) from None
