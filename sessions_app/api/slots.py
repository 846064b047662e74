"""REST: the slots of a subject: what was lately talked about, across sessions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.base import ActorView
from accounts.api.parameters import OF_SUBJECT
from accounts.api.permissions import Required
from accounts.permissions import Capability
from memories.models import Slot
from sessions_app.services.list_slots import list_slots


class SlotSerializer(serializers.ModelSerializer[Slot]):
    """An entity, the state of a task, or an interim conclusion, with its own end."""

    class Meta:
        model = Slot
        fields = [
            "id",
            "kind",
            "key",
            "value",
            "importance",
            "mentions",
            "session_id",
            "turn_id",
            "updated_at",
            "expires_at",
        ]
        read_only_fields = fields


class SlotListSerializer(serializers.Serializer[Any]):
    """All that live, at most a few dozen; the most important first."""

    results = SlotSerializer(many=True)


class SlotList(ActorView):
    """The live slots of one subject."""

    required_capabilities: ClassVar[Mapping[str, Required]] = {"GET": Capability.OWN_MEMORY_READ}

    @extend_schema(operation_id="slots_list", parameters=list(OF_SUBJECT), responses=SlotListSerializer)
    def get(self, request: Request) -> Response:
        subject_id = self.subject_id(request, create=False)
        found = list_slots(actor=self.actor, subject_id=subject_id)
        return Response(SlotListSerializer({"results": found}).data)
