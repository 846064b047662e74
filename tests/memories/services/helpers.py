"""Short ways to say something and to look at what is stored."""

from __future__ import annotations

import uuid
from typing import Any

from accounts.actor import Actor
from memories.adapters.factory import get_clock
from memories.models import Embedding, Memory, Posting
from memories.services.learn import learn
from memories.services.outcome import Outcome
from memories.services.remember import remember
from memoryhub.common.db import tenant_transaction
from memoryhub.common.ids import uuid7


def say(actor: Actor, subject_id: uuid.UUID, text: str, **changes: Any) -> list[Outcome]:
    """The person says it now, in a turn of its own."""
    values: dict[str, Any] = {
        "role": "user",
        "speaker": "",
        "said_at": get_clock().now(),
        "turn_id": uuid7(),
        "session_id": None,
        **changes,
    }
    return learn(actor=actor, subject_id=subject_id, text=text, **values)


def keep(actor: Actor, subject_id: uuid.UUID, content: str, **changes: Any) -> Outcome:
    """Kept as given; the only outcome."""
    [outcome] = remember(actor=actor, subject_id=subject_id, content=content, **{"infer": False, **changes})
    return outcome


def memory_of(actor: Actor, memory_id: uuid.UUID | None) -> Memory:
    with tenant_transaction(actor.tenant_id):
        return Memory.objects.get(id=memory_id)


def current(actor: Actor, subject_id: uuid.UUID) -> list[Memory]:
    with tenant_transaction(actor.tenant_id):
        return list(Memory.objects.of(subject_id).current().order_by("id"))


def indexed(actor: Actor, item_id: uuid.UUID | None) -> tuple[bool, bool]:
    """Whether the item has (a vector, postings)."""
    with tenant_transaction(actor.tenant_id):
        return Embedding.objects.filter(item_id=item_id).exists(), Posting.objects.filter(
            item_id=item_id
        ).exists()
