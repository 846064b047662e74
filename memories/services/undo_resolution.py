"""Undo a resolution: the contradiction is open again, and both sides are exactly as they were before it (R18)."""

from __future__ import annotations

import uuid

from accounts import audit
from accounts.actor import Actor
from memories.adapters.factory import get_clock
from memories.core.errors import MemoryGone, NotUndoable
from memories.models import Contradiction, Memory, Status
from memories.services.contradictions import SUPERSEDED, open_again
from memories.services.index_memory import index_memory
from memories.services.resolve import readable_contradiction
from memories.services.undo_records import end, put_back, refuse_gone, refuse_rival
from memories.services.versioning import Change, save_change
from memories.store.locks import lock_subject
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Conflict


def undo_resolution(*, actor: Actor, contradiction_id: uuid.UUID) -> Contradiction:
    """The contradiction, open as before; a text that a merge had made becomes history.

    What changed otherwise since (a pin, a tag, another wording) stays. Raises NotFound; Conflict when it is open; NotUndoable
    naming what stands in the way; MemoryGone when a side was forgotten since.
    """
    now = get_clock().now()
    with tenant_transaction(actor.tenant_id):
        seen = readable_contradiction(actor, contradiction_id)
    with tenant_transaction(actor.tenant_id):
        lock_subject(seen.subject_id)
        row: Contradiction = Contradiction.objects.select_for_update().get(id=contradiction_id)
        record = row.undo or {}
        _refuse(row)
        made_id = uuid.UUID(record["made"]) if record.get("made") else None
        ids = {row.older_id, row.newer_id} | ({made_id} if made_id else set())
        rows = {one.id: one for one in Memory.objects.select_for_update().filter(id__in=ids).order_by("id")}
        if not {row.older_id, row.newer_id} <= set(rows):
            raise MemoryGone(
                "one side was removed for good", hint="There is nothing left to compare it with."
            )
        made = rows.get(made_id) if made_id else None
        changed = [rows[uuid.UUID(memory_id)] for memory_id in record.get("memories", {})]
        kept = [one for one in rows.values() if one not in changed and one is not made]
        for one in (*changed, *kept):
            refuse_gone(one)
        for one in changed:
            expected = made_id or (kept[0].id if kept else None)
            if one.status == Status.CURRENT or one.superseded_by_id != expected:
                raise NotUndoable(
                    f"the memory {one.id} changed since", hint="See its history; it was replaced or restored."
                )
        for one in (*kept, *([made] if made and made.status != Status.FORGOTTEN else [])):
            if one.status != Status.CURRENT:
                by = f" by {one.superseded_by_id}" if one.superseded_by_id else ""
                raise NotUndoable(
                    f"the memory {one.id} is {one.status} since{by}", hint="Undo that newer change first."
                )
        for one in changed:
            refuse_rival(one, since=row.resolved_at or now, but=ids)
        change = Change("undone", "contradiction.undo")
        if made is not None and made.status == Status.CURRENT:
            fields = end(made, status=Status.SUPERSEDED, successor=row.newer_id, until=now)
            save_change(made, actor, change, now, fields)
        for one in changed:
            fields = put_back(one, record["memories"][str(one.id)])
            save_change(one, actor, change, now, fields)
            index_memory(one, None)
        row.state, row.resolution, row.undo = Contradiction.State.OPEN, "", {}
        row.resolved_at, row.resolved_by = None, ""
        row.save(update_fields=["state", "resolution", "undo", "resolved_at", "resolved_by"])
        open_again(by=row.id)
        audit.record(
            actor,
            "contradiction.reopened",
            target_kind="contradiction",
            target_id=row.id,
            subject_id=row.subject_id,
        )
    return row


def _refuse(row: Contradiction) -> None:
    """What no undo of a resolution can open."""
    if row.state == Contradiction.State.OPEN:
        raise Conflict("it is open", hint="There is no decision to undo.")
    if row.resolved_by == SUPERSEDED:
        by = (row.undo or {}).get("by", "")
        raise NotUndoable(
            "a later statement settled it", hint=f"Undo the replacement by {by} instead: it opens this again."
        )
    if "memories" not in (row.undo or {}):
        raise NotUndoable("one side was forgotten", hint="Restore that memory instead: it opens this again.")
