"""Forgetting much at once: hidden in one short transaction, then taken out of the texts batch by batch by a job (R26, R27)."""

from __future__ import annotations

import json
import uuid
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from django.db.models import CharField, F
from django.db.models.functions import Cast, JSONObject

from accounts import audit
from accounts.actor import Actor, system_actor
from memories.adapters.factory import get_clock
from memories.core.forgetting.target import Scope, Target
from memories.core.forgetting.texts import Spec, needles
from memories.core.policy import Policy
from memories.core.text.needles import pattern_of
from memories.models import Approval, Contradiction, Evidence, ForgetRequest, Job, Memory, Status, Tombstone
from memories.services.emptied import lay_for_emptied
from memories.services.forget_rules import bind_memories
from memories.services.forget_specs import plain_specs
from memories.services.forget_texts import (
    Taken,
    Taking,
    clear_kept_answers,
    keep_undo,
    open_cuts,
    rewrite,
    take_derived,
    take_slots,
)
from memories.services.jobs import JobContext, enqueue, handler
from memories.services.policies import policy_of
from memories.services.standing_rules import reach_of
from memories.services.versioning import Change, version_row
from memories.store.index import remove_from_index
from memories.store.locks import lock_subject
from memories.texts import text_holders
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import NotFound

KIND = "forget_texts"
WIDE_MEMORIES, WIDE_TEXTS = 50, 200
"""More memories or episodes than these are forgotten in two steps."""
BATCH = 200
"""Rows that one transaction rewrites."""
_FIRST = ("slots",)
"""Holders with few rows that contexts show: rewritten at once."""


def hide(
    request: ForgetRequest,
    rows: Sequence[Memory],
    *,
    actor: Actor,
    policy: Policy,
    now: datetime,
    before: datetime,
) -> None:
    """Take the memories, locked with their subject, and all texts that the request concerns out of recall; ask for the rest.

    A number of statements that does not grow with the memories. The request is stored, with its reach bound, by the caller.
    """
    ids = [row.id for row in rows]
    Tombstone.objects.filter(memory_id__in=ids, restored_at__isnull=True).update(restored_at=now)
    stones = []
    versions = []
    change = Change("forgotten", "forget.user")
    for row in rows:
        stones.append(
            Tombstone(
                memory_id=row.id,
                subject_id=row.subject_id,
                previous_status=row.status,
                cause="user",
                rule="forget.words",
                actor_kind=actor.kind,
                actor_id=actor.id[:64],
                at=now,
                request=request,
                purge_after=now + timedelta(days=policy.number("tombstone.retention_days")),
            )
        )
        row.status, row.version, row.updated_at = Status.FORGOTTEN, row.version + 1, now
        versions.append(version_row(row, actor, change, now))
    Memory.objects.filter(id__in=ids).update(
        status=Status.FORGOTTEN, version=F("version") + 1, updated_at=now
    )
    Tombstone.objects.bulk_create(stones, batch_size=2_000)
    type(versions[0]).objects.bulk_create(versions, batch_size=2_000) if versions else None
    remove_from_index(ids)
    Approval.objects.filter(memory_id__in=ids, state=Approval.State.WAITING).update(
        state=Approval.State.REFUSED, decided_at=now, decided_by=actor.id[:64]
    )
    _close_contradictions(ids, now)
    bind_memories(rows, before, request)
    takings, pattern = _takings(request)
    without = frozenset(ids)
    for texts in text_holders():
        texts.hide(request.subject_id, pattern, without, request.asked_at, str(request.turn_id or ""))
    standing, taken = open_cuts(request.subject_id), Taken()
    for texts in text_holders():
        if texts.name in _FIRST:
            found = list(texts.passages(request.subject_id, pattern, without))
            rewrite(texts, request.subject_id, found, takings, standing, taken)
    quotes: dict[str, list[tuple[uuid.UUID, str]]] = {}
    by_memory = {stone.memory_id: stone.id for stone in stones}
    said = Evidence.objects.filter(memory_id__in=ids, turn_id__isnull=False)
    for memory_id, turn_id, quote in said.values_list("memory_id", "turn_id", "quote"):
        quotes.setdefault(str(turn_id), []).append((by_memory[memory_id], quote.casefold()))
    take_slots(request.subject_id, quotes, standing, taken)
    keep_undo(taken)
    clear_kept_answers(request.subject_id, [taking.spec for taking in takings])
    enqueue(kind=KIND, key=str(request.id), subject_id=request.subject_id)


def _close_contradictions(ids: Sequence[uuid.UUID], now: datetime) -> None:
    """As `forget.close_contradictions` does for one memory."""
    for side, kept in (
        ("older", Contradiction.Resolution.KEEP_NEW),
        ("newer", Contradiction.Resolution.KEEP_OLD),
    ):
        Contradiction.objects.filter(**{f"{side}_id__in": ids}, state=Contradiction.State.OPEN).update(
            state=Contradiction.State.RESOLVED,
            resolution=kept,
            resolved_at=now,
            resolved_by="forget",
            undo=JSONObject(forgotten=Cast(f"{side}_id", CharField())),
        )


