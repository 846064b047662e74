"""Retires a generation that is not active and deletes its vectors in the background, in small transactions."""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from accounts.actor import Actor
from memories.models import EmbeddingSpace
from memories.services.embedding_space import State, forget_cached
from memories.services.every_tenant import active_tenant_ids
from memories.services.jobs import JobContext, enqueue, handler
from memories.services.reembedding.record import record_everywhere
from memories.store.generations import drop_vectors, has_vectors
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Conflict, NotFound

KIND = "drop_vectors"
BATCH = 2_000
"""Rows a transaction: about 4 MB, some tens of milliseconds of locks that nobody waits for."""
MAX_BATCHES = 50


def drop_generation(*, space_id: int | None = None) -> EmbeddingSpace:
    """Retire the generation (by default the one that stands by): nothing is written to it any more, and its rows go.

    Conflict for the active one; NotFound for one that is not there.
    """
    with transaction.atomic():
        rows = list(EmbeddingSpace.objects.select_for_update().order_by("id"))
        space = next(
            (row for row in rows if (row.id == space_id if space_id else row.state == State.STANDBY)), None
        )
        if space is None:
            raise NotFound("no such generation", hint="`manage.py reembed status` lists what there is.")
        if space.state == State.ACTIVE:
            raise Conflict(
                f"Generation {space.id} answers all recalls.",
                hint="Switch or roll back to another one first.",
            )
        space.state, space.switches_itself, space.changed_at = State.RETIRED, False, timezone.now()
        space.save(update_fields=["state", "switches_itself", "changed_at"])
    forget_cached()
    record_everywhere("reembed.dropped", space.id)
    return space


def is_being_dropped(space_id: int) -> bool:
    """Whether an active tenant still has vectors of this retired generation."""
    for tenant_id in active_tenant_ids():
        with tenant_transaction(tenant_id):
            if has_vectors([space_id]):
                return True
    return False


def ask_for_dropping(*, actor: Actor) -> bool:
    """Enqueue the job where the tenant still has vectors of a retired generation; True when it was."""
    retired = list(EmbeddingSpace.objects.filter(state=State.RETIRED).values_list("id", flat=True))
    if not retired:
        return False
    with tenant_transaction(actor.tenant_id):
        if not has_vectors(retired):
            return False
        enqueue(kind=KIND, key=KIND)
    return True


def drop_retired(*, actor: Actor, batches: int = MAX_BATCHES) -> tuple[int, bool]:
    """Number of vectors of retired generations that went, and whether that was all of them."""
    gone = 0
    for space_id in EmbeddingSpace.objects.filter(state=State.RETIRED).values_list("id", flat=True):
        while batches:
            with tenant_transaction(actor.tenant_id):
                # Locked, so that nobody builds it anew while its rows go.
                state = (
                    EmbeddingSpace.objects.select_for_update()
                    .filter(id=space_id)
                    .values_list("state", flat=True)
                    .first()
                )
                went = drop_vectors(space_id, BATCH) if state == State.RETIRED else 0
            gone, batches = gone + went, batches - 1
            if went < BATCH:
                break
        else:
            return gone, False
    return gone, True


@handler(KIND, lease=timedelta(minutes=10))
def _job(context: JobContext) -> None:
    _, all_gone = drop_retired(actor=context.actor)
    if not all_gone:
        with tenant_transaction(context.tenant_id):
            enqueue(kind=KIND, key=KIND)
