"""List: a subject's memories, newest first, in pages that neither skip nor repeat a row."""

from __future__ import annotations

import uuid
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q

from accounts.actor import Actor
from memories.models import Memory
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Invalid

MAX_PAGE = 200


@dataclass(frozen=True, slots=True)
class Page:
    """`after` is where the next page starts; None at the end. `total` counts all pages."""

    items: list[Memory]
    after: tuple[datetime, uuid.UUID] | None
    total: int


def list_memories(
    *,
    actor: Actor,
    subject_id: uuid.UUID,
    status: str | None = "current",
    kinds: Collection[str] | None = None,
    pinned: bool | None = None,
    search: str = "",
    tags: Collection[str] | None = None,
    limit: int = 50,
    after: tuple[datetime, uuid.UUID] | None = None,
) -> Page:
    """A page of the subject's memories (of every status when None), filtered; `search` is a part of the text, any case.

    NotFound for a subject that is not the actor's to read.
    """
    actor.require_subject(subject_id, write=False)
    if not 1 <= limit <= MAX_PAGE:
        raise Invalid(f"a page holds 1 to {MAX_PAGE} memories", fields={"limit": f"1 to {MAX_PAGE}"})
    with tenant_transaction(actor.tenant_id):
        rows = Memory.objects.of(subject_id)
        if status is not None:
            rows = rows.filter(status=status)
        if kinds:
            rows = rows.filter(kind__in=kinds)
        if pinned is not None:
            rows = rows.filter(pinned=pinned)
        if tags:
            rows = rows.filter(tags__contains=list(tags))
        if search.strip():
            rows = rows.filter(content__icontains=search.strip().replace("\0", ""))
        total = rows.count()
        if after is not None:
            at, last = after
            rows = rows.filter(Q(created_at__lt=at) | Q(created_at=at, id__lt=last))
        found = list(rows.order_by("-created_at", "-id")[: limit + 1])
    items = found[:limit]
    more = len(found) > limit
    return Page(items, (items[-1].created_at, items[-1].id) if more else None, total)