def _takings(request: ForgetRequest) -> tuple[list[Taking], Any]:
    """Each memory's very words under its tombstone, all else under the request; and the pattern of texts that they concern."""
    target = Target.of_data(json.loads(str(request.target)))
    stones = Tombstone.objects.filter(request_id=request.id, restored_at__isnull=True)
    owners = dict(stones.values_list("memory_id", "id"))
    specs = plain_specs(request.subject_id, list(owners))
    takings = [
        Taking(owners[memory_id], Spec(None, spec.quotes), until=request.asked_at)
        for memory_id, spec in specs.items()
        if spec.quotes
    ]
    values = frozenset(value for spec in specs.values() for value in spec.values)
    kept = frozenset(value for spec in specs.values() for value in spec.kept)
    whole = Spec(reach_of(request.subject_id, target), frozenset(), values, kept)
    takings.append(Taking(request.id, whole, until=request.asked_at))
    if target.scope is Scope.EVERYTHING:
        return takings, None
    return takings, pattern_of([needle for taking in takings for needle in needles(taking.spec)])


@handler(KIND, lease=timedelta(minutes=5))
def _job(context: JobContext) -> None:
    finish_texts(context.tenant_id, uuid.UUID(context.key))


def finish_texts(tenant_id: uuid.UUID, request_id: uuid.UUID) -> int:
    """Rewrite what is left to rewrite of a request, a transaction a batch; the number of batches.

    Each batch stands with the place that it came to, so that whoever comes after a killed worker goes on from there.
    """
    done = 0
    while _batch(tenant_id, request_id):
        done += 1
    return done


def _batch(tenant_id: uuid.UUID, request_id: uuid.UUID) -> bool:
    """One batch; False when nothing is left to do."""
    with tenant_transaction(tenant_id):
        request = ForgetRequest.objects.filter(id=request_id, state=ForgetRequest.State.DONE).first()
        if request is None or not _job_of(request_id):
            return False
        try:
            lock_subject(request.subject_id)
        except NotFound:
            return False  # Erased meanwhile.
        job = _job_of(request_id)
        if job is None:
            return False
        names = [texts.name for texts in text_holders() if texts.name not in _FIRST]
        at, after = str(job.payload.get("holder", names[0])), str(job.payload.get("after", ""))
        if at == "":
            return False
        request.refresh_from_db()
        takings, pattern = _takings(request)
        stones = Tombstone.objects.filter(request_id=request.id)
        without = frozenset(stones.values_list("memory_id", flat=True))
        texts = next(one for one in text_holders() if one.name == at)
        batch = texts.batch(request.subject_id, pattern, without, after, BATCH)
        standing, taken = open_cuts(request.subject_id), Taken()
        rewrite(
            texts,
            request.subject_id,
            batch.passages,
            _near(takings, [passage.text for passage in batch.passages]),
            standing,
            taken,
            request_turn=str(request.turn_id or ""),
            locked=True,
            shown=batch.row_ids,
        )
        keep_undo(taken)
        request.texts += taken.texts
        request.save(update_fields=["texts"])
        system = system_actor(tenant_id, door="task", name=f"job:{KIND}")
        policy, _ = policy_of(tenant_id)
        emptied = taken.places.get("memories", set())
        now = get_clock().now()
        if emptied:
            lay_for_emptied(emptied, actor=system, cause="user", policy=policy, now=now, request=request)
        full = len(batch.row_ids) == BATCH
        following = names[names.index(at) + 1 :]
        place = (
            {"holder": at, "after": batch.last} if full else {"holder": (following or [""])[0], "after": ""}
        )
        if not full and not following:
            _finished(request, without, system)
        Job.objects.filter(id=job.id).update(payload={**job.payload, **place})
    return True


def _near(takings: Sequence[Taking], texts: Sequence[str]) -> list[Taking]:
    """Those takings of very words that could concern one of the texts, and all others."""
    together = "\n".join(texts)
    return [
        taking
        for taking in takings
        if taking.spec.reach is not None
        or any(quote.strip(" .。!！?？,，") in together for quote in taking.spec.quotes)
    ]


def _finished(request: ForgetRequest, without: frozenset[uuid.UUID], actor: Actor) -> None:
    """What follows from the words that all turns lost, once they are gone; and the audit entry."""
    standing, found = open_cuts(request.subject_id), Taken()
    owners = {str(request.id)} | {
        str(pk) for pk in Tombstone.objects.filter(request_id=request.id).values_list("id", flat=True)
    }
    for row, cuts in standing.items():
        for cut in cuts:
            if row[0] == "turns" and cut.owner in owners:
                data: dict[str, object] = {
                    "holder": row[0],
                    "row": row[1],
                    "column": row[2],
                    "text": cut.text,
                }
                found.cuts.setdefault(uuid.UUID(cut.owner), []).append(data)
    taken = replace(found, cuts={owner: list(cuts) for owner, cuts in found.cuts.items()})
    take_derived(request.subject_id, without, standing, taken)
    more = Taken({owner: cuts[len(found.cuts.get(owner, ())) :] for owner, cuts in taken.cuts.items()})
    keep_undo(more)
    audit.record(
        actor,
        "memory.forget_texts",
        target_kind="forget_request",
        target_id=request.id,
        subject_id=request.subject_id,
        texts=request.texts,
    )


def _job_of(request_id: uuid.UUID) -> Job | None:
    """The job that rewrites a request's texts, until it is done; one that failed may be gone on with."""
    rows = Job.objects.filter(kind=KIND, key=str(request_id))
    job: Job | None = rows.exclude(state=Job.State.DONE).first()
    return job
