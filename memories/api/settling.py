"""REST: contradictions with both sides, settling and undoing them; undoing replacements; merging; what to ask about."""

from __future__ import annotations

import uuid
from typing import Any, ClassVar

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.base import ActorView
from accounts.api.parameters import OF_SUBJECT, PAGE
from accounts.api.strict import query_one_of
from accounts.permissions import Capability
from memories.adapters.factory import get_clock
from memories.api.serializers import MemorySerializer, StrictSerializer
from memories.models import Contradiction, Evidence, Memory
from memories.services.contradictions import contradiction_rows
from memories.services.limits import MAX_CONTENT
from memories.services.merge_memories import merge_memories
from memories.services.policies import policy_of
from memories.services.resolve import Resolution, resolve
from memories.services.stale import stale_rows
from memories.services.undo import undo
from memories.services.undo_resolution import undo_resolution
from memories.store.past_sql import NEVER_AGAIN
from memoryhub.common.db import tenant_transaction

_READ, _WRITE = Capability.OWN_MEMORY_READ, Capability.OWN_MEMORY_WRITE
_GONE = frozenset(NEVER_AGAIN)


class EvidenceSerializer(serializers.ModelSerializer[Evidence]):
    """Where it was said."""

    class Meta:
        model = Evidence
        fields = ["turn_id", "session_id", "quote", "role", "speaker", "said_at"]
        read_only_fields = fields


class SideSerializer(serializers.ModelSerializer[Memory]):
    """One side of a contradiction; of what was forgotten since, neither text nor evidence."""

    evidence = serializers.SerializerMethodField()

    class Meta:
        model = Memory
        fields = [
            "id",
            "kind",
            "content",
            "source",
            "speaker",
            "said_at",
            "valid_from",
            "valid_to",
            "status",
            "evidence",
        ]
        read_only_fields = fields

    @extend_schema(responses=EvidenceSerializer(many=True))
    def get_evidence(self, memory: Memory) -> list[dict[str, Any]]:
        if memory.status in _GONE:
            return []
        return list(EvidenceSerializer(memory.evidence.all(), many=True).data)

    def to_representation(self, instance: Memory) -> dict[str, Any]:
        data = super().to_representation(instance)
        return {**data, "content": ""} if instance.status in _GONE else data


class ContradictionSerializer(serializers.ModelSerializer[Contradiction]):
    """Two statements that cannot both hold, with the evidence of each."""

    older = SideSerializer(read_only=True)
    newer = SideSerializer(read_only=True)

    class Meta:
        model = Contradiction
        fields = [
            "id",
            "state",
            "resolution",
            "rule",
            "older",
            "newer",
            "opened_at",
            "resolved_at",
            "resolved_by",
        ]
        read_only_fields = fields


class ResolveSerializer(StrictSerializer):
    """`content` is the text that takes the place of both, for merge only; `reason` holds nothing of what was said."""

    resolution = serializers.ChoiceField(choices=[one.value for one in Resolution])
    content = serializers.CharField(max_length=MAX_CONTENT, required=False)
    reason = serializers.CharField(max_length=200, required=False, allow_blank=True, default="")


class MergeSerializer(StrictSerializer):
    """The memories that go into the one of the URL."""

    memories = serializers.ListField(child=serializers.UUIDField(), min_length=1, max_length=100)


class ContradictionList(ActorView):
    """The subject's contradictions, the newest first."""

    required_capabilities: ClassVar[dict[str, Capability]] = {"GET": _READ}

    @extend_schema(
        operation_id="contradictions_list",
        parameters=[
            *OF_SUBJECT,
            OpenApiParameter(
                "state", str, enum=list(Contradiction.State.values), description="All when left out."
            ),
            *PAGE,
        ],
        responses=ContradictionSerializer(many=True),
    )
    def get(self, request: Request) -> Response:
        subject_id = self.subject_id(request, create=False)
        state = query_one_of(request, "state", Contradiction.State.values) or ""
        with tenant_transaction(self.actor.tenant_id):
            rows = contradiction_rows(actor=self.actor, subject_id=subject_id, state=state)
            return self.page(rows, ContradictionSerializer)


class ContradictionResolve(ActorView):
    """Settle it: keep the new, the old or both, or one text in the place of the two."""

    required_capabilities: ClassVar[dict[str, Capability]] = {"POST": _WRITE}

    @extend_schema(
        operation_id="contradictions_resolve", request=ResolveSerializer, responses=ContradictionSerializer
    )
    def post(self, request: Request, contradiction_id: uuid.UUID) -> Response:
        body = ResolveSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        row = resolve(actor=self.actor, contradiction_id=contradiction_id, **body.validated_data)
        return _answer(self.actor, row)


class ContradictionUndo(ActorView):
    """Take a decision back: it is open again, and both sides are as they were."""

    required_capabilities: ClassVar[dict[str, Capability]] = {"POST": _WRITE}

    @extend_schema(operation_id="contradictions_undo", request=None, responses=ContradictionSerializer)
    def post(self, request: Request, contradiction_id: uuid.UUID) -> Response:
        return _answer(self.actor, undo_resolution(actor=self.actor, contradiction_id=contradiction_id))


class MemoryUndo(ActorView):
    """Bring back a memory that another one replaced, or that was merged into another."""

    required_capabilities: ClassVar[dict[str, Capability]] = {"POST": _WRITE}

    @extend_schema(operation_id="memories_undo", request=None, responses=MemorySerializer)
    def post(self, request: Request, memory_id: uuid.UUID) -> Response:
        return Response(MemorySerializer(undo(actor=self.actor, memory_id=memory_id)).data)


class MemoryMerge(ActorView):
    """Merge confirmations into this memory; each of them can be undone."""

    required_capabilities: ClassVar[dict[str, Capability]] = {"POST": _WRITE}

    @extend_schema(operation_id="memories_merge", request=MergeSerializer, responses=MemorySerializer)
    def post(self, request: Request, memory_id: uuid.UUID) -> Response:
        body = MergeSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        memory = merge_memories(
            actor=self.actor, survivor_id=memory_id, merged_ids=body.validated_data["memories"]
        )
        return Response(MemorySerializer(memory).data)


class StaleList(ActorView):
    """What matters and nobody confirmed for long: ask whether it still holds. A yes is feedback `right`."""

    required_capabilities: ClassVar[dict[str, Capability]] = {"GET": _READ}

    @extend_schema(
        operation_id="memories_stale", parameters=[*OF_SUBJECT, *PAGE], responses=MemorySerializer(many=True)
    )
    def get(self, request: Request) -> Response:
        subject_id = self.subject_id(request, create=False)
        policy, _ = policy_of(self.actor.tenant_id)
        with tenant_transaction(self.actor.tenant_id):
            now = get_clock().now()
            rows = stale_rows(actor=self.actor, subject_id=subject_id, policy=policy, now=now)
            return self.page(rows, MemorySerializer)


def _answer(actor: Any, row: Contradiction) -> Response:
    with tenant_transaction(actor.tenant_id):
        rows = contradiction_rows(actor=actor, subject_id=row.subject_id, note=False)
        return Response(ContradictionSerializer(rows.get(id=row.id)).data)
