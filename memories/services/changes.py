"""What a batch of statements changes, collected row by row and saved in a few bulk statements."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

import numpy as np
from django.db.models import Q
from numpy.typing import NDArray

from accounts.actor import Actor
from memories.core.decay import Hit
from memories.core.policy import Policy
from memories.models import (
    Approval,
    Contradiction,
    Evidence,
    Fact,
    Memory,
    MemoryVersion,
    Status,
    Tombstone,
)
from memories.services.contradictions import SUPERSEDED, close_for
from memories.services.jobs import enqueue
from memories.services.store_vectors import store_vectors
from memories.services.versioning import Change, version_row
from memories.store.index import Indexed, put_postings
from memories.store.strength import reinforce_rows

Vector = NDArray[np.float32]
_CHANGED = (
    "status",
    "superseded_by",
    "valid_from",
    "valid_to",
    "expires_at",
    "said_at",
    "source",
    "speaker",
    "credibility",
    "strength",
    "last_hit_at",
    "version",
    "updated_at",
)

OPENED = (
    "kind",
    "content",
    "content_encrypted",
    "language",
    "key",
    "fingerprint",
    "claim",
    "event_start",
    "event_end",
    "valid_from",
    "valid_to",
    "expires_at",
)
"""What a yes lets stand in the clear, as the statement has it; the rest of the row is as it was when it came."""


@dataclass
class Changes:
    """One subject's writes in the open transaction: new rows, what is done to known ones, and `save`, which stores all."""

    actor: Actor
    subject_id: uuid.UUID
    policy: Policy
    now: datetime
    new: dict[uuid.UUID, Memory] = field(default_factory=dict)
    versions: list[MemoryVersion] = field(default_factory=list)
    evidence: list[Evidence] = field(default_factory=list)
    facts: list[Fact] = field(default_factory=list)
    contradictions: list[Contradiction] = field(default_factory=list)
    approvals: list[Approval] = field(default_factory=list)
    repeats: list[tuple[uuid.UUID, uuid.UUID | None]] = field(default_factory=list)
    edits: dict[uuid.UUID, list[tuple[Change, Callable[[Memory], None]]]] = field(default_factory=dict)
    ended: dict[uuid.UUID, tuple[datetime, uuid.UUID]] = field(default_factory=dict)
    bounded: dict[uuid.UUID, datetime] = field(default_factory=dict)
    ended_facts: list[tuple[uuid.UUID, str, datetime]] = field(default_factory=list)
    revived: dict[uuid.UUID, tuple[datetime, datetime | None]] = field(default_factory=dict)
    vectors: dict[uuid.UUID, Vector | None] = field(default_factory=dict)
    approved: Memory | None = None
    """What waited for a yes and has it now: the batch's one statement is put over this row, none is made."""

    def save(self, *, space_id: int | None) -> None:
        """Store everything: what ends first, so that a key or a fingerprint is free for its successor."""
        self._save_edits()
        Memory.objects.bulk_create(memory for memory in self.new.values() if memory is not self.approved)
        if self.approved is not None:
            self.approved.save(update_fields=[*OPENED, "status", "superseded_by", "version", "updated_at"])
        Fact.objects.bulk_create(self.facts)
        MemoryVersion.objects.bulk_create(self.versions)
        Evidence.objects.bulk_create(self.evidence)
        if self.contradictions:
            Contradiction.objects.bulk_create(self.contradictions)
        if self.approvals:
            Approval.objects.bulk_create(self.approvals)
        self._save_index(space_id)
        for turn_id in dict.fromkeys(turn for _, turn in self.repeats):
            reinforce_rows(
                subject_id=self.subject_id,
                ids=[memory_id for memory_id, turn in self.repeats if turn == turn_id],
                event=Hit.REPEATED,
                turn_id=turn_id,
                policy=self.policy,
                now=self.now,
            )

    def edit(self, memory_id: uuid.UUID, change: Change, function: Callable[[Memory], None]) -> None:
        made = self.new.get(memory_id)
        if made is not None:
            self.apply(made, change, function)
        else:
            self.edits.setdefault(memory_id, []).append((change, function))

    def apply(self, memory: Memory, change: Change, function: Callable[[Memory], None]) -> None:
        function(memory)
        memory.version += 1
        memory.updated_at = self.now
        self.versions.append(version_row(memory, self.actor, change, self.now))

    def _save_edits(self) -> None:
        # `load_known` holds these rows already; a hit, a pin or a sweep between the two reads would be overwritten.
        rows = Memory.objects.select_for_update().filter(id__in=self.edits).order_by("id")
        for memory in rows if self.edits else ():
            for change, function in self.edits[memory.id]:
                self.apply(memory, change, function)
            memory.save(update_fields=_CHANGED)
        for memory_id, (until, successor) in self.ended.items():
            # What is superseded stays in the index, out of every recall of the present by its status: `as_of` finds it.
            close_for(memory_id, by=successor, now=self.now)
            self.bounded[memory_id] = until
            for row in self.contradictions:
                if memory_id in {row.older_id, row.newer_id}:
                    row.state, row.resolved_at = Contradiction.State.RESOLVED, self.now
                    row.resolved_by, row.undo = SUPERSEDED, {"by": str(successor)}
        for memory_id, until in self.bounded.items():
            Fact.objects.filter(memory_id=memory_id).filter(
                Q(valid_to__isnull=True) | Q(valid_to__gt=until)
            ).update(valid_to=until)
            for fact in self.facts:
                if fact.memory_id == memory_id and (fact.valid_to is None or fact.valid_to > until):
                    fact.valid_to = until
        for memory_id, slot, until in self.ended_facts:
            Fact.objects.filter(memory_id=memory_id, slot_key=slot).update(valid_to=until)
            for fact in self.facts:
                if fact.memory_id == memory_id and fact.slot_key == slot:
                    fact.valid_to = until
        if self.revived:
            for memory_id, (since, ends) in self.revived.items():
                Fact.objects.filter(memory_id=memory_id).update(valid_from=since, valid_to=ends)
            Tombstone.objects.filter(memory_id__in=self.revived, restored_at__isnull=True).update(
                restored_at=self.now
            )

    def _save_index(self, space_id: int | None) -> None:
        # History is found by questions about the past, like what is superseded later.
        live = [m for m in self.new.values() if m.status in {Status.CURRENT, Status.SUPERSEDED}]
        if self.revived:
            live += Memory.objects.filter(id__in=self.revived, status=Status.CURRENT).only(
                "id", "content", "speaker"
            )
        items = [
            Indexed("memory", memory.id, self.subject_id, memory.content, memory.speaker) for memory in live
        ]
        put_postings(items, fresh=not self.revived and self.approved is None)
        made = [(item, vector) for item in items if (vector := self.vectors.get(item.item_id)) is not None]
        if space_id is not None and made:
            store_vectors(space_id, [item for item, _ in made], np.stack([vector for _, vector in made]))
        if len(made) < len(items):
            enqueue(kind="index_pending", key="index_pending")
