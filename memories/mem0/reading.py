"""What mem0's client reads: the key's tenant, a page, a search, one memory's history, and whose memories there are."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any, ClassVar

from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.permissions import Required
from accounts.models import Subject
from accounts.permissions import Capability
from accounts.reading import note_reading
from memories.mem0.base import Mem0View, whole
from memories.mem0.filters import Wanted, wanted_of
from memories.mem0.shapes import history, item
from memories.models import Memory
from memories.querysets import MemoryQuerySet
from memories.services.limits import clean
from memories.services.list_entities import MAX_LISTED, Entity, list_entities
from memories.services.recall import recall
from memories.services.versions import versions
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Invalid, NotFound

MAX_OWNERS = 1_000
_READ, _WRITE = Capability.OWN_MEMORY_READ, Capability.OWN_MEMORY_WRITE


class Ping(Mem0View):
    """GET /v1/ping/: which key it is."""

    required_capabilities: ClassVar[dict[str, Required]] = {"GET": {_READ, _WRITE}}

    def get(self, request: Request) -> Response:
        tenant = str(self.actor.tenant_id)
        return Response({"status": "ok", "org_id": tenant, "project_id": tenant, "user_email": None})


class Listing(Mem0View):
    """POST /v3/memories/ (and /v2/memories/, GET /v1/memories/): a page of one owner's, the newest first."""

    required_capabilities: ClassVar[dict[str, Required]] = {"GET": _READ, "POST": _READ}
    keeps_answers = False

    def get(self, request: Request) -> Response:
        return self._page(request.query_params.dict())

    def post(self, request: Request) -> Response:
        return self._page({**self.body(), **request.query_params.dict()})

    def _page(self, given: Mapping[str, Any]) -> Response:
        wanted = wanted_of(given)
        page, size = (whole(given, name, most) for name, most in (("page", 10_000), ("page_size", 200)))
        try:
            subject = self.owner(wanted)
        except NotFound:
            return Response({"count": 0, "next": None, "previous": None, "results": []})
        page, size = page or 1, size or 100
        with tenant_transaction(self.actor.tenant_id):
            note_reading(self.actor, subject.pk, "memories.list")
            rows = selected(subject, wanted)
            count = rows.count()
            found = [
                item(row, subject)
                for row in rows.order_by("-created_at", "-id")[(page - 1) * size : page * size]
            ]
        url = self.request.build_absolute_uri(self.request.path)
        pages = {
            "next": f"{url}?page={page + 1}&page_size={size}" if page * size < count else None,
            "previous": f"{url}?page={page - 1}&page_size={size}" if page > 1 else None,
        }
        return Response({"count": count, **pages, "results": found})


class Search(Mem0View):
    """POST /v3/memories/search/ (and /v2/…, /v1/…): the owner's memories that fit a question, best first."""

    required_capabilities: ClassVar[dict[str, Required]] = {"POST": _READ}
    keeps_answers = False

    def post(self, request: Request) -> Response:
        body = self.body()
        wanted = wanted_of(body)
        k = whole(body, "top_k", 100) or whole(body, "limit", 100) or 10
        threshold = body.get("threshold")
        if threshold is not None and (isinstance(threshold, bool) or not isinstance(threshold, int | float)):
            raise Invalid("the threshold is no number", fields={"threshold": "a number between 0 and 1"})
        query = body.get("query")
        if not isinstance(query, str):
            raise Invalid("there is no question", fields={"query": "a text"})
        try:
            subject = self.owner(wanted)
        except NotFound:
            return Response({"results": []})
        found = recall(
            actor=self.actor, subject_id=subject.pk, query=query, k=k, episodes=False, tags=wanted.tags or None,
            metadata=wanted.metadata or None, since=wanted.since, until=wanted.until,
        )  # fmt: skip
        with tenant_transaction(self.actor.tenant_id):
            rows = Memory.objects.in_bulk([one.id for one in found.items])
        results = [
            {**item(rows[one.id], subject), "score": round(one.relevance, 4)}
            for one in found.items
            if one.id in rows and (threshold is None or one.relevance >= threshold)
        ]
        return Response({"results": results})


class History(Mem0View):
    """GET /v1/memories/<id>/history/."""

    required_capabilities: ClassVar[dict[str, Required]] = {"GET": _READ}

    def get(self, request: Request, memory_id: uuid.UUID) -> Response:
        return Response(history(memory_id, versions(actor=self.actor, memory_id=memory_id)))


class Owners(Mem0View):
    """GET /v1/entities/: the users, agents and runs of the tenant, in the order of their making; of more the newest MAX_OWNERS."""

    required_capabilities: ClassVar[dict[str, Required]] = {"GET": Capability.MEMORY_READ}

    def get(self, request: Request) -> Response:
        rows: list[Entity] = []
        cursor = ""
        while len(rows) < MAX_OWNERS:
            page = list_entities(actor=self.actor, cursor=cursor, limit=MAX_LISTED)
            rows, cursor = rows + page.items, page.cursor
            if not cursor:
                break
        found = [
            {
                "id": str(row.id),
                "type": row.kind,
                "name": row.external_id,
                "created_at": row.created_at.isoformat(),
            }
            for row in reversed(rows[:MAX_OWNERS])
        ]
        return Response({"count": len(found), "next": None, "previous": None, "results": found})


def selected(subject: Subject, wanted: Wanted) -> MemoryQuerySet:
    """The owner's current memories that fit."""
    rows = Memory.objects.of(subject.pk).current()
    if wanted.metadata:
        rows = rows.filter(metadata__contains=wanted.metadata)
    if wanted.tags:
        rows = rows.filter(tags__contains=[clean(tag) for tag in wanted.tags])
    if wanted.since:
        rows = rows.filter(said_at__gte=wanted.since)
    return rows.filter(said_at__lt=wanted.until) if wanted.until else rows
