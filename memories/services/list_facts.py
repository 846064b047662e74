"""Lists structured facts: one subject's, or, for who reads anybody's, those of a tenant that say the same (R15)."""

from __future__ import annotations

import uuid

from django.db.models import QuerySet

from accounts import audit
from accounts.actor import Actor
from accounts.permissions import Capability
from memories.models import Fact, Status
from memories.services.subjects import check_readable
from memoryhub.common.errors import Invalid


def facts_of(
    *, actor: Actor, subject_id: uuid.UUID, entity: str = "", attribute: str = "", value: str = "", past: bool
) -> QuerySet[Fact]:
    """The subject's facts for a door that pages in the open tenant transaction; with `past`, those too that were superseded.

    `entity` is "user" for the person themself; each filter is a whole text.
    """
    check_readable(actor, subject_id, "facts.list")
    statuses = [Status.CURRENT, Status.SUPERSEDED] if past else [Status.CURRENT]
    rows: QuerySet[Fact] = Fact.objects.filter(subject_id=subject_id, memory__status__in=statuses)
    return _filtered(rows, entity, attribute, value).select_related("memory")


def who_has_fact(*, actor: Actor, attribute: str, value: str = "", entity: str = "") -> QuerySet[Fact]:
    """Whose current facts have this attribute (and value), over the whole tenant; audited, for it reads about anybody."""
    actor.require(Capability.MEMORY_READ)
    if not attribute:
        raise Invalid(
            "no attribute is named",
            hint="Name a subject, or the attribute that subjects are looked for by.",
            fields={"attribute": "required without a subject"},
        )
    audit.record(actor, "facts.search", target_kind="tenant", target_id=actor.tenant_id)
    rows: QuerySet[Fact] = Fact.objects.filter(
        memory__status=Status.CURRENT, subject__erased_at__isnull=True, negated=False
    )
    return _filtered(rows, entity, attribute, value).select_related("memory")


def _filtered(rows: QuerySet[Fact], entity: str, attribute: str, value: str) -> QuerySet[Fact]:
    given = {"entity": entity, "attribute": attribute, "value": value}
    return rows.filter(**{name: text for name, text in given.items() if text})
