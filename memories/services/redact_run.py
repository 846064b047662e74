"""The run over a tenant: first out of recall, then rewritten, a subject a transaction; a killed worker's run is gone on for where it stood."""

from __future__ import annotations

import time
import uuid
from datetime import timedelta

from accounts import audit
from accounts.actor import Actor, system_actor
from accounts.models import Subject
from memories.adapters.factory import forget_embedded, get_clock
from memories.core.forgetting.redacting import mask_each
from memories.core.text.kept import forget_kept
from memories.models import IdempotencyKey, Job, Redaction
from memories.services.forget_wide import finish_texts
from memories.services.jobs import JobContext, enqueue, handler
from memories.services.redact_carry_out import carry_out_redaction
from memories.services.redact_everywhere import KIND
from memories.services.redact_places import Places
from memories.services.redact_texts import mask_job
from memories.services.redact_wanted import Sought, Wanted, sought
from memories.store.locks import lock_subject
from memories.texts import text_holders
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import NotFound

HIDE, REWRITE, REST = "hide", "rewrite", "rest"
AT_A_TIME = timedelta(minutes=5)
"""Well below the lease: a long run is many jobs, one after another."""
_NEXT = {HIDE: REWRITE, REWRITE: REST}


@handler(KIND, lease=timedelta(minutes=10), max_attempts=50)
def _job(context: JobContext) -> None:
    actor = system_actor(context.tenant_id, door="task", name=f"job:{KIND}")
    end = time.monotonic() + AT_A_TIME.total_seconds()
    while step(actor, uuid.UUID(context.key)):
        if time.monotonic() >= end:
            with tenant_transaction(context.tenant_id):
                enqueue(kind=KIND, key=context.key)
            break
    forget_embedded()
    forget_kept()


def step(actor: Actor, redaction_id: uuid.UUID) -> bool:
    """One subject; False when the run is done. It stands with the place that it came to."""
    with tenant_transaction(actor.tenant_id):
        seen: Redaction | None = Redaction.objects.filter(pk=redaction_id).first()
        if seen is None or seen.state != Redaction.State.RUNNING:
            return False
        phase, after = str(seen.place["phase"]), str(seen.place["after"])
        subject_id = None if phase == REST else _next(after)
    if subject_id is not None and phase == REWRITE:
        # Words that a job of a request has still to take out would not be known to it afterwards.
        finish_texts(actor.tenant_id, subject_id)
    with tenant_transaction(actor.tenant_id):
        there = subject_id is not None and _locked(subject_id)
        run = Redaction.objects.select_for_update(of=("self",)).get(pk=redaction_id)
        if run.place != seen.place or run.state != seen.state:
            return True  # Another worker was here.
        what = Wanted.of_text(str(run.target))
        if phase == REST:
            _finish(run, sought(what), actor)
            return False
        if subject_id is None:
            run.place = {"phase": _NEXT[phase], "after": ""}
        else:
            if there and phase == HIDE:
                _hide(subject_id, sought(what))
            elif there:
                _rewrite(run, what, actor, subject_id)
            run.place = {"phase": phase, "after": str(subject_id)}
        run.save()
    return True


def _next(after: str) -> uuid.UUID | None:
    rows = Subject.objects.filter(erased_at__isnull=True).order_by("pk")
    found: uuid.UUID | None = (
        (rows.filter(pk__gt=after) if after else rows).values_list("pk", flat=True).first()
    )
    return found


def _locked(subject_id: uuid.UUID) -> bool:
    try:
        lock_subject(subject_id)
    except NotFound:
        return False  # Erased meanwhile.
    return True


def _hide(subject_id: uuid.UUID, looked: Sought) -> None:
    """Out of recall, off pages and out of contexts until it is rewritten."""
    for texts in text_holders():
        if texts.hides:
            rows = {
                passage.row_id
                for passage in texts.passages(subject_id, looked.holding, frozenset())
                if looked.spans(passage.text)
            }
            if rows:
                texts.hide(subject_id, rows)


def _rewrite(run: Redaction, what: Wanted, actor: Actor, subject_id: uuid.UUID) -> None:
    now = get_clock().now()
    done = carry_out_redaction(
        actor, subject_id, sought(what), now, standing=run.standing, show=True, bound=what.words
    )
    run.subjects_done += 1
    for name, number in done.found.items():
        run.found[name] = run.found.get(name, 0) + number
    run.rules = [*run.rules, *map(str, done.rules)]
    proof = run.proof or {
        "subjects_checked": 0,
        "subjects_concerned": 0,
        "memories_gone": 0,
        "external_ids": 0,
    }
    run.proof = {
        "subjects_checked": proof["subjects_checked"] + 1,
        "subjects_concerned": proof["subjects_concerned"] + bool(done.found),
        "memories_gone": proof["memories_gone"] + done.memories_gone,
        "external_ids": proof["external_ids"] + done.external_ids,
    }
    if done.found:
        audit.record(
            actor,
            "memory.redact",
            target_kind="redaction",
            target_id=run.pk,
            subject_id=subject_id,
            scope=run.scope,
            places=sum(done.found.values()),
        )


def _finish(run: Redaction, looked: Sought, actor: Actor) -> None:
    """What hangs on no subject, and the end: the words are dropped with which it was asked for."""
    now, rest = get_clock().now(), Places()
    for job in Job.objects.filter(subject_id__isnull=True, finished_at__isnull=True):
        mask_job(job, looked, rest)
    for answer in IdempotencyKey.objects.filter(subject_id__isnull=True, response__isnull=False):
        masked = mask_each(answer.response, looked.mask, own=False)
        if masked != answer.response:
            rest.add("kept answers", answer.pk)
            IdempotencyKey.objects.filter(pk=answer.pk).update(response=masked)
    for other in Redaction.objects.filter(subject_id__isnull=True).exclude(pk=run.pk):
        if looked.spans(other.reason):
            rest.add("redactions", other.pk)
            Redaction.objects.filter(pk=other.pk).update(reason=looked.mask(other.reason)[:200])
    for name, number in rest.counts.items():
        run.found[name] = run.found.get(name, 0) + number
    run.proof = {
        **(run.proof or {}),
        "before": run.found,
        "after": dict.fromkeys(run.found, 0),
        "checked_at": now.isoformat(),
    }
    run.state, run.finished_at, run.target = Redaction.State.DONE, now, None
    run.place = {}
    run.save()
    audit.record(
        actor,
        "memory.redacted_everywhere",
        target_kind="redaction",
        target_id=run.pk,
        subjects=run.subjects_done,
        places=sum(run.found.values()),
    )
