"""What becomes of memories that lost words for good: a version that says so, and the status redacted where nothing is left."""

from __future__ import annotations

import uuid
from collections.abc import Collection, Sequence
from datetime import datetime

from accounts.actor import Actor
from memories.core.forgetting.remains import nothing_left
from memories.models import Approval, Evidence, Fact, Memory, MemoryVersion, Reveal, Status, Tombstone
from memories.models.records import VERSIONED_COLUMNS
from memories.services import fingerprints
from memories.services.forget_cuts import make_final
from memories.services.forget_rules import bind_memories
from memories.services.redact_places import Places, undo_texts
from memories.services.redact_texts import mark_of, store_undo
from memories.services.redact_wanted import Sought
from memories.services.removing import close_contradictions
from memories.services.tombstones import open_ones
from memories.services.versioning import Change, save_changes
from memories.store.index import remove_from_index

RULE = "redact"
MAX_REASON = 200
_EMPTY = {"tags": [], "metadata": {}, "key": "", "speaker": ""}
"""What of a version's state people wrote."""
assert set(_EMPTY) <= set(VERSIONED_COLUMNS)


def redact_whole(memory: Memory, looked: Sought, actor: Actor, now: datetime) -> Places:
    """Nothing of the memory is left but its id, kind, times and the marks: in the open transaction, its row locked.

    What said it up to now is not learnt again. Words that a request took out of other texts for it are gone for good.
    """
    done = Places()
    bind_memories([memory], now)
    stones = list(Tombstone.objects.filter(memory_id=memory.pk))
    make_final(memory.subject_id, [stone.pk for stone in stones])
    Tombstone.objects.filter(memory_id=memory.pk).update(reason="", undo=None)
    Tombstone.objects.filter(memory_id=memory.pk, restored_at__isnull=True).update(restored_at=now)
    mark = mark_of(memory.content)
    for version in MemoryVersion.objects.filter(memory_id=memory.pk):
        version.content, version.content_encrypted, version.reason = mark, None, ""
        version.state = {**version.state, **_EMPTY}
        version.redacted_at = now
        version.save(update_fields=["content", "content_encrypted", "reason", "state", "redacted_at"])
        done.add("versions", version.pk)
    for part in Evidence.objects.filter(memory_id=memory.pk):
        done.add("evidence", part.pk)
    Evidence.objects.filter(memory_id=memory.pk).update(quote="", speaker="")
    for fact in Fact.objects.filter(memory_id=memory.pk):
        done.add("facts", fact.pk)
    Fact.objects.filter(memory_id=memory.pk).delete()
    for reading in Reveal.objects.filter(memory_id=memory.pk):
        # Why it was read is no part of it, and is masked like any other text.
        Reveal.objects.filter(pk=reading.pk).update(reason=looked.mask(reading.reason)[:MAX_REASON])
    own = {str(memory.pk), *map(str, (pk for rows in done.rows.values() for pk in rows))}
    for name, pk, cuts in list(undo_texts(memory.subject_id)):
        left = [cut for cut in cuts if cut["row"] not in own]
        if len(left) < len(cuts):
            store_undo(name, memory.subject_id, pk, left)
    memory.content, memory.content_encrypted = mark, None
    memory.tags, memory.metadata, memory.reasons, memory.key, memory.speaker = [], {}, [], "", ""
    memory.save(
        update_fields=["content", "content_encrypted", "tags", "metadata", "reasons", "key", "speaker"]
    )
    _gone([memory], actor, now)
    done.add("memories", memory.pk)
    return done


def settle_touched(touched: Collection[str], actor: Actor, now: datetime) -> int:
    """A version of each memory that lost words; those of which nothing is left are redacted altogether. How many of these.

    One that was forgotten before stays forgotten, with nothing to bring back.
    """
    rows = list(Memory.objects.filter(pk__in=list(touched)).exclude(status=Status.REDACTED).order_by("pk"))
    stones = open_ones(rows)
    gone = [
        row
        for row in rows
        if nothing_left(row.content) and not (row.status == Status.FORGOTTEN and row.pk in stones)
    ]
    ids = {row.pk for row in gone}
    _renew_prints(rows)
    save_changes([row for row in rows if row.pk not in ids], actor, Change("redacted", RULE), now)
    _gone(gone, actor, now)
    return len(gone)


def _gone(memories: Sequence[Memory], actor: Actor, now: datetime) -> None:
    ids: list[uuid.UUID] = [memory.pk for memory in memories]
    if not ids:
        return
    _renew_prints(memories)
    save_changes(memories, actor, Change("redacted", RULE), now, status=Status.REDACTED)
    remove_from_index(ids)
    Approval.objects.filter(memory_id__in=ids, state=Approval.State.WAITING).update(
        state=Approval.State.REFUSED, decided_at=now, decided_by=actor.id[:64]
    )
    close_contradictions(ids, now)


def _renew_prints(memories: Sequence[Memory]) -> None:
    """They do not say any more what their prints are of: said again, it is another memory, and no repeat of these."""
    for memory in memories:
        memory.fingerprint = fingerprints.keyed(
            RULE, memory.tenant_id, memory.subject_id, f"{memory.pk}\n{memory.version}"
        )
        memory.claim = None
    Memory.objects.bulk_update(memories, ["fingerprint", "claim"], batch_size=500)
