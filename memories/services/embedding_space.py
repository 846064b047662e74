"""The generations of vectors: which one answers, which are written beside it, and by which embedder (docs/adr/0028)."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass

import structlog
from django.db import IntegrityError, transaction

from memories.adapters.factory import configured_embedders, get_embedder, may_make
from memories.models import EmbeddingSpace
from memories.ports import Embedder, EmbedderIdentity, EmbedderUnavailable

log = structlog.get_logger(__name__)

CACHE_SECONDS = 2.0
"""So long after a switch a process still asks the former generation, which is complete, too."""

State = EmbeddingSpace.State
LIVE = (State.ACTIVE, State.BUILDING, State.STANDBY)
"""States whose generations get every new vector."""


@dataclass(frozen=True, slots=True)
class Generation:
    """A row of EmbeddingSpace, as this process remembers it for CACHE_SECONDS."""

    space_id: int
    identity: EmbedderIdentity
    state: str


_cache: list[tuple[float, tuple[Generation, ...]]] = []
_lock = threading.Lock()


def generations() -> tuple[Generation, ...]:
    """The live generations, the active one first; () before the first vector of the installation."""
    with _lock:
        if _cache and _cache[0][0] > time.monotonic():
            return _cache[0][1]
    rows = EmbeddingSpace.objects.filter(state__in=LIVE).order_by("id")
    found = tuple(
        Generation(row.id, EmbedderIdentity(row.name, row.revision, row.dimension), row.state) for row in rows
    )
    found = tuple(sorted(found, key=lambda one: one.state != State.ACTIVE))
    if not found or found[0].state != State.ACTIVE:
        return ()

    def keep() -> None:
        with _lock:
            _cache[:] = [(time.monotonic() + CACHE_SECONDS, found)]

    # What was read in a transaction that is rolled back must not be remembered.
    transaction.on_commit(keep)
    return found


def serving() -> tuple[int, Embedder]:
    """The active generation's id and the embedder that asks it. EmbedderUnavailable when no embedder of the settings can.

    The first embedder of an installation makes its generation active; later ones do so by `manage.py reembed` alone, so that
    two processes with other settings never switch to and fro. Call it before the tenant transaction.
    """
    live = generations()
    if not live:
        embedder = get_embedder()
        return _first(embedder.identity), embedder
    embedder = embedder_of(live[0])
    return live[0].space_id, embedder


def embedder_of(generation: Generation) -> Embedder:
    """The configured embedder that makes this generation's vectors; may ask an endpoint for its dimension, so not inside a
    transaction. EmbedderUnavailable when there is none, or it is down."""
    down: EmbedderUnavailable | None = None
    for embedder in configured_embedders().values():
        if not may_make(embedder, generation.identity.name):
            continue  # Its endpoint may be down, and need not be asked.
        try:
            if embedder.identity == generation.identity:
                return embedder
        except EmbedderUnavailable as error:
            down = error
    if down is not None:
        raise down
    raise EmbedderUnavailable(
        f"No embedder of the settings makes the vectors of generation {generation.space_id} "
        f"({generation.identity.name}, {generation.identity.dim} dimensions).",
        hint="Set EMBEDDINGS_* back, or run `manage.py reembed start` and `switch`.",
    )


def active_space(identity: EmbedderIdentity | None = None) -> int:
    """The active generation's id; where there is none yet, that of the identity given (default: the configured embedder's)
    becomes it. Call it before the tenant transaction."""
    live = generations()
    return live[0].space_id if live else _first(identity or get_embedder().identity)


def forget_cached() -> None:
    """Look it up again at the next call (after a switch, a database was emptied, or in a forked process)."""
    with _lock:
        _cache.clear()


def _first(identity: EmbedderIdentity) -> int:
    """Make the identity's generation active where none is; safe for processes that start at once."""
    for _ in range(5):
        active = EmbeddingSpace.objects.filter(state=State.ACTIVE).first()
        if active is not None:
            return active.id
        try:
            with transaction.atomic():
                space, _made = EmbeddingSpace.objects.update_or_create(
                    name=identity.name,
                    revision=identity.revision,
                    dimension=identity.dim,
                    defaults={"state": State.ACTIVE},
                )
                log.info("embedding.first_generation", space_id=space.id)
                return int(space.id)
        except IntegrityError:
            continue  # Another process was first; its row is there now.
    raise RuntimeError("the embedding space could not be made active; another process keeps switching")
