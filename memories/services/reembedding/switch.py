"""Makes another generation the one that answers, in one transaction, and back again."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from memories.models import EmbeddingSpace
from memories.services.embedding_space import State, forget_cached
from memories.services.reembedding.progress import missing_in
from memories.services.reembedding.record import record_everywhere
from memoryhub.common.errors import Conflict


def switch_generation(*, allowed_missing: int = 0) -> EmbeddingSpace:
    """The generation that was being built is active now; the former one stands by, still written to.

    Conflict when nothing is being built, or more than `allowed_missing` items have no vector in it yet: those would be found
    by their words alone. Running processes follow within embedding_space.CACHE_SECONDS.
    """
    return _activate(State.BUILDING, "reembed.switched", allowed_missing)


def roll_back(*, allowed_missing: int = 0) -> EmbeddingSpace:
    """The generation that stands by is active again, and the present one stands by; Conflict as for a switch."""
    return _activate(State.STANDBY, "reembed.rolled_back", allowed_missing)


def switch_what_is_complete() -> EmbeddingSpace | None:
    """Switch to the generation that was started to take over by itself, if it is complete; None when it is not."""
    space = EmbeddingSpace.objects.filter(state=State.BUILDING, switches_itself=True).first()
    if space is None or missing_in(space.id):
        return None
    try:
        return switch_generation()
    except Conflict:
        return (
            None  # Something was written, or somebody else switched, in between; the next beat looks again.
        )


def _activate(state: str, action: str, allowed_missing: int) -> EmbeddingSpace:
    space = EmbeddingSpace.objects.filter(state=state).order_by("-changed_at", "-id").first()
    if space is None:
        raise Conflict(
            "No generation is being built." if state == State.BUILDING else "No generation stands by.",
            hint="`manage.py reembed status` lists what there is.",
        )
    missing = missing_in(space.id)
    if missing > allowed_missing:
        raise Conflict(
            f"{missing} items have no vector in generation {space.id} yet.",
            hint=f"Wait until `manage.py reembed status` says that it is complete, or accept so many with --force {missing}.",
        )
    now = timezone.now()
    with transaction.atomic():
        rows = {row.id: row for row in EmbeddingSpace.objects.select_for_update().order_by("id")}
        if rows[space.id].state != state:
            raise Conflict(f"Generation {space.id} was changed by somebody else.", hint="Look at its status.")
        EmbeddingSpace.objects.filter(state=State.ACTIVE).update(state=State.STANDBY, changed_at=now)
        EmbeddingSpace.objects.filter(id=space.id).update(
            state=State.ACTIVE, changed_at=now, switches_itself=False
        )
    forget_cached()
    # Whoever wrote during the switch may have written to the former generation only.
    record_everywhere(action, space.id, fill=True, missing=missing)
    space.refresh_from_db()
    return space
