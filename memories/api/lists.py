"""REST: lists of what is known beside the memories: facts, tombstones with restore and purge, and traces."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import ClassVar

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.base import ActorView
from accounts.api.parameters import OF_SUBJECT, PAGE, short_text
from accounts.api.permissions import Required
from accounts.api.strict import query_flag, query_id, query_text
from accounts.permissions import Capability
from memories.api.serializers import MemorySerializer, OutcomesSerializer
from memories.core.outcomes import Reason
from memories.models import Fact, RecallTrace, Tombstone
from memories.services.list_facts import facts_of, who_has_fact
from memories.services.list_tombstones import get_tombstone, tombstones_of
from memories.services.list_traces import traces_of
from memories.services.outcome import Outcome
from memories.services.purge_now import purge_now
from memories.services.restore import restore
from memoryhub.common.db import tenant_transaction

_READ, _WRITE = Capability.OWN_MEMORY_READ, Capability.OWN_MEMORY_WRITE


class FactSerializer(serializers.ModelSerializer[Fact]):
    """Entity, attribute, value: of the subject where `entity` is "user". `negated`: said not to hold, or to hold no longer."""

    said_at = serializers.DateTimeField(source="memory.said_at", read_only=True)
    status = serializers.CharField(source="memory.status", read_only=True)

    class Meta:
        model = Fact
        fields = [
            "id",
            "memory_id",
            "subject_id",
            "entity",
            "entity_kind",
            "attribute",
            "value",
            "negated",
            "single_valued",
            "valid_from",
            "valid_to",
            "said_at",
            "status",
        ]
        read_only_fields = fields


class TombstoneSerializer(serializers.ModelSerializer[Tombstone]):
    """Who deleted what, when, why, and until when it can be restored; the memory's words are shown to who may restore it."""

    memory = MemorySerializer(read_only=True)

    class Meta:
        model = Tombstone
        fields = [
            "id",
            "memory",
            "previous_status",
            "cause",
            "rule",
            "reason",
            "actor_kind",
            "at",
            "purge_after",
            "restored_at",
        ]
        read_only_fields = fields


class TraceRowSerializer(serializers.ModelSerializer[RecallTrace]):
    """A trace without what it considered, which `/traces/<id>/` tells."""

    class Meta:
        model = RecallTrace
        fields = [
            "id",
            "session_id",
            "turn_id",
            "query",
            "standalone_query",
            "sections",
            "budget_tokens",
            "used_tokens",
            "abstained",
            "degraded",
            "gate",
            "policy_version",
            "milliseconds",
            "redacted",
            "at",
        ]
        read_only_fields = fields


class FactList(ActorView):
    """Facts, newest first: a subject's, or without a subject those of everybody that say the same."""

    required_capabilities: ClassVar[Mapping[str, Required]] = {"GET": _READ}

    @extend_schema(
        operation_id="facts_list",
        parameters=[
            *OF_SUBJECT,
            OpenApiParameter(
                "everybody", bool, description="Of all subjects; needs an attribute and memory_read."
            ),
            short_text("entity", 200, '"user", "user:boss", or a name.'),
            short_text("attribute", 100, "A whole name of an attribute."),
            short_text("value", 1_000, "A whole value."),
            OpenApiParameter("past", bool, description="Superseded ones, too."),
            *PAGE,
        ],
        responses=FactSerializer(many=True),
    )
    def get(self, request: Request) -> Response:
        entity, attribute = query_text(request, "entity", 200), query_text(request, "attribute", 100)
        value, past = query_text(request, "value", 1_000), bool(query_flag(request, "past"))
        actor = self.actor
        if query_flag(request, "everybody"):
            with tenant_transaction(actor.tenant_id):
                rows = who_has_fact(actor=actor, attribute=attribute, value=value, entity=entity)
                return self.page(rows, FactSerializer)
        subject_id = self.subject_id(request, create=False)
        with tenant_transaction(actor.tenant_id):
            rows = facts_of(
                actor=actor,
                subject_id=subject_id,
                entity=entity,
                attribute=attribute,
                value=value,
                past=past,
            )
            return self.page(rows, FactSerializer)


class TombstoneList(ActorView):
    """What was deleted and can be restored, the newest first."""

    required_capabilities: ClassVar[Mapping[str, Required]] = {"GET": _READ}

    @extend_schema(
        operation_id="tombstones_list",
        parameters=[
            *OF_SUBJECT,
            OpenApiParameter("all", bool, description="Restored ones and those past their time, too."),
            *PAGE,
        ],
        responses=TombstoneSerializer(many=True),
    )
    def get(self, request: Request) -> Response:
        subject_id = self.subject_id(request, create=False)
        only = not query_flag(request, "all")
        with tenant_transaction(self.actor.tenant_id):
            rows = tombstones_of(actor=self.actor, subject_id=subject_id, restorable=only)
            return self.page(rows, TombstoneSerializer)


class TombstoneDetail(ActorView):
    """One tombstone."""

    required_capabilities: ClassVar[Mapping[str, Required]] = {"GET": _READ}

    @extend_schema(operation_id="tombstones_read", responses=TombstoneSerializer)
    def get(self, request: Request, tombstone_id: uuid.UUID) -> Response:
        found = get_tombstone(actor=self.actor, tombstone_id=tombstone_id)
        with tenant_transaction(self.actor.tenant_id):
            return Response(TombstoneSerializer(found, context={"actor": self.actor}).data)


class TombstoneRestore(ActorView):
    """Bring its memory back, words and all."""

    required_capabilities: ClassVar[Mapping[str, Required]] = {"POST": (_WRITE, Capability.RESTORE)}

    @extend_schema(operation_id="tombstones_restore", request=None, responses=MemorySerializer)
    def post(self, request: Request, tombstone_id: uuid.UUID) -> Response:
        found = get_tombstone(actor=self.actor, tombstone_id=tombstone_id)
        memory = restore(actor=self.actor, memory_id=found.memory_id)
        with tenant_transaction(self.actor.tenant_id):
            return Response(MemorySerializer(memory, context={"actor": self.actor}).data)


class TombstonePurge(ActorView):
    """Remove what it keeps, for good, before its time. Nothing brings it back."""

    required_capabilities: ClassVar[Mapping[str, Required]] = {"POST": Capability.REDACT}

    @extend_schema(operation_id="tombstones_purge", request=None, responses=OutcomesSerializer)
    def post(self, request: Request, tombstone_id: uuid.UUID) -> Response:
        gone = purge_now(actor=self.actor, tombstone_id=tombstone_id)
        outcome = Outcome(Reason.FORGOTTEN, gone, rule="purge.now")
        return Response(OutcomesSerializer({"results": [outcome]}).data)


class TraceList(ActorView):
    """The subject's recalls, the newest first."""

    required_capabilities: ClassVar[Mapping[str, Required]] = {"GET": _READ}

    @extend_schema(
        operation_id="traces_list",
        parameters=[
            *OF_SUBJECT,
            OpenApiParameter("session_id", OpenApiTypes.UUID),
            OpenApiParameter(
                "abstained", bool, description="Only those that found, or did not find, anything."
            ),
            *PAGE,
        ],
        responses=TraceRowSerializer(many=True),
    )
    def get(self, request: Request) -> Response:
        subject_id = self.subject_id(request, create=False)
        session_id, abstained = query_id(request, "session_id"), query_flag(request, "abstained")
        with tenant_transaction(self.actor.tenant_id):
            rows = traces_of(
                actor=self.actor, subject_id=subject_id, session_id=session_id, abstained=abstained
            )
            return self.page(rows, TraceRowSerializer)
