"""Acts on settings that name another embedder than the active one, once, before the programs start."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from memories.adapters.factory import get_embedder
from memories.models import EmbeddingSpace
from memories.ports import EmbedderUnavailable
from memories.services.embedding_space import State, embedder_of, forget_cached, generations, serving
from memories.services.reembedding.record import record_everywhere
from memories.services.reembedding.start import start_generation
from memoryhub.common.errors import DomainError


def adopt_settings() -> str:
    """What was done, in one line; "" when the settings' embedder is known already.

    A new embedder gets a generation that takes over when it is complete, while the former embedder answers. Where that one is
    no longer in the settings nobody could answer with it: the new one takes over at once, and fills up meanwhile.
    """
    try:
        identity = get_embedder().identity
    except EmbedderUnavailable:
        return (
            "The embeddings endpoint does not answer. If its model is a new one, run "
            "`manage.py reembed start --switch-when-complete` when it does."
        )
    forget_cached()
    live = generations()
    if not live:
        try:
            serving()
        except DomainError:
            return ""
        return ""
    if any(one.identity == identity for one in live):
        return ""
    name = f"{identity.name} ({identity.dim} dimensions)"
    try:
        embedder_of(live[0])
    except EmbedderUnavailable:
        space = _take_over(identity.name, identity.revision, identity.dim)
        record_everywhere("reembed.switched", space.id, fill=True)
        return (
            f"{name} embeds from now on; until all is embedded anew, older memories are found by their words."
        )
    try:
        start_generation(to="main", switches_itself=True)
    except DomainError as error:
        return f"{name} was not started: {error}"
    return f"{name} takes over when all is embedded anew; see `manage.py reembed status`."


def _take_over(name: str, revision: str, dimension: int) -> EmbeddingSpace:
    now = timezone.now()
    with transaction.atomic():
        list(EmbeddingSpace.objects.select_for_update().order_by("id"))
        EmbeddingSpace.objects.filter(state=State.ACTIVE).update(state=State.STANDBY, changed_at=now)
        space, _ = EmbeddingSpace.objects.update_or_create(
            name=name,
            revision=revision,
            dimension=dimension,
            defaults={"state": State.ACTIVE, "changed_at": now, "switches_itself": False},
        )
    forget_cached()
    return space
