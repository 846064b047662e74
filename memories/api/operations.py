"""REST: operations: work that goes on after its call was answered."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.base import ActorView
from accounts.api.permissions import Required
from accounts.permissions import Capability
from memories.api.serializers import OutcomeSerializer
from memories.models import Job
from memories.services.operations import Operation, get_operation


class PartSerializer(serializers.Serializer[Any]):
    """One part of a bulk call, by its place in the call: what became of it, or the code of the error."""

    index = serializers.IntegerField()
    outcomes = OutcomeSerializer(many=True)
    error = serializers.CharField(allow_blank=True)
    turn_id = serializers.UUIDField(allow_null=True)


class OperationSerializer(serializers.Serializer[Any]):
    """`state` goes from pending over running to done, or failed; then `error_code` says why. `results` are the parts that are done."""

    id = serializers.UUIDField()
    kind = serializers.CharField()
    state = serializers.ChoiceField(choices=list(Job.State.values))
    attempts = serializers.IntegerField()
    error_code = serializers.CharField(allow_blank=True)
    created_at = serializers.DateTimeField()
    finished_at = serializers.DateTimeField(allow_null=True)
    done = serializers.IntegerField(allow_null=True, help_text="Parts; null for work that has none.")
    total = serializers.IntegerField(allow_null=True)
    results = PartSerializer(many=True)


class OperationDetail(ActorView):
    """How far an operation came. Kept for a week after it is done."""

    required_capabilities: ClassVar[Mapping[str, Required]] = {"GET": frozenset(Capability)}

    @extend_schema(operation_id="operations_read", responses=OperationSerializer)
    def get(self, request: Request, operation_id: uuid.UUID) -> Response:
        return Response(operation_data(get_operation(actor=self.actor, operation_id=operation_id)))


def operation_data(found: Operation) -> dict[str, Any]:
    """What an answer tells of an operation."""
    job, progress = found.job, found.progress
    data = {
        name: getattr(job, name)
        for name in ("id", "kind", "state", "attempts", "error_code", "created_at", "finished_at")
    }
    data["done"] = progress.done if progress else None
    data["total"] = progress.total if progress else None
    data["results"] = progress.results if progress else []
    return dict(OperationSerializer(data).data)
