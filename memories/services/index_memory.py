"""Puts one memory back into the index of recall, after an edit, a restore or an approval."""

from __future__ import annotations

from memories.models import Memory
from memories.services.embedding import Embedded
from memories.services.jobs import enqueue
from memories.services.store_vectors import store_vectors
from memories.store.index import Indexed, put_postings


def index_memory(memory: Memory, embedded: Embedded | None) -> None:
    """Its postings at once, its vector (the only row of `embedded`) where there is one, else later by a job."""
    item = Indexed("memory", memory.id, memory.subject_id, memory.content, memory.speaker)
    put_postings([item])
    if embedded is not None:
        store_vectors(embedded.space_id, [item], embedded.vectors)
    else:
        enqueue(kind="index_pending", key="index_pending")
