"""Forgetting much at once, the second step: a job takes the words out of the hidden texts, batch by batch, and shows them again (R26, R27)."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from re import Pattern

from accounts import audit
from accounts.actor import Actor, system_actor
from memories.adapters.factory import get_clock
from memories.core.forgetting.target import Scope, Target
from memories.core.forgetting.texts import Spec, needles
from memories.core.text.needles import pattern_of
from memories.models import ForgetRequest, Job, Tombstone
from memories.services.emptied import lay_for_emptied
from memories.services.forget_cuts import Taken, keep_undo, open_cuts
from memories.services.forget_derived import take_derived
from memories.services.forget_spans import Taking, spans_of
from memories.services.forget_specs import plain_specs
from memories.services.forget_texts import rewrite
from memories.services.jobs import JobContext, handler
from memories.services.policies import policy_of
from memories.services.reach_known import reach_of
from memories.store.locks import lock_subject
from memories.texts import Passage, TextHolder, text_holders
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import NotFound

KIND = "forget_texts"
BATCH = 200
"""Rows that one transaction rewrites."""
FIRST = ("slots", "sessions")
"""Holders with few rows that pages and contexts show: rewritten when the request is carried out."""


@dataclass(frozen=True, slots=True)
class Unfinished:
    """A request that was carried out, whose words still stand in hidden texts, and the job with the place that it came to."""

    request: ForgetRequest
    job: Job


def unfinished(subject_id: uuid.UUID) -> list[Unfinished]:
    """The subject's, in the order that they were carried out; jobs that failed among them."""
    jobs = {
        job.key: job
        for job in Job.objects.filter(kind=KIND, subject_id=subject_id).exclude(state=Job.State.DONE)
        if job.payload.get("holder") != ""
    }
    if not jobs:
        return []
    rows = ForgetRequest.objects.filter(id__in=list(jobs), state=ForgetRequest.State.DONE)
    return [Unfinished(row, jobs[str(row.id)]) for row in rows.order_by("decided_at", "id")]


def stop(request: ForgetRequest) -> bool:
    """Nothing more is taken out for the request, in the open transaction; whether something was still to be."""
    jobs = Job.objects.filter(kind=KIND, key=str(request.id)).exclude(state=Job.State.DONE)
    open_ones = [job for job in jobs if job.payload.get("holder") != ""]
    for job in open_ones:
        job.payload = {**job.payload, "holder": "", "after": ""}
        job.save(update_fields=["payload"])
    return bool(open_ones)


def takings_of(request: ForgetRequest) -> tuple[list[Taking], Pattern[str] | None]:
    """Each memory's very words under its tombstone, all else under the request; and the pattern of texts that they concern (None: all)."""
    target = Target.of_data(json.loads(str(request.target)))
    stones = Tombstone.objects.filter(request_id=request.id, restored_at__isnull=True)
    owners = dict(stones.values_list("memory_id", "id"))
    specs = plain_specs(request.subject_id, list(owners))
    reach = reach_of(request.subject_id, target)
    takings = [
        Taking(owners[memory_id], Spec(None, spec.quotes, spared=reach.spared), until=request.asked_at)
        for memory_id, spec in specs.items()
        if spec.quotes
    ]
    values = frozenset(value for spec in specs.values() for value in spec.values)
    kept = frozenset(value for spec in specs.values() for value in spec.kept)
    whole = Spec(reach, frozenset(), values, kept, reach.spared)
    takings.append(Taking(request.id, whole, until=request.asked_at))
    if target.scope is Scope.EVERYTHING:
        return takings, None
    return takings, pattern_of([needle for taking in takings for needle in needles(taking.spec)])


def concerned(
    request: ForgetRequest,
    takings: Sequence[Taking],
    pattern: Pattern[str] | None,
    passages: Iterable[Passage],
) -> set[str]:
    """The rows, said up to the request, that it may take words out of: those nothing was learnt from yet only if it does."""
    own = str(request.turn_id or "-")
    spared = any(taking.spec.spared for taking in takings)
    return {
        passage.row_id
        for passage in passages
        if (passage.said_at is None or passage.said_at <= request.asked_at)
        and own not in {passage.source, passage.row_id}
        and (
            (pattern is None and not spared)
            or (pattern is not None and pattern.search(passage.text))
            or any(spans_of(passage, passage.text, _near(takings, [passage.text]), "").values())
        )
    }


@handler(KIND, lease=timedelta(minutes=5))
def _job(context: JobContext) -> None:
    if context.subject_id is not None:
        finish_texts(context.tenant_id, context.subject_id)


def finish_texts(tenant_id: uuid.UUID, subject_id: uuid.UUID) -> int:
    """Rewrite what is left to rewrite for all requests of a subject, a transaction a batch; the number of batches.

    One request after the other, as they were carried out: each finds what those before it left. Each batch stands with the
    place that it came to, so that whoever comes after a killed worker goes on from there.
    """
    done = 0
    while _batch(tenant_id, subject_id):
        done += 1
    return done


def _batch(tenant_id: uuid.UUID, subject_id: uuid.UUID) -> bool:
    """One batch; False when nothing is left to do."""
    with tenant_transaction(tenant_id):
        if not unfinished(subject_id):
            return False
        try:
            lock_subject(subject_id)
        except NotFound:
            return False  # Erased meanwhile.
        waiting = unfinished(subject_id)
        if not waiting:
            return False
        request, job = waiting[0].request, waiting[0].job
        names = [texts.name for texts in text_holders() if texts.name not in FIRST]
        at, after = str(job.payload.get("holder", names[0])), str(job.payload.get("after", ""))
        takings, pattern = takings_of(request)
        stones = Tombstone.objects.filter(request_id=request.id)
        without = frozenset(stones.values_list("memory_id", flat=True))
        texts = next(one for one in text_holders() if one.name == at)
        batch = texts.batch(subject_id, pattern, without, after, BATCH)
        passages = [one for one in batch.passages if not later(one, request)]
        held = _held(texts, subject_id, without, after, [one.request for one in waiting[1:]])
        standing, taken = open_cuts(subject_id), Taken()
        rewrite(
            texts,
            subject_id,
            passages,
            _near(takings, [passage.text for passage in passages]),
            standing,
            taken,
            request_turn=str(request.turn_id or ""),
            locked=True,
            shown=frozenset(batch.row_ids) - held,
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


def later(passage: Passage, request: ForgetRequest) -> bool:
    """Whether it came after the request was carried out: what is said again is kept."""
    came = passage.made_at or passage.said_at
    return came is not None and request.decided_at is not None and came > request.decided_at


def _held(
    texts: TextHolder,
    subject_id: uuid.UUID,
    without: frozenset[uuid.UUID],
    after: str,
    others: Sequence[ForgetRequest],
) -> set[str]:
    """Rows of the batch that stay hidden, as requests whose turn comes later hid them, too."""
    held: set[str] = set()
    for request in others if texts.hides else ():
        takings, pattern = takings_of(request)
        batch = texts.batch(subject_id, pattern, without, after, BATCH)
        held |= concerned(request, takings, pattern, batch.passages)
    return held


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
