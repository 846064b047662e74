"""Embeds memories and episodes that were stored while the embedder was down, or under another model."""

from __future__ import annotations

from datetime import timedelta

from accounts.actor import Actor
from memories.adapters.factory import get_embedder
from memories.models import Episode, Memory, Status
from memories.ports import EmbedderUnavailable
from memories.services.embedding import seen_by_embedder
from memories.services.embedding_space import active_space
from memories.services.jobs import JobContext, enqueue, handler
from memories.services.policies import policy_of
from memories.store.index import Indexed, put_vectors
from memories.store.pending import without_vector
from memoryhub.common.db import tenant_transaction

BATCH = 256
MAX_ITEMS = 2_000
"""Items of one run of the job; with more, it asks for another, so that other work gets its turn in between."""
KIND = "index_pending"


def ask_for_pending(*, actor: Actor) -> bool:
    """Enqueue the job where something has no vector; True when it was.

    The job is one a tenant and leased, so that two workers never embed the same rows side by side. While the embedder is
    down there is nothing to ask for: the next beat looks again.
    """
    embedder = get_embedder()
    with tenant_transaction(actor.tenant_id):
        if not _anything(actor):
            return False
    try:
        space_id = active_space(embedder.identity)
    except EmbedderUnavailable:
        return False
    with tenant_transaction(actor.tenant_id):
        if not without_vector(space_id, 1):
            return False
        enqueue(kind=KIND, key=KIND)
    return True


def index_pending(*, actor: Actor, limit: int = 1_000_000) -> int:
    """Number of items embedded, at most `limit`; raises EmbedderUnavailable while the embedder is down, so that the job tries again."""
    embedder = get_embedder()
    policy, _ = policy_of(actor.tenant_id)
    made = 0
    while made < limit:
        with tenant_transaction(actor.tenant_id):
            if not _anything(actor):
                return made
        space_id = active_space(embedder.identity)
        with tenant_transaction(actor.tenant_id):
            items = without_vector(space_id, min(BATCH, limit - made))
        if not items:
            return made
        vectors = embedder.embed(seen_by_embedder([item.text for item in items], policy), kind="passage")
        with tenant_transaction(actor.tenant_id):
            kept = _still_current(items)
            put_vectors(space_id, [items[at] for at in kept], vectors[kept])
        made += len(items)
    return made


@handler(KIND, lease=timedelta(minutes=10), max_attempts=50)
def _job(context: JobContext) -> None:
    if index_pending(actor=context.actor, limit=MAX_ITEMS) >= MAX_ITEMS:
        with tenant_transaction(context.tenant_id):
            enqueue(kind=KIND, key=KIND)  # It runs, so it runs once more when this run is done.


def _anything(actor: Actor) -> bool:
    """False for a tenant without content, so that no model is loaded for it."""
    return Memory.objects.current().exists() or Episode.objects.current().exists()


def _still_current(items: list[Indexed]) -> list[int]:
    """Places of the items that were neither forgotten nor changed while the embedder worked."""
    ids = [item.item_id for item in items]
    texts = dict(Memory.objects.filter(id__in=ids, status=Status.CURRENT).values_list("id", "content"))
    texts |= dict(Episode.objects.filter(id__in=ids, status=Status.CURRENT).values_list("id", "text"))
    return [at for at, item in enumerate(items) if texts.get(item.item_id) == item.text]
