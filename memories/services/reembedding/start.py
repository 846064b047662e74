"""Starts a new generation of vectors beside the active one; the job that fills it is asked for in every tenant."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from memories.adapters.factory import configured_embedders
from memories.models import EmbeddingSpace
from memories.ports import EmbedderIdentity
from memories.services.embedding_space import State, forget_cached, serving
from memories.services.reembedding.drop import is_being_dropped
from memories.services.reembedding.record import record_everywhere
from memoryhub.common.errors import Conflict, Invalid


def start_generation(*, to: str = "", switches_itself: bool = False) -> EmbeddingSpace:
    """The generation of the embedder named (main, next or local; by default next, where set, else main), being built.

    Asked again it is the same generation. EmbedderUnavailable when an endpoint does not tell its dimension; Conflict when the
    embedder is the active one already, another generation is being built, or an old one of the same embedder is still being
    dropped; Invalid for a name that the settings do not fill.
    """
    _check(to)
    identity = _identity(to)
    values = {"name": identity.name, "revision": identity.revision, "dimension": identity.dim}
    with transaction.atomic():
        rows = {row.id: row for row in EmbeddingSpace.objects.select_for_update().order_by("id")}
        space = next((row for row in rows.values() if _is(row, identity)), None)
        if space is not None and space.state == State.ACTIVE:
            raise Conflict(
                f"{identity.name} ({identity.dim} dimensions) is the active embedder.",
                hint="Set EMBEDDINGS_NEXT_BASE_URL and EMBEDDINGS_NEXT_MODEL to the one to change to, or say --to local.",
            )
        other = next((row for row in rows.values() if row.state == State.BUILDING and row is not space), None)
        if other is not None:
            raise Conflict(
                f"Generation {other.id} ({other.name}) is being built.",
                hint=f"Switch to it, or drop it: `manage.py reembed drop {other.id}`.",
            )
        if space is None:
            space = EmbeddingSpace(**values)
        elif space.state == State.RETIRED and is_being_dropped(space.id):
            raise Conflict(
                f"The old vectors of generation {space.id} are still being dropped.",
                hint="Wait until `manage.py reembed status` no longer names it.",
            )
        elif space.state == State.STANDBY:
            raise Conflict(
                f"Generation {space.id} ({identity.name}) stands by and is kept up to date.",
                hint="`manage.py reembed rollback` makes it answer again.",
            )
        space.state = State.BUILDING
        space.switches_itself = switches_itself
        space.changed_at = timezone.now()
        space.save()
    forget_cached()
    record_everywhere("reembed.started", space.id, fill=True)
    return space


def _check(to: str) -> None:
    """Make sure that there is an active generation to stand beside; Invalid for an unknown name."""
    known = configured_embedders()
    if to and to not in known:
        raise Invalid(f"the settings fill no embedder {to!r}", hint=f"Choose one of: {', '.join(known)}.")
    if not EmbeddingSpace.objects.filter(state=State.ACTIVE).exists():
        serving()


def _identity(to: str) -> EmbedderIdentity:
    known = configured_embedders()
    return known[to or ("next" if "next" in known else "main")].identity


def _is(row: EmbeddingSpace, identity: EmbedderIdentity) -> bool:
    return (row.name, row.revision, row.dimension) == (identity.name, identity.revision, identity.dim)
