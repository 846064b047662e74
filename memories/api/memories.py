"""REST: list, create, read, change, delete and restore memories, and read their versions."""

from __future__ import annotations

import uuid
from datetime import datetime
from typing import Any, ClassVar

from django.db.models import QuerySet
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.base import ActorView, OldestFirst
from accounts.api.etags import IF_MATCH, check_match, matched, with_etag
from accounts.api.parameters import OF_SUBJECT, PAGE
from accounts.api.strict import query_flag, query_id, query_one_of, query_time
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
from memories.core.outcomes import Reason
from memories.models import MemoryVersion, Status
from memories.services.edit import edit
from memories.services.forget import forget
from memories.services.get_memory import changeable, get_memory
from memories.services.limits import clean
from memories.services.memories_then import as_they_were, known_then, today
from memories.services.remember import remember
from memories.services.restore import restore
from memories.store.locks import lock_subject
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Conflict

_READ, _WRITE = Capability.OWN_MEMORY_READ, Capability.OWN_MEMORY_WRITE


CREATES = frozenset({Reason.STORED, Reason.SUPERSEDED, Reason.CONTRADICTION})
"""Outcomes that made a memory."""


class MemoryList(ActorView):
    """The memories of one subject."""

    required_capabilities: ClassVar[dict[str, Capability]] = {"GET": _READ, "POST": _WRITE}

    @extend_schema(
        operation_id="memories_list",
        parameters=[
            *OF_SUBJECT,
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
            *PAGE,
        ],
        responses=MemorySerializer(many=True),
    )
    def get(self, request: Request) -> Response:
        subject_id = self.subject_id(request, create=False)
        kind = query_one_of(request, "kind", KINDS)
        wanted = query_one_of(request, "status", list(Status.values)) or Status.CURRENT.value
        pinned = query_flag(request, "pinned")
        as_of, since, until = (query_time(request, name) for name in ("as_of", "since", "until"))
        with tenant_transaction(self.actor.tenant_id):
            note_reading(self.actor, subject_id, "memories.list")
            rows = today(subject_id) if as_of is None else known_then(subject_id, as_of)
            rows = rows.filter(then_status=wanted)
            if kind:
                rows = rows.filter(then_kind=kind)
            if pinned is not None:
                rows = rows.filter(then_pinned=pinned)
            if tags := request.query_params.getlist("tag"):
                rows = rows.filter(tags__contains=[clean(tag) for tag in tags])
            if session_id := query_id(request, "session_id"):
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
        examples=[
            OpenApiExample(
                "What somebody said",
                value={"subject": "ada@example.org", "content": "I moved to Hangzhou last week."},
                request_only=True,
            ),
            OpenApiExample(
                "As it is, with tags",
                value={
                    "subject": "ada@example.org",
                    "content": "The spare key lies under the blue pot.",
                    "infer": False,
                    "tags": ["house"],
                    "metadata": {"ticket": 7},
                },
                request_only=True,
            ),
            OpenApiExample(
                "Stored",
                value={
                    "results": [
                        {
                            "code": "stored",
                            "memory_id": "01890a5d-ac96-774b-bcce-b302099a8057",
                            "kind": "fact",
                            "rule": "gate.as_given",
                            "reasons": [],
                            "replaced_id": None,
                        }
                    ]
                },
                response_only=True,
                status_codes=["201"],
            ),
        ],
    )
    def post(self, request: Request) -> Response:
        body = RememberSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        subject_id = self.subject_id(request, create=True)
        fields = body.given
        if (agent := fields.pop("agent", None)) is not None:
            fields["agent_id"] = self.named_subject(agent, "agent", create=True)
        outcomes = remember(actor=self.actor, subject_id=subject_id, **fields)
        stored = any(outcome.code in CREATES for outcome in outcomes)
        code = status.HTTP_201_CREATED if stored else status.HTTP_200_OK
        return Response(OutcomesSerializer({"results": outcomes}).data, status=code)


class MemoryDetail(ActorView):
    """One memory."""

    required_capabilities: ClassVar[dict[str, Capability]] = {"GET": _READ, "PATCH": _WRITE, "DELETE": _WRITE}

    @extend_schema(operation_id="memories_read", responses=MemorySerializer)
    def get(self, request: Request, memory_id: uuid.UUID) -> Response:
        memory = get_memory(actor=self.actor, memory_id=memory_id)
        with tenant_transaction(self.actor.tenant_id):
            answer = Response(MemorySerializer(memory, context={"actor": self.actor}).data)
        return with_etag(answer, memory.version)

    @extend_schema(
        operation_id="memories_update",
        parameters=[IF_MATCH],
        request=EditSerializer,
        responses=MemorySerializer,
        examples=[
            OpenApiExample("Pin it", value={"pinned": True}, request_only=True),
            OpenApiExample("Correct it", value={"content": "It lies in the shed."}, request_only=True),
        ],
    )
    def patch(self, request: Request, memory_id: uuid.UUID) -> Response:
        body = EditSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        changes = dict(body.validated_data)
        version = changes.pop("version", None)
        allowed = matched(request)
        if allowed is not None:
            with tenant_transaction(self.actor.tenant_id):
                found = changeable(self.actor, memory_id)
            check_match(request, found.version)
            version = version or found.version
        try:
            memory = edit(actor=self.actor, memory_id=memory_id, expected_version=version, **changes)
        except Conflict:
            if allowed is not None:
                # Somebody else was faster than this call, which had found the version that it names.
                with tenant_transaction(self.actor.tenant_id):
                    check_match(request, changeable(self.actor, memory_id).version)
            raise
        return with_etag(Response(MemorySerializer(memory).data), memory.version)

    @extend_schema(operation_id="memories_delete", parameters=[IF_MATCH], responses={204: None})
    def delete(self, request: Request, memory_id: uuid.UUID) -> Response:
        with tenant_transaction(self.actor.tenant_id):
            if matched(request) is not None:
                lock_subject(changeable(self.actor, memory_id).subject_id)
                check_match(request, changeable(self.actor, memory_id).version)
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
