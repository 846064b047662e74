"""Puts memories back into the index of recall, after an edit, a restore or an approval."""

from __future__ import annotations

from collections.abc import Sequence

from memories.models import Memory, Status
from memories.services.embedding import Embedded
from memories.services.jobs import enqueue
from memories.services.store_vectors import store_vectors
from memories.store.index import Indexed, put_postings


def index_memory(memory: Memory, embedded: Embedded | None) -> None:
    """Its postings at once, its vector (the only row of `embedded`) where there is one, else later by a job."""
    _index([memory], embedded)


def index_memories(memories: Sequence[Memory], embedded: Embedded | None) -> None:
    """The same for those of the memories that are recalled, history too, in a few statements; `embedded` has a row for each memory."""
    at = [number for number, one in enumerate(memories) if one.status in {Status.CURRENT, Status.SUPERSEDED}]
    if at:
        some = Embedded(embedded.space_id, embedded.vectors[at]) if embedded is not None else None
        _index([memories[number] for number in at], some)


def _index(memories: Sequence[Memory], embedded: Embedded | None) -> None:
    items = [Indexed("memory", one.id, one.subject_id, one.content, one.speaker) for one in memories]
    put_postings(items)
    if embedded is not None:
        store_vectors(embedded.space_id, items, embedded.vectors)
    else:
        enqueue(kind="index_pending", key="index_pending")
