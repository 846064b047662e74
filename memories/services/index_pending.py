"""Embeds memories and episodes that were stored while the embedder was down, or under another model."""

from __future__ import annotations

from datetime import timedelta

from accounts.actor import Actor
from memories.adapters.factory import get_embedder
from memories.models import Episode, Memory, Status
from memories.services.embedding_space import active_space
from memories.services.jobs import JobContext, handler
from memories.store.index import Indexed, put_vectors
from memories.store.pending import without_vector
from memoryhub.common.db import tenant_transaction

BATCH = 256
MAX_ITEMS = 20_000
"""Items of one call, so that one tenant's new model does not keep a worker for hours."""


def index_pending(*, actor: Actor, limit: int = MAX_ITEMS) -> int:
    """Number of vectors made; raises EmbedderUnavailable while the embedder is down, so that the job tries again."""
    embedder = get_embedder()
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
        vectors = embedder.embed([item.text for item in items], kind="passage")
        with tenant_transaction(actor.tenant_id):
            kept = _still_current(items)
            put_vectors(space_id, [items[at] for at in kept], vectors[kept])
        made += len(items)
    return made


@handler("index_pending", lease=timedelta(minutes=10), max_attempts=50)
def _job(context: JobContext) -> None:
    index_pending(actor=context.actor)


def _anything(actor: Actor) -> bool:
    """False for a tenant without content, so that no model is loaded for it."""
    return Memory.objects.current().exists() or Episode.objects.current().exists()


def _still_current(items: list[Indexed]) -> list[int]:
    """Places of the items that were neither forgotten nor changed while the embedder worked."""
    ids = [item.item_id for item in items]
    texts = dict(Memory.objects.filter(id__in=ids, status=Status.CURRENT).values_list("id", "content"))
    texts |= dict(Episode.objects.filter(id__in=ids, status=Status.CURRENT).values_list("id", "text"))
    return [at for at, item in enumerate(items) if texts.get(item.item_id) == item.text]
