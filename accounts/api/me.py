"""REST: who the caller is to MemoryHub, so that a program can check its key before it works with it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.base import ActorView
from accounts.api.permissions import Required
from accounts.permissions import Capability


class CallerSerializer(serializers.Serializer[Any]):
    """`subject_id` is the caller's own subject, or the only one that a key reaches."""

    kind = serializers.ChoiceField(choices=["user", "api_key"])
    id = serializers.CharField()
    tenant_id = serializers.UUIDField()
    subject_id = serializers.UUIDField(allow_null=True)
    capabilities = serializers.ListField(child=serializers.CharField())


class Me(ActorView):
    """The caller."""

    required_capabilities: ClassVar[Mapping[str, Required]] = {"GET": frozenset(Capability)}

    @extend_schema(operation_id="me_read", responses=CallerSerializer)
    def get(self, request: Request) -> Response:
        actor = self.actor
        data = {
            "kind": actor.kind,
            "id": actor.id,
            "tenant_id": actor.tenant_id,
            "subject_id": actor.subject_id,
            "capabilities": sorted(actor.capabilities),
        }
        return Response(CallerSerializer(data).data)
