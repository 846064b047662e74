"""The embedding space of the configured embedder: found or made once, then remembered by this process."""

from __future__ import annotations

import threading

from django.db import IntegrityError, transaction

from memories.models import EmbeddingSpace
from memories.ports import EmbedderIdentity

_cache: dict[EmbedderIdentity, int] = {}
_lock = threading.Lock()


def active_space(identity: EmbedderIdentity | None = None) -> int:
    """The id of the configured embedder's space (or of the identity given), made active when it is not.

    The former active space becomes retired; its vectors stay until the items are embedded anew. Safe for processes that
    start at once: a unique index allows one space an identity and one active space. Call it before the tenant transaction.
    """
    if identity is None:
        from memories.adapters.factory import get_embedder

        identity = get_embedder().identity
    with _lock:
        found = _cache.get(identity)
    if found is not None:
        return found
    space_id = _find_or_make(identity)

    def keep() -> None:
        with _lock:
            _cache[identity] = space_id

    # A space made in a transaction that is rolled back must not be remembered.
    transaction.on_commit(keep)
    return space_id


def forget_cached() -> None:
    """Look it up again at the next call (after a database was emptied, or in a forked process)."""
    with _lock:
        _cache.clear()


def _find_or_make(identity: EmbedderIdentity) -> int:
    values = {"name": identity.name, "revision": identity.revision, "dimension": identity.dim}
    for _ in range(5):
        space = EmbeddingSpace.objects.filter(**values).first()
        if space is not None and space.state == EmbeddingSpace.State.ACTIVE:
            return space.id
        try:
            with transaction.atomic():
                EmbeddingSpace.objects.select_for_update().filter(state=EmbeddingSpace.State.ACTIVE).update(
                    state=EmbeddingSpace.State.RETIRED
                )
                if space is None:
                    return EmbeddingSpace.objects.create(**values, state=EmbeddingSpace.State.ACTIVE).id
                EmbeddingSpace.objects.filter(id=space.id).update(state=EmbeddingSpace.State.ACTIVE)
                return space.id
        except IntegrityError:
            continue  # Another process was first; its row is there now.
    raise RuntimeError(
        "the embedding space could not be made active; another process keeps switching embedders"
    )
