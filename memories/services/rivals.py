"""What stands in the slots of a text that an edit puts into a memory, and the contradictions that come of it (R18)."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Q

from memories.core.placement.placing import Place, SlotRules, place
from memories.core.policy import Policy
from memories.core.statement import Statement
from memories.models import Contradiction, Memory
from memories.services.contradictions import SUPERSEDED, kept_pairs
from memories.services.known_memories import load_known, slots_of
from memoryhub.common.errors import Conflict

RULE = "slot.edited"


def settle_edited(memory: Memory, statement: Statement, policy: Policy, now: datetime) -> None:
    """Place an edited memory, whose new columns need not be saved yet, among the others of its subject.

    The others stay as they are: an edit is no word about them. Where one of them holds another value that cannot hold
    beside the new one, a contradiction is opened; one that was open over what the memory said before is closed. Raises
    Conflict when another memory states the same fact already. The caller holds the subject's lock.
    """
    known = [
        one
        for one in load_known(memory.subject_id, [statement], [bytes(memory.fingerprint)])
        if one.id != memory.id and one.current
    ]
    rules = SlotRules.of(policy, kept_pairs(memory.subject_id, slots_of([statement])))
    found = place(statement, bytes(memory.fingerprint), known, rules) if statement.facts else None
    if found is not None and found.place in {Place.REPEAT, Place.SAME_TURN}:
        raise Conflict(
            "another memory states this already", hint=f"See {found.targets[0].id}; forget one of the two."
        )
    rivals = {}
    if found is not None and found.place is not Place.NEW:
        rivals = {one.id: one for one in (*found.targets, *found.disputed)}
    mine = Contradiction.objects.filter(
        Q(older_id=memory.id) | Q(newer_id=memory.id), state=Contradiction.State.OPEN
    )
    left = {}
    for row in mine.select_for_update().order_by("id"):
        other = row.newer_id if row.older_id == memory.id else row.older_id
        if other in rivals:
            left[other] = row
        else:
            row.state, row.resolved_at, row.resolved_by = Contradiction.State.RESOLVED, now, SUPERSEDED
            row.undo = {"edited": str(memory.id)}
            row.save(update_fields=["state", "resolved_at", "resolved_by", "undo"])
    slots = [fact.slot for fact in statement.facts]
    for one in rivals.values():
        if one.id not in left:
            Contradiction.objects.create(
                subject_id=memory.subject_id,
                slot_key=next((fact.slot for fact in one.facts if fact.slot in slots), ""),
                older_id=one.id,
                newer_id=memory.id,
                rule=RULE,
                opened_at=now,
            )
