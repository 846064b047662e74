"""Undo a replacement: the old memory is current again as it was, and what had replaced it becomes history (R18)."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from accounts import audit
from accounts.actor import Actor
from memories.adapters.factory import get_clock
from memories.core.errors import MemoryNotFound, NotUndoable
from memories.models import Fact, Memory, MemoryVersion, Status
from memories.services.contradictions import close_for, open_again
from memories.services.get_memory import readable
from memories.services.index_memory import index_memory
from memories.services.resolve import require_settler
from memories.services.undo_records import end, put_back, refuse_rival
from memories.services.versioning import HIDDEN, SHOWN, Change, save_change
from memories.store.locks import lock_subject
from memoryhub.common.db import tenant_transaction

ENDINGS = frozenset({"superseded", "undone", "settled"})
"""Changes by which one memory takes another's place; each can be undone, an undo too."""


def undo_supersession(*, actor: Actor, memory_id: uuid.UUID) -> Memory:
    """The memory that had been replaced, current again; all that the same statement replaced come back with it.

    The successor is not deleted: it becomes history behind the restored one, so that undoing that, too, is one call, and the
    turn that said it does not teach it again. Contradictions that the replacement had closed are open again. Raises
    MemoryNotFound; NotUndoable when it is not replaced, was settled as a contradiction, or something newer stands there.
    """
    now = get_clock().now()
    with tenant_transaction(actor.tenant_id):
        seen = readable(actor, memory_id)
        require_settler(actor, seen.subject_id, "no such memory")
    with tenant_transaction(actor.tenant_id):
        lock_subject(seen.subject_id)
        memory: Memory | None = Memory.objects.select_for_update().filter(id=memory_id).first()
        if memory is None:
            raise MemoryNotFound("no such memory")
        ending = _ending(memory)
        together = _together(memory, ending)
        others = {memory.superseded_by_id, *(one.id for one in together)} - {None}
        successor = _locked(memory.superseded_by_id)
        _refuse_newer(successor)
        for one in (memory, *together):
            refuse_rival(one, since=ending.at, but=[each for each in others if each])
        change = Change("undone", "supersession.undo")
        if successor is not None and successor.status == Status.CURRENT:
            fields = end(successor, status=Status.SUPERSEDED, successor=memory.id, until=now)
            save_change(successor, actor, change, now, fields)
            close_for(successor.id, by=memory.id, now=now)
        for one in (memory, *together):
            fields = put_back(one, _former(one))
            save_change(one, actor, change, now, fields)
            index_memory(one, None)
        if successor is not None:
            open_again(by=successor.id)
        audit.record(
            actor,
            "memory.supersession_undone",
            target_kind="memory",
            target_id=memory.id,
            subject_id=memory.subject_id,
            successor=successor.id if successor else None,
        )
    return memory


def _locked(memory_id: uuid.UUID | None) -> Memory | None:
    if memory_id is None:
        return None
    found: Memory | None = Memory.objects.select_for_update().filter(id=memory_id).first()
    return found


def _lasting_versions(memory: Memory) -> QuerySet[MemoryVersion]:
    """The newest first."""
    rows: QuerySet[MemoryVersion] = MemoryVersion.objects.filter(memory_id=memory.id)
    return rows.exclude(change__in=[HIDDEN, SHOWN]).order_by("-number")


def _ending(memory: Memory) -> MemoryVersion:
    """The version by which the memory was replaced."""
    if memory.status == Status.CURRENT:
        raise NotUndoable("the memory is current", hint="Nothing replaced it.")
    if memory.status != Status.SUPERSEDED or memory.superseded_by_id is None:
        raise NotUndoable(f"the memory is {memory.status}", hint="Restore it instead, if that is possible.")
    first: MemoryVersion | None = None
    # Later versions of a replaced memory (a redaction, shortened history) keep the status; the first of the run ended it.
    for version in _lasting_versions(memory):
        if version.state.get("status") != Status.SUPERSEDED:
            break
        first = version
    if first is None or first.number == 1:
        raise NotUndoable("it was history from the first", hint="Say it again if it holds now.")
    if first.change.startswith("resolved"):
        raise NotUndoable("a decision settled it", hint="Undo that decision in the list of contradictions.")
    if first.change not in ENDINGS:
        raise NotUndoable(f"it ended by {first.change}", hint="Restore it instead, if that is possible.")
    return first


def _together(memory: Memory, ending: MemoryVersion) -> list[Memory]:
    """What the same statement replaced at the same moment."""
    same = MemoryVersion.objects.filter(
        change=ending.change, at=ending.at, memory__subject_id=memory.subject_id
    )
    ids = same.exclude(memory_id=memory.id).values("memory_id")
    rows = Memory.objects.select_for_update().filter(
        id__in=ids, status=Status.SUPERSEDED, superseded_by_id=memory.superseded_by_id
    )
    return list(rows.order_by("id"))


def _refuse_newer(successor: Memory | None) -> None:
    """NotUndoable when the successor has been replaced in its turn; one that is forgotten or gone is in nobody's way."""
    if successor is not None and successor.status in {Status.SUPERSEDED, Status.MERGED}:
        by = successor.superseded_by_id
        raise NotUndoable(
            f"the newer memory {by} replaced its successor since", hint=f"Undo the replacement by {by} first."
        )


def _former(memory: Memory) -> dict[str, Any]:
    """The columns of the version before it was replaced; a fact that ended with it has no end again."""
    before: MemoryVersion | None = None
    for version in _lasting_versions(memory):
        before = version
        if version.state.get("status") != Status.SUPERSEDED:
            break
    assert before is not None
    state = before.state
    ended = memory.valid_to
    facts = Fact.objects.filter(memory_id=memory.id).values_list("id", "valid_to")
    return {
        "status": state["status"],
        "superseded_by_id": state["superseded_by_id"],
        "valid_to": state["valid_to"],
        # Only the end that came with the replacement goes; what had ended before stays ended.
        "facts": {
            str(fact_id): state["valid_to"] if end_at == ended else _text(end_at) for fact_id, end_at in facts
        },
    }


def _text(at: datetime | None) -> str | None:
    return at.isoformat() if at else None
