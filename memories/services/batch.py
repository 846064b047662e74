"""Collects what a batch of placed statements changes and saves it in a few bulk statements."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

import numpy as np
from django.db.models import Q
from numpy.typing import NDArray

from accounts.actor import Actor
from memories.core.decay import Hit, starting_strength
from memories.core.outcomes import Reason
from memories.core.placement.placing import RANK, Known, Place, Placement
from memories.core.policy import Policy
from memories.core.statement import Statement
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
from memories.services.outcome import Outcome
from memories.services.rows import evidence_row, fact_rows, known_row, memory_row
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

_OPENED = (
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


def _opened(waiting: Memory, row: Memory) -> Memory:
    for column in _OPENED:
        setattr(waiting, column, getattr(row, column))
    waiting.status = row.status
    return waiting


@dataclass
class Batch:
    """One subject's writes in the open transaction: `take` decides rows, `save` stores them."""

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

    def take(
        self,
        statement: Statement,
        fingerprint: bytes,
        placement: Placement,
        vector: Vector | None,
        known: list[Known],
        claim: bytes | None = None,
    ) -> Outcome:
        """The outcome of one statement; `known` learns of what it changes, for the statements after it."""
        target = placement.targets[0] if placement.targets else None
        reasons = (*statement.reasons, *placement.reasons)
        match placement.place:
            case Place.SAME_TURN | Place.REPEAT:
                assert target is not None
                if placement.place is Place.REPEAT:
                    self._repeat(statement, target)
                self._into(target)
                return Outcome(Reason.DUPLICATE, target.id, target.kind, placement.rule, reasons)
            case Place.WAITING:
                assert target is not None
                return Outcome(Reason.NEEDS_APPROVAL, target.id, target.kind, placement.rule, reasons)
            case Place.REFUSE:
                return Outcome(Reason.NOT_WORTH_KEEPING, None, statement.kind, placement.rule, reasons)
            case Place.REVIVE:
                assert target is not None
                self._revive(statement, target, placement, vector)
                self._into(target)
                return Outcome(Reason.DUPLICATE, target.id, target.kind, placement.rule, reasons)
        memory = memory_row(
            self.subject_id, statement, fingerprint, self.policy, self.now, placement.rule, claim=claim
        )
        memory = memory if self.approved is None else _opened(self.approved, memory)
        memory.valid_from = placement.since or memory.valid_from
        if placement.until is not None and (memory.valid_to is None or placement.until < memory.valid_to):
            memory.valid_to = placement.until
        code = Reason.NEEDS_APPROVAL if statement.needs_approval else Reason.STORED
        if placement.place is Place.HISTORY:
            assert target is not None
            memory.status, memory.superseded_by_id = Status.SUPERSEDED, target.id
            code = Reason.SUPERSEDED
        self._add(memory, statement, vector, placement)
        match placement.place:
            case Place.SUPERSEDE:
                for one in placement.targets:
                    self._supersede(one, memory, statement, placement)
                code = Reason.SUPERSEDED
            case Place.PLAN:
                for one in placement.targets:
                    self._end_at(one, memory, statement, "bounded", placement.rule)
            case Place.HISTORY:
                for one in placement.shortened:
                    self._end_at(one, memory, statement, "shortened", placement.rule, successor=memory.id)
            case Place.CONTRADICT:
                self._contradict(placement.targets, memory, statement, placement.rule)
                code = Reason.CONTRADICTION
        self._contradict(placement.disputed, memory, statement, "slot.unclear")
        known.append(known_row(memory, statement))
        replaced = target.id if target and placement.place in {Place.SUPERSEDE, Place.CONTRADICT} else None
        return Outcome(code, memory.id, memory.kind, placement.rule, reasons, replaced)

    def save(self, *, space_id: int | None) -> None:
        """Store everything: what ends first, so that a key or a fingerprint is free for its successor."""
        self._save_edits()
        Memory.objects.bulk_create(memory for memory in self.new.values() if memory is not self.approved)
        if self.approved is not None:
            self.approved.save(update_fields=[*_OPENED, "status", "superseded_by", "version", "updated_at"])
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

    def _add(self, memory: Memory, statement: Statement, vector: Vector | None, placement: Placement) -> None:
        self.new[memory.id] = memory
        self.vectors[memory.id] = vector
        self.facts += fact_rows(self.subject_id, memory, statement)
        if memory is self.approved:
            change = Change("approved", "approval", placement.rule)
            memory.version, memory.updated_at = memory.version + 1, self.now
        else:
            change = Change("created", placement.rule, turn_id=statement.turn_id)
            self.evidence.append(evidence_row(memory.id, statement, self.now))
        self.versions.append(version_row(memory, self.actor, change, self.now))
        if statement.needs_approval:
            self.approvals.append(
                Approval(
                    subject_id=self.subject_id,
                    memory_id=memory.id,
                    rule=statement.approval,
                    asked_at=self.now,
                )
            )

    def _into(self, target: Known) -> None:
        """What was approved says nothing new: it goes into the memory that says it, which has its evidence by now."""
        if self.approved is not None:
            self.approved.status, self.approved.superseded_by_id = Status.MERGED, target.id
            self._apply(self.approved, Change("approved", "approval", "said already"), lambda _: None)

    def _repeat(self, statement: Statement, target: Known) -> None:
        """New evidence, and strength unless it is only an assistant's echo; a person's word raises the source."""
        self.evidence.append(evidence_row(target.id, statement, self.now))
        if statement.turn_id:
            target.turn_ids.add(statement.turn_id)
        if statement.source == "assistant":
            return
        self.repeats.append((target.id, statement.turn_id))
        raised = RANK.get(statement.source, 1) > RANK.get(target.source, 1)
        if raised:
            target.source = statement.source
        if raised or statement.expires_at is not None:
            self._edit(
                target.id,
                Change("confirmed", "dedup.confirmed", turn_id=statement.turn_id),
                self._confirm(statement, raised),
            )

    def _confirm(self, statement: Statement, raised: bool) -> Callable[[Memory], None]:
        def change(memory: Memory) -> None:
            if raised:
                memory.source, memory.speaker = statement.source, statement.speaker[:200]
                memory.credibility = self.policy.number(f"credibility.{statement.source}")
            if statement.expires_at is not None and memory.expires_at is not None:
                memory.expires_at = max(memory.expires_at, statement.expires_at)

        return change

    def _revive(
        self, statement: Statement, target: Known, placement: Placement, vector: Vector | None
    ) -> None:
        self.evidence.append(evidence_row(target.id, statement, self.now))
        self.revived[target.id] = (statement.starts, statement.valid_to)
        self.vectors[target.id] = vector
        target.status = Status.CURRENT
        if statement.turn_id:
            target.turn_ids.add(statement.turn_id)

        def change(memory: Memory) -> None:
            memory.status, memory.superseded_by_id = Status.CURRENT, None
            memory.said_at, memory.expires_at = statement.said_at, statement.expires_at
            memory.valid_to = statement.valid_to
            if memory.valid_from is not None:
                memory.valid_from = statement.starts
            memory.strength = starting_strength(self.policy, kind=memory.kind)
            memory.last_hit_at = self.now

        self._edit(target.id, Change("revived", placement.rule, turn_id=statement.turn_id), change)

    def _supersede(self, target: Known, memory: Memory, statement: Statement, placement: Placement) -> None:
        slots = {fact.slot for fact in statement.facts}
        left = tuple(fact for fact in target.facts if fact.slot not in slots)
        until = max(statement.starts, target.starts)
        if slots and left:
            # The rest of what it says still holds: only the fact ends.
            ended = {fact.slot for fact in target.facts if fact.slot in slots}
            target.facts = left
            self.ended_facts += [(target.id, slot, until) for slot in ended]
            change = Change("ended_in_part", placement.rule, turn_id=statement.turn_id)
            self._edit(target.id, change, lambda _: None)
            return
        target.status, target.successor, target.valid_to = Status.SUPERSEDED, memory.id, until
        self.ended[target.id] = (until, memory.id)

        def end(old: Memory) -> None:
            old.status, old.superseded_by_id, old.valid_to = Status.SUPERSEDED, memory.id, until

        self._edit(target.id, Change("superseded", placement.rule, turn_id=statement.turn_id), end)

    def _end_at(
        self,
        target: Known,
        memory: Memory,
        statement: Statement,
        name: str,
        rule: str,
        successor: uuid.UUID | None = None,
    ) -> None:
        """The target holds until the new memory does: a plan bounds what holds now, late evidence shortens history."""
        until = memory.valid_from or statement.starts
        target.valid_to = until
        self.bounded[target.id] = until

        def end(old: Memory) -> None:
            old.valid_to = until
            if successor is not None:
                old.superseded_by_id = successor

        self._edit(target.id, Change(name, rule, turn_id=statement.turn_id), end)

    def _contradict(self, against: Sequence[Known], memory: Memory, statement: Statement, rule: str) -> None:
        slots = [fact.slot for fact in statement.facts]
        for one in against:
            shared = next((fact.slot for fact in one.facts if fact.slot in slots), "")
            self.contradictions.append(
                Contradiction(
                    subject_id=self.subject_id,
                    slot_key=shared,
                    older_id=one.id,
                    newer_id=memory.id,
                    rule=rule,
                    opened_at=self.now,
                )
            )

    def _edit(self, memory_id: uuid.UUID, change: Change, function: Callable[[Memory], None]) -> None:
        made = self.new.get(memory_id)
        if made is not None:
            self._apply(made, change, function)
        else:
            self.edits.setdefault(memory_id, []).append((change, function))

    def _apply(self, memory: Memory, change: Change, function: Callable[[Memory], None]) -> None:
        function(memory)
        memory.version += 1
        memory.updated_at = self.now
        self.versions.append(version_row(memory, self.actor, change, self.now))

    def _save_edits(self) -> None:
        # `load_known` holds these rows already; a hit, a pin or a sweep between the two reads would be overwritten.
        rows = Memory.objects.select_for_update().filter(id__in=self.edits).order_by("id")
        for memory in rows if self.edits else ():
            for change, function in self.edits[memory.id]:
                self._apply(memory, change, function)
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
