"""List entities: of whom something may be remembered (an integrator's users, agents and runs), with how much that is."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Max

from accounts import audit
from accounts.actor import Actor
from accounts.models import Subject, SubjectKind
from accounts.permissions import Capability
from memories.models import Memory, Status
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Invalid

MAX_LISTED = 100


@dataclass(frozen=True, slots=True)
class Entity:
    """A subject by its literal external id; `memories` counts what is recalled of it now, `last_said_at` the newest of it."""

    id: uuid.UUID
    external_id: str
    kind: str
    memories: int
    last_said_at: datetime | None
    created_at: datetime


@dataclass(frozen=True, slots=True)
class EntityPage:
    """`cursor` continues the list; "" at its end."""

    items: list[Entity]
    cursor: str


def list_entities(*, actor: Actor, kind: str = "", cursor: str = "", limit: int = 50) -> EntityPage:
    """The tenant's subjects, the newest first; who reaches only their own finds that one alone.

    Erased ones, and the one that stands for the tenant, are none. A person's look at everybody is audited. Raises Invalid for a kind or a
    cursor that is none, PermissionDenied for who may read nobody's memory.
    """
    if kind and kind not in SubjectKind.values:
        raise Invalid(
            "there is no such kind of entity", fields={"kind": f"one of {', '.join(SubjectKind.values)}"}
        )
    limit = max(1, min(limit, MAX_LISTED))
    everybody = Capability.MEMORY_READ in actor.capabilities
    if actor.kind == "api_key" and actor.subject_id is not None:
        everybody = False
    if not everybody:
        actor.require(Capability.OWN_MEMORY_READ)
    with tenant_transaction(actor.tenant_id):
        rows = Subject.objects.filter(erased_at__isnull=True, kind__in=SubjectKind.values)
        if not everybody:
            rows = rows.filter(id=actor.subject_id)
        if kind:
            rows = rows.filter(kind=kind)
        if cursor:
            rows = rows.filter(id__lt=_id_of(cursor))
        found = list(rows.order_by("-id")[: limit + 1])
        shown = found[:limit]
        known: dict[uuid.UUID, dict[str, object]] = {
            row["subject_id"]: {"memories": row["memories"], "last": row["last"]}
            for row in Memory.objects.filter(subject_id__in=[one.pk for one in shown], status=Status.CURRENT)
            .values("subject_id")
            .annotate(memories=Count("id"), last=Max("said_at"))
        }
        if everybody and actor.kind == "user":
            audit.record(actor, "subjects.list", target_kind="tenant", target_id=actor.tenant_id)
    items = [_entity(one, known.get(one.pk, {})) for one in shown]
    return EntityPage(items, str(shown[-1].pk) if len(found) > limit else "")


def _entity(subject: Subject, known: dict[str, object]) -> Entity:
    memories, last = known.get("memories", 0), known.get("last")
    return Entity(
        subject.pk,
        subject.external_id,
        subject.kind,
        memories if isinstance(memories, int) else 0,
        last if isinstance(last, datetime) else None,
        subject.created_at,
    )


def _id_of(cursor: str) -> uuid.UUID:
    try:
        return uuid.UUID(cursor)
    except ValueError:
        raise Invalid(
            "the cursor cannot be read", hint="Start from the first page.", fields={"cursor": "unknown"}
        ) from None
