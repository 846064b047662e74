"""REST: list, create, read, change, delete and restore memories, and read their versions."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Any, ClassVar

from django.db.models import QuerySet
from django.utils.dateparse import parse_datetime
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.base import ActorView, OldestFirst
from accounts.permissions import Capability
from accounts.reading import note_reading
from memories.api.serializers import (
    KINDS,
    EditSerializer,
    MemorySerializer,
    OutcomesSerializer,
    RememberSerializer,
    VersionSerializer,
)
from memories.models import MemoryVersion, Status
from memories.services.edit import edit
from memories.services.forget import forget
from memories.services.get_memory import get_memory
from memories.services.limits import clean
from memories.services.memories_then import as_they_were, checked_time, known_then, today
from memories.services.remember import remember
from memories.services.restore import restore
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Invalid

SUBJECT = OpenApiParameter("subject", str, description="External id of the subject, taken literally.")
_READ, _WRITE = Capability.OWN_MEMORY_READ, Capability.OWN_MEMORY_WRITE


class MemoryList(ActorView):
    """The memories of one subject."""

    required_capabilities: ClassVar[dict[str, Capability]] = {"GET": _READ, "POST": _WRITE}

    @extend_schema(
        operation_id="memories_list",
        parameters=[
            SUBJECT,
            OpenApiParameter("kind", str, enum=KINDS),
            OpenApiParameter("status", str, enum=list(Status.values), description="`current` when left out."),
            OpenApiParameter("pinned", bool),
            OpenApiParameter("tag", str, many=True, description="Memories that have all of them."),
            OpenApiParameter("session_id", OpenApiTypes.UUID),
            OpenApiParameter("since", OpenApiTypes.DATETIME, description="Said then or later."),
            OpenApiParameter("until", OpenApiTypes.DATETIME, description="Said before."),
            OpenApiParameter(
                "as_of",
                OpenApiTypes.DATETIME,
                description="What was believed at that time, in the words of then; without what was forgotten since.",
            ),
            OpenApiParameter("limit", int, description="1 to 200, 50 when left out."),
            OpenApiParameter("cursor", str, description="From `next` or `previous` of another page."),
        ],
        responses=MemorySerializer(many=True),
    )
    def get(self, request: Request) -> Response:
        subject_id = self.subject_id(request, create=False)
        kind = _one_of(request, "kind", KINDS)
        wanted = _one_of(request, "status", list(Status.values)) or Status.CURRENT.value
        pinned = _one_of(request, "pinned", ["true", "false"])
        as_of, since, until = (_time(request, name) for name in ("as_of", "since", "until"))
        with tenant_transaction(self.actor.tenant_id):
            note_reading(self.actor, subject_id, "memories.list")
            rows = today(subject_id) if as_of is None else known_then(subject_id, as_of)
            rows = rows.filter(then_status=wanted)
            if kind:
                rows = rows.filter(then_kind=kind)
            if pinned:
                rows = rows.filter(then_pinned=pinned == "true")
            if tags := request.query_params.getlist("tag"):
                rows = rows.filter(tags__contains=[clean(tag) for tag in tags])
            if session_id := _uuid(request, "session_id"):
                rows = rows.filter(session_id=session_id)
            if since:
                rows = rows.filter(said_at__gte=since)
            if until:
                rows = rows.filter(said_at__lt=until)
            return self._page(rows, as_of)

    def _page(self, rows: QuerySet[Any], as_of: datetime | None) -> Response:
        """One page, with the words and the state of `as_of` where one is asked for."""
        if as_of is None:
            return self.page(rows, MemorySerializer)
        paginator = self.pagination_class()
        found = paginator.paginate_queryset(rows, self.request, view=self) or []
        return paginator.get_paginated_response(MemorySerializer(as_they_were(found, as_of), many=True).data)

    @extend_schema(
        operation_id="memories_create",
        request=RememberSerializer,
        responses={200: OutcomesSerializer, 201: OutcomesSerializer},
    )
    def post(self, request: Request) -> Response:
        body = RememberSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        fields = dict(body.validated_data)
        fields.pop("subject", None)
        subject_id = self.subject_id(request, create=True)
        outcomes = remember(actor=self.actor, subject_id=subject_id, **fields)
        stored = any(outcome.code in {"stored", "superseded", "contradiction"} for outcome in outcomes)
        code = status.HTTP_201_CREATED if stored else status.HTTP_200_OK
        return Response(OutcomesSerializer({"results": outcomes}).data, status=code)


class MemoryDetail(ActorView):
    """One memory."""

    required_capabilities: ClassVar[dict[str, Capability]] = {"GET": _READ, "PATCH": _WRITE, "DELETE": _WRITE}

    @extend_schema(operation_id="memories_read", responses=MemorySerializer)
    def get(self, request: Request, memory_id: uuid.UUID) -> Response:
        memory = get_memory(actor=self.actor, memory_id=memory_id)
        with tenant_transaction(self.actor.tenant_id):
            return Response(MemorySerializer(memory, context={"actor": self.actor}).data)

    @extend_schema(operation_id="memories_update", request=EditSerializer, responses=MemorySerializer)
    def patch(self, request: Request, memory_id: uuid.UUID) -> Response:
        body = EditSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        changes = dict(body.validated_data)
        version = changes.pop("version", None)
        memory = edit(actor=self.actor, memory_id=memory_id, expected_version=version, **changes)
        return Response(MemorySerializer(memory).data)

    @extend_schema(operation_id="memories_delete", responses={204: None})
    def delete(self, request: Request, memory_id: uuid.UUID) -> Response:
        forget(actor=self.actor, memory_id=memory_id, reason="rest", cause="user")
        return Response(status=status.HTTP_204_NO_CONTENT)


class MemoryRestore(ActorView):
    """Undo a deletion, until its retention time has passed."""

    required_capabilities: ClassVar[dict[str, Capability]] = {"POST": _WRITE}

    @extend_schema(operation_id="memories_restore", request=None, responses=MemorySerializer)
    def post(self, request: Request, memory_id: uuid.UUID) -> Response:
        return Response(MemorySerializer(restore(actor=self.actor, memory_id=memory_id)).data)


class MemoryVersions(ActorView):
    """The history of a memory, from its first version."""

    required_capabilities: ClassVar[dict[str, Capability]] = {"GET": _READ}
    pagination_class = OldestFirst

    @extend_schema(
        operation_id="memories_versions",
        parameters=[OpenApiParameter("memory_id", OpenApiTypes.UUID, OpenApiParameter.PATH)],
        responses=VersionSerializer(many=True),
    )
    def get(self, request: Request, memory_id: uuid.UUID) -> Response:
        with tenant_transaction(self.actor.tenant_id):
            memory = get_memory(actor=self.actor, memory_id=memory_id)
            rows = MemoryVersion.objects.filter(memory=memory).select_related("memory")
            return self.page(rows, VersionSerializer)


def _time(request: Request, name: str) -> datetime | None:
    """A query parameter as a time with its zone; None when it is not given."""
    text = request.query_params.get(name)
    if not text:
        return None
    try:
        found = parse_datetime(text)
    except ValueError:
        found = None
    if found is None:
        raise Invalid(
            f"{name} is no time", hint="Use ISO 8601 with an offset, or Z.", fields={name: "not a time"}
        )
    return checked_time(name, found)


def _uuid(request: Request, name: str) -> uuid.UUID | None:
    """A query parameter as an id; None when it is not given."""
    text = request.query_params.get(name)
    if not text:
        return None
    try:
        return uuid.UUID(text)
    except ValueError:
        raise Invalid(f"{name} is no id", fields={name: "not a UUID"}) from None


def _one_of(request: Request, name: str, allowed: list[str]) -> str | None:
    value = request.query_params.get(name)
    if value is not None and value not in allowed:
        raise Invalid(f"{name} is not one of its values", fields={name: "one of " + ", ".join(allowed)})
    return value
