"""REST: many memories in one call: add texts, at once or by an operation, and delete."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.base import ActorView
from accounts.api.permissions import Required
from accounts.api.strict import StrictSerializer
from accounts.permissions import Capability
from memories.api.operations import OperationSerializer, PartSerializer, operation_data
from memories.api.serializers import OfSubjectSerializer, RememberFields
from memories.services.forget_many import MOST, forget_many
from memories.services.operations import get_operation
from memories.services.remember_later import MOST_QUEUED, remember_later
from memories.services.remember_many import AT_ONCE, remember_many

_WRITE: Required = Capability.OWN_MEMORY_WRITE


class BulkItemSerializer(RememberFields):
    """One text, with what may be said about it."""


class BulkAddSerializer(OfSubjectSerializer):
    """Up to 1,000 texts of one subject. Left out, `wait` is true for up to 50 of them: more become an operation."""

    items = BulkItemSerializer(many=True)
    wait = serializers.BooleanField(required=False, allow_null=True, default=None)

    def validate_items(self, items: list[Any]) -> list[Any]:
        if not 1 <= len(items) <= MOST_QUEUED:
            raise serializers.ValidationError(f"Give 1 to {MOST_QUEUED} texts.")
        return items

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if attrs["wait"] and len(attrs["items"]) > AT_ONCE:
            raise serializers.ValidationError({"wait": f"Only {AT_ONCE} texts or fewer can be waited for."})
        return attrs


class BulkAnswerSerializer(serializers.Serializer[Any]):
    """`results` by the place in the call; with an `operation` the rest is told there."""

    results = PartSerializer(many=True)
    operation = OperationSerializer(allow_null=True)


class BulkDeleteSerializer(StrictSerializer):
    """The memories to forget, with their words in every text."""

    memories = serializers.ListField(child=serializers.UUIDField(), min_length=1, max_length=MOST)


class ForgottenOneSerializer(serializers.Serializer[Any]):
    """`code` is forgotten, or that of the error; `tombstone_id` brings it back."""

    memory_id = serializers.UUIDField()
    code = serializers.CharField()
    tombstone_id = serializers.UUIDField(allow_null=True)


class BulkDeletedSerializer(serializers.Serializer[Any]):
    """In the order of the call."""

    results = ForgottenOneSerializer(many=True)


class MemoryBulk(ActorView):
    """Add many texts."""

    required_capabilities: ClassVar[Mapping[str, Required]] = {"POST": _WRITE}

    @extend_schema(
        operation_id="memories_bulk_create",
        request=BulkAddSerializer,
        responses={200: BulkAnswerSerializer, 202: BulkAnswerSerializer},
        examples=[
            OpenApiExample(
                "Two notes",
                value={
                    "subject": "ada@example.org",
                    "items": [
                        {"content": "I like rye bread."},
                        {"content": "The gate code is 4711.", "infer": False, "tags": ["house"]},
                    ],
                },
                request_only=True,
            )
        ],
    )
    def post(self, request: Request) -> Response:
        body = BulkAddSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        subject_id = self.subject_id(request, create=True)
        items = [self._item(dict(item)) for item in body.validated_data["items"]]
        wait = body.validated_data["wait"]
        if wait or (wait is None and len(items) <= AT_ONCE):
            parts = remember_many(actor=self.actor, subject_id=subject_id, items=items)
            return Response(BulkAnswerSerializer({"results": _told(parts), "operation": None}).data)
        job_id = remember_later(actor=self.actor, subject_id=subject_id, items=items)
        found = get_operation(actor=self.actor, operation_id=job_id)
        data = {"results": [], "operation": operation_data(found)}
        return Response(data, status=status.HTTP_202_ACCEPTED)

    def _item(self, item: dict[str, Any]) -> dict[str, Any]:
        if (agent := item.pop("agent", None)) is not None:
            item["agent_id"] = self.named_subject(agent, "agent", create=True)
        return item


class MemoryBulkDelete(ActorView):
    """Forget many memories."""

    required_capabilities: ClassVar[Mapping[str, Required]] = {"POST": _WRITE}

    @extend_schema(
        operation_id="memories_bulk_delete", request=BulkDeleteSerializer, responses=BulkDeletedSerializer
    )
    def post(self, request: Request) -> Response:
        body = BulkDeleteSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        told = forget_many(actor=self.actor, memory_ids=body.validated_data["memories"], reason="rest")
        return Response(BulkDeletedSerializer({"results": told}).data)


def _told(parts: Any) -> list[dict[str, Any]]:
    return [
        {"index": one.index, "outcomes": one.outcomes, "error": one.error, "turn_id": None} for one in parts
    ]
