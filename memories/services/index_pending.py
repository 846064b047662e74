"""Embeds what has no vector yet: stored while the embedder was down, or to be filled into another generation."""

from __future__ import annotations

import contextlib
import time
import uuid
from collections.abc import Callable, Sequence
from datetime import timedelta

import numpy as np

from accounts.actor import Actor
from memories.core.policy import Policy
from memories.models import Episode, Memory, Status
from memories.ports import Embedder, EmbedderUnavailable, EmbeddingRefused, Vectors
from memories.services.embedding import seen_by_embedder
from memories.services.embedding_space import Generation, embedder_of, generations, serving
from memories.services.jobs import JobContext, enqueue, handler
from memories.services.policies import policy_of
from memories.store.index import Indexed, put_vectors
from memories.store.pending import without_vector
from memoryhub.common.db import tenant_transaction

BATCH = 256
BATCH_CHARACTERS = 8_000
"""Characters of one batch: what a killed worker loses, and far less than a lease even for slow models."""
MAX_ITEMS = 2_000
MAX_SECONDS = 20.0
"""Bounds of one run of the job; with more to do, it asks for another, so that other work gets its turn in between."""
KIND = "index_pending"
_RECALLED = (Status.CURRENT, Status.SUPERSEDED)


def ask_for_pending(*, actor: Actor) -> bool:
    """Enqueue the job where something has no vector in a live generation; True when it was.

    The job is one a tenant and leased, so that two workers never embed the same rows side by side. For a generation whose
    embedder is down there is nothing to ask for: the next beat looks again.
    """
    with tenant_transaction(actor.tenant_id):
        if not _anything():
            return False
    for generation in _fillable():
        with tenant_transaction(actor.tenant_id):
            if without_vector(generation.space_id, 1):
                enqueue(kind=KIND, key=KIND)
                return True
    return False


def index_pending(*, actor: Actor, limit: int = 1_000_000, seconds: float = float("inf")) -> int:
    """Number of vectors made, at most `limit`, begun within `seconds`; the active generation's first.

    Each batch is committed by itself, so that a killed run loses one. What an embedder refuses is left without a vector, what
    somebody else is changing right now is left for the next run. Raises EmbedderUnavailable at the end when a generation's embedder was down, so that the job tries again.
    """
    ends = time.monotonic() + seconds
    policy, _ = policy_of(actor.tenant_id)
    with tenant_transaction(actor.tenant_id):
        if not _anything():
            return 0
    serving()  # Makes the first generation of an installation; raises when nobody can fill the active one.
    made = 0
    down: EmbedderUnavailable | None = None
    for generation in generations():
        try:
            embedder = embedder_of(generation)
            made += _fill(
                actor, generation.space_id, embedder, policy, limit - made, lambda: time.monotonic() < ends
            )
        except EmbedderUnavailable as error:
            down = error
    if down is not None:
        raise down
    return made


def _fill(
    actor: Actor, space_id: int, embedder: Embedder, policy: Policy, limit: int, more: Callable[[], bool]
) -> int:
    made = 0
    last: Indexed | None = None
    while made < limit and more():
        with tenant_transaction(actor.tenant_id):
            items = _batch(without_vector(space_id, min(BATCH, limit - made), last))
        if not items:
            return made
        vectors, failed = _embed(embedder, seen_by_embedder([item.text for item in items], policy, embedder))
        last = items[-1]
        with tenant_transaction(actor.tenant_id):
            kept = sorted(_still_current(items) - failed)
            put_vectors(space_id, [items[at] for at in kept], vectors[kept])
        made += len(items) - len(failed)
    return made


def _embed(embedder: Embedder, texts: list[str]) -> tuple[Vectors, set[int]]:
    """Vectors of all texts, and the places of those that the embedder refuses (their rows mean nothing)."""
    try:
        return embedder.embed(texts, kind="passage"), set()
    except EmbeddingRefused:
        if len(texts) == 1:
            return np.zeros((1, embedder.identity.dim), dtype=np.float32), {0}
    half = len(texts) // 2
    first, failed = _embed(embedder, texts[:half])
    second, failed_too = _embed(embedder, texts[half:])
    return np.concatenate([first, second]), failed | {half + at for at in failed_too}


@handler(KIND, lease=timedelta(seconds=90), max_attempts=50)
def _job(context: JobContext) -> None:
    started = time.monotonic()
    made = index_pending(actor=context.actor, limit=MAX_ITEMS, seconds=MAX_SECONDS)
    if made >= MAX_ITEMS or time.monotonic() - started >= MAX_SECONDS:
        with tenant_transaction(context.tenant_id):
            enqueue(kind=KIND, key=KIND)  # It runs, so it runs once more when this run is done.


def _fillable() -> list[Generation]:
    """The live generations that an embedder of this process can fill."""
    with contextlib.suppress(EmbedderUnavailable):
        serving()
    found = []
    for generation in generations():
        try:
            embedder_of(generation)
        except EmbedderUnavailable:
            continue
        found.append(generation)
    return found


def _anything() -> bool:
    """False for a tenant without content, so that no model is loaded for it; in the open tenant transaction."""
    return Memory.objects.current().exists() or Episode.objects.current().exists()


def _batch(items: Sequence[Indexed]) -> list[Indexed]:
    """The first of the items, at least one, within BATCH_CHARACTERS."""
    total = 0
    for at, item in enumerate(items):
        total += len(item.text)
        if at and total > BATCH_CHARACTERS:
            return list(items[:at])
    return list(items)


def _still_current(items: Sequence[Indexed]) -> set[int]:
    """Places of the items that were neither forgotten nor changed while the embedder worked.

    Their rows are locked until the vectors are stored, so that who forgets one then finds its vector; what somebody else is
    changing right now is left for the next run.
    """
    ids = [item.item_id for item in items]
    texts: dict[uuid.UUID, str] = {}
    for rows, column in ((Memory.objects, "content"), (Episode.objects, "text")):
        found = rows.filter(id__in=ids, status__in=_RECALLED).select_for_update(
            skip_locked=True, of=("self",), no_key=True
        )
        texts |= dict(found.values_list("id", column))
    return {at for at, item in enumerate(items) if texts.get(item.item_id) == item.text}
