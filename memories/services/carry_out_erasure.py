"""Carries an erasure out: resumable batches over every holder, the last link, the count of what is left, the receipt."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from datetime import datetime, timedelta

from django.apps import apps
from django.db import models, transaction

from accounts import audit, erasure_ledger
from accounts.actor import Actor
from accounts.models import Subject
from accounts.tenancy import TenantForeignKey, TenantModel
from memories.adapters.factory import forget_embedded, get_clock
from memories.core.text.kept import forget_kept
from memories.holders import holders, places
from memories.models import Episode, Erasure, Memory
from memories.services.erasure_receipt import receipt_of
from memories.services.jobs import JobContext, handler
from memories.store.locks import lock_any_subject
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Conflict, NotFound, Unavailable

KIND = "erase_subject"
BATCH = 2_000
"""Rows of one transaction."""

Counts = dict[str, int]


@handler(KIND, lease=timedelta(minutes=10), max_attempts=50)
def _job(context: JobContext) -> None:
    carry_out(actor=context.actor, erasure_id=uuid.UUID(context.payload["erasure_id"]))


def carry_out(*, actor: Actor, erasure_id: uuid.UUID) -> Erasure:
    """The finished erasure; a finished one is returned as it is.

    Any step may be cut short and is gone through again by the next call. The ledger's line is on the disk before the
    first row goes. Unavailable while the ledger, or Valkey, cannot be reached.
    """
    erasure = _begin(actor, erasure_id)
    if erasure.state == Erasure.State.DONE:
        return erasure
    subject_id = erasure.subject_ref
    for one in holders():
        while _batch(actor, one.name, subject_id):
            pass
    for place in places():
        place.clear(_handles(erasure, place.name))
    forget_embedded()
    forget_kept()
    return _finish(actor, erasure_id)


def _begin(actor: Actor, erasure_id: uuid.UUID) -> Erasure:
    """Count what there is, note it in the ledger, and only then begin."""
    with tenant_transaction(actor.tenant_id):
        erasure: Erasure | None = Erasure.objects.select_for_update().filter(id=erasure_id).first()
        if erasure is None:
            raise NotFound("no such erasure")
        if erasure.state != Erasure.State.REQUESTED:
            return erasure
        subject_id = erasure.subject_ref
        erasure.found = _counts(subject_id)
        erasure.handles = [[place.name, handle] for place in places() for handle in place.handles(subject_id)]
        for name, _ in erasure.handles:
            erasure.found[name] = erasure.found.get(name, 0) + 1
        try:
            if not erasure.replayed:
                erasure.ledger_seq = erasure_ledger.append(
                    tenant_id=actor.tenant_id,
                    subject_id=subject_id,
                    erasure_id=erasure.id,
                    external_print=bytes(erasure.external_print).hex(),
                    now=get_clock().now(),
                )
        except OSError as error:
            raise Unavailable(
                "the ledger of erasures cannot be written to",
                hint="Nothing is deleted until ERASURE_LEDGER_DIR can be written to.",
            ) from error
        erasure.state = Erasure.State.RUNNING
        erasure.save()
        return erasure


def _batch(actor: Actor, name: str, subject_id: uuid.UUID) -> int:
    with tenant_transaction(actor.tenant_id):
        return next(one for one in holders() if one.name == name).erase_some(subject_id, BATCH)


def _finish(actor: Actor, erasure_id: uuid.UUID) -> Erasure:
    """One transaction: what came late goes too, the row that everything hangs on goes, and everything is counted again.

    Deleting the subject's row waits for whoever is just writing something that points at it, and lets the database
    refuse whatever comes after it.
    """
    now = get_clock().now()
    with tenant_transaction(actor.tenant_id):
        erasure: Erasure = Erasure.objects.select_for_update().get(id=erasure_id)
        if erasure.state == Erasure.State.DONE:
            return erasure
        subject_id = erasure.subject_ref
        lock_any_subject(subject_id)
        list(Subject.objects.select_for_update().filter(id=subject_id))
        for one in holders():
            one.erase(subject_id)
        kept_for_others = _named_by_others(subject_id)
        if not kept_for_others:
            rows = Subject.objects.filter(id=subject_id)
            rows._raw_delete(rows.db)
        left = _counts(subject_id)
        for place in places():
            left[place.name] = place.left(_handles(erasure, place.name))
        # A nameless row stays: other people's memories are kept apart by it. The receipt counts it and says so.
        kept = {"subjects": left["subjects"]} if kept_for_others else {}
        rest = {name: number for name, number in left.items() if number and name not in kept}
        if rest:
            raise Conflict(f"something is left in {', '.join(sorted(rest))}", hint="It is tried again.")
        _close(erasure, actor, left, kept, now)
    return erasure


def _close(erasure: Erasure, actor: Actor, left: Counts, kept: Counts, now: datetime) -> None:
    erasure.state, erasure.finished_at = Erasure.State.DONE, now
    erasure.receipt = receipt_of(erasure, actor.tenant_id, left, kept)
    erasure.handles = []
    erasure.save()
    audit.record(
        actor,
        "subject.erased",
        target_kind="subject",
        target_id=erasure.subject_ref,
        subject_id=erasure.subject_ref,
        erasure=str(erasure.id),
        rows=sum(erasure.found.values()),
        replayed=erasure.replayed,
    )
    tenant_id, erasure_id, receipt = actor.tenant_id, erasure.id, erasure.receipt
    transaction.on_commit(lambda: erasure_ledger.keep_receipt(tenant_id, erasure_id, receipt), robust=True)


def _counts(subject_id: uuid.UUID) -> Counts:
    """Rows by holder, and by every column that points at a subject, whether a holder claims its table or not."""
    counts = {one.name: one.count(subject_id) for one in holders()}
    for model, column in _pointing():
        mine = models.Q(**{column: subject_id})
        if column == "agent_id":
            # What others have with this agent is theirs.
            mine &= models.Q(subject_id=subject_id)
        counts[f"{model._meta.db_table}.{column}"] = model._default_manager.filter(mine).count()
    return counts


def _pointing() -> Iterator[tuple[type[models.Model], str]]:
    for model in apps.get_models():
        if not issubclass(model, TenantModel):
            continue
        for field in model._meta.concrete_fields:
            if isinstance(field, TenantForeignKey) and field.remote_field.model is Subject:
                yield model, field.attname


def _named_by_others(subject_id: uuid.UUID) -> bool:
    return any(model.objects.filter(agent_id=subject_id).exists() for model in (Memory, Episode))


def _handles(erasure: Erasure, place: str) -> list[str]:
    return [handle for name, handle in erasure.handles if name == place]
