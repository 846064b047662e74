"""REST: recall."""

from __future__ import annotations

from typing import ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.base import ActorView
from accounts.permissions import Capability
from memories.api.recall_serializers import RecallRequestSerializer, RecallResponseSerializer
from memories.services.recall import recall


class Recall(ActorView):
    """What is known about a subject that fits a question."""

    required_capabilities: ClassVar[dict[str, Capability]] = {"POST": Capability.OWN_MEMORY_READ}

    @extend_schema(operation_id="recall", request=RecallRequestSerializer, responses=RecallResponseSerializer)
    def post(self, request: Request) -> Response:
        body = RecallRequestSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        fields = dict(body.validated_data)
        fields.pop("subject", None)
        # Asking about somebody unknown is answered like asking about somebody of whom nothing is stored: not found.
        subject_id = self.subject_id(request, create=False)
        result = recall(actor=self.actor, subject_id=subject_id, **fields)
        return Response(RecallResponseSerializer(result).data)
