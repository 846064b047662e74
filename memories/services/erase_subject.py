"""Erase a subject: quarantine at once, then batches, then a check of every place, and a signed receipt (R27)."""

from __future__ import annotations

import uuid

import structlog
from django.db import OperationalError

from accounts import audit
from accounts.actor import Actor
from accounts.models import Subject
from accounts.permissions import Capability
from accounts.services.checks import check_external_id
from accounts.services.ensure_subject import find_subject
from accounts.services.quarantine_subject import external_print, quarantine_subject
from memories.adapters.factory import get_clock
from memories.holders import holders, places
from memories.models import Erasure, Job
from memories.services.carry_out_erasure import KIND, carry_out
from memories.services.jobs import enqueue
from memories.services.tenant_subject import refuse_tenant_subject
from memories.store.locks import lock_any_subject
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import NotFound, PermissionDenied, Unavailable

log = structlog.get_logger(__name__)

AT_ONCE = 20_000
"""Rows up to which the caller waits for the receipt; more go in the job's batches."""
ATTEMPTS = 3


def erase_subject(*, actor: Actor, subject_id: uuid.UUID, wait: bool | None = None) -> Erasure:
    """The erasure: done with its receipt where there was little to remove (or with `wait`), else going on in a job.

    From its return on nothing of the subject is recalled, learnt or shown, and the external id names nobody, so that the
    same id begins afresh. Asked for again it is the same erasure. For the person themself (signed in, not by their API key),
    and for who has the capability to erase. NotFound for a subject that is not there, or was erased already.
    """
    erasure, rows = _quarantined(actor, subject_id)
    if wait is False or (wait is None and rows > AT_ONCE):
        return erasure
    try:
        return carry_out(actor=actor, erasure_id=erasure.id)
    except (Unavailable, OperationalError) as error:
        log.warning("erasure.goes_on_later", erasure_id=str(erasure.id), error=type(error).__name__)
        if wait:
            raise
    with tenant_transaction(actor.tenant_id):
        found: Erasure = Erasure.objects.get(id=erasure.id)
        return found


def subject_to_erase(*, actor: Actor, kind: str, external_id: str) -> uuid.UUID:
    """The internal id by the external one: for who may read the subject, or may erase anybody. NotFound otherwise."""
    if not _erases_anyone(actor):
        return find_subject(actor=actor, kind=kind, external_id=external_id).pk
    check_external_id(external_id)
    with tenant_transaction(actor.tenant_id):
        rows = Subject.objects.filter(kind=kind, external_id=external_id, erased_at__isnull=True)
        found: uuid.UUID | None = rows.values_list("id", flat=True).first()
    if found is None:
        raise NotFound("no such subject")
    return found


def get_erasure(*, actor: Actor, erasure_id: uuid.UUID) -> Erasure:
    """For who may erase, and for who asked for it; NotFound otherwise."""
    with tenant_transaction(actor.tenant_id):
        found: Erasure | None = Erasure.objects.filter(id=erasure_id).first()
    asked = found is not None and (found.requested_by_kind, found.requested_by) == (actor.kind, actor.id[:64])
    if found is None or not (asked or _erases_anyone(actor)):
        raise NotFound("no such erasure")
    return found


def _quarantined(actor: Actor, subject_id: uuid.UUID) -> tuple[Erasure, int]:
    """`quarantine`, tried again where it and somebody who writes just now waited for each other."""
    for _ in range(ATTEMPTS - 1):
        try:
            return quarantine(actor, subject_id)
        except OperationalError as error:
            log.warning("erasure.tried_again", subject_id=str(subject_id), error=type(error).__name__)
    return quarantine(actor, subject_id)


def quarantine(
    actor: Actor, subject_id: uuid.UUID, *, replayed_seq: int | None = None
) -> tuple[Erasure, int]:
    """The erasure and the number of the subject's rows; `replayed_seq` is the ledger's entry that is carried out again.

    One transaction: whoever was writing has committed before it, whoever comes later finds the subject erased.
    """
    now = get_clock().now()
    with tenant_transaction(actor.tenant_id):
        _allow(actor, subject_id)
        if replayed_seq is None:
            refuse_tenant_subject(subject_id)
        lock_any_subject(subject_id)
        subject: Subject | None = Subject.objects.select_for_update().filter(id=subject_id).first()
        if subject is None:
            raise NotFound("no such subject")
        rows = sum(one.count(subject_id) for one in holders())
        open_one: Erasure | None = Erasure.objects.filter(
            subject_ref=subject_id, state__in=[Erasure.State.REQUESTED, Erasure.State.RUNNING]
        ).first()
        if open_one is not None:
            return open_one, rows
        if subject.erased_at is not None:
            raise NotFound("no such subject")
        erasure = Erasure(
            subject_ref=subject_id,
            external_print=external_print(actor.tenant_id, subject.kind, subject.external_id),
            requested_by_kind=actor.kind,
            requested_by=actor.id[:64],
            requested_at=now,
            ledger_seq=replayed_seq,
            replayed=replayed_seq is not None,
        )
        erasure.save(force_insert=True)
        keys = quarantine_subject(subject, now)
        for place in places():
            place.begin(subject_id)
        # Queued work goes first: what is waiting must not begin.
        Job.objects.filter(subject_id=subject_id, state=Job.State.PENDING).delete()
        enqueue(kind=KIND, key=str(erasure.id), payload={"erasure_id": str(erasure.id)})
        audit.record(
            actor,
            "subject.erase_requested",
            target_kind="subject",
            target_id=subject_id,
            subject_id=subject_id,
            rows=rows,
            keys=keys,
        )
        return erasure, rows


def _allow(actor: Actor, subject_id: uuid.UUID) -> None:
    own = actor.subject_id == subject_id and Capability.OWN_MEMORY_WRITE in actor.capabilities
    # For good and in one step: for a person who is signed in. A key may be lost or stolen, and only writes.
    if own and actor.kind == "user":
        return
    if _erases_anyone(actor):
        return
    actor.require_subject(subject_id, write=False)
    raise PermissionDenied(
        "this needs the capability to erase",
        hint="Sign in to erase yourself." if own else "Ask an admin of your tenant.",
    )


def _erases_anyone(actor: Actor) -> bool:
    bound_key = actor.kind == "api_key" and actor.subject_id is not None
    return Capability.ERASE in actor.capabilities and not bound_key
