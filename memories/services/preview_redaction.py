"""Preview a redaction: every place in which the words stand, before anything is changed."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass

from accounts.actor import Actor
from accounts.permissions import Capability
from accounts.reading import note_reading
from memories.services.redact import owner_of, whole_memory
from memories.services.redact_places import external_ids, find_places, waiting_jobs
from memories.services.redact_wanted import sought, wanted
from memories.store.locks import lock_subject
from memoryhub.common.db import tenant_transaction

MAX_IDS = 50


@dataclass(frozen=True, slots=True)
class RedactionPreview:
    """`counts` are rows by holder, `ids` up to MAX_IDS of each; `jobs` wait and will read what is left. `external_ids` is 1 where
    the external id holds it, which is not rewritten."""

    subject_id: uuid.UUID
    counts: dict[str, int]
    ids: dict[str, list[str]]
    jobs: list[str]
    external_ids: int = 0

    @property
    def total(self) -> int:
        """Rows in all."""
        return sum(self.counts.values())


def preview_redaction(
    *,
    actor: Actor,
    subject_id: uuid.UUID | None = None,
    memory_id: uuid.UUID | None = None,
    words: Sequence[str] = (),
    pattern: str = "",
) -> RedactionPreview:
    """The places, as `redact` would count them now; audited as reading. Raises what `redact` raises."""
    actor.require(Capability.REDACT)
    what = wanted(words, pattern) if words or pattern or memory_id is None else None
    with tenant_transaction(actor.tenant_id):
        owner = owner_of(memory_id, subject_id)
        lock_subject(owner)
        looked = sought(what) if what is not None else whole_memory(memory_id)
        found = find_places(owner, looked)
        note_reading(
            actor,
            owner,
            "memory.redact_preview",
            target_kind="memory" if memory_id else "subject",
            target_id=memory_id,
        )
        ids = {name: sorted(rows)[:MAX_IDS] for name, rows in found.rows.items()}
        return RedactionPreview(owner, found.counts, ids, waiting_jobs(found), external_ids(owner, looked))
