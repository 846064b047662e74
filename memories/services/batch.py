"""Turns placed statements into changes: what is stored, what it ends, bounds, revives or contradicts."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from memories.core.decay import starting_strength
from memories.core.outcomes import Reason
from memories.core.placement.placing import RANK, Known, Place, Placement
from memories.core.statement import Statement
from memories.models import Approval, Contradiction, Memory, Status
from memories.services.changes import OPENED, Changes, Vector
from memories.services.outcome import Outcome
from memories.services.rows import evidence_row, fact_rows, known_row, memory_row
from memories.services.versioning import Change, version_row


@dataclass
class Batch(Changes):
    """One subject's statements in the open transaction: `take` decides one, `save` stores what came of all."""

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
            self.apply(self.approved, Change("approved", "approval", "said already"), lambda _: None)

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
            self.edit(
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

        self.edit(target.id, Change("revived", placement.rule, turn_id=statement.turn_id), change)

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
            self.edit(target.id, change, lambda _: None)
            return
        target.status, target.successor, target.valid_to = Status.SUPERSEDED, memory.id, until
        self.ended[target.id] = (until, memory.id)

        def end(old: Memory) -> None:
            old.status, old.superseded_by_id, old.valid_to = Status.SUPERSEDED, memory.id, until

        self.edit(target.id, Change("superseded", placement.rule, turn_id=statement.turn_id), end)

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

        self.edit(target.id, Change(name, rule, turn_id=statement.turn_id), end)

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


def _opened(waiting: Memory, row: Memory) -> Memory:
    for column in OPENED:
        setattr(waiting, column, getattr(row, column))
    waiting.status = row.status
    return waiting
