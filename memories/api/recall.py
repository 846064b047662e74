"""REST: recall."""

from __future__ import annotations

import uuid
from typing import Any, ClassVar

from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.base import ActorView
from accounts.permissions import Capability
from memories.api.recall_serializers import RecallRequestSerializer, RecallResponseSerializer
from memories.core.policy import RULES
from memories.services.policies import policy_for
from memories.services.recall import RecallResult, recall

_WEIGHTS = "recall.weight."


class Recall(ActorView):
    """What is known about a subject that fits a question."""

    required_capabilities: ClassVar[dict[str, Capability]] = {"POST": Capability.OWN_MEMORY_READ}

    @extend_schema(
        operation_id="recall",
        request=RecallRequestSerializer,
        responses=RecallResponseSerializer,
        examples=[
            OpenApiExample(
                "A question with filters",
                value={
                    "subject": "ada@example.org",
                    "query": "Where does the spare key lie?",
                    "kinds": ["fact", "preference"],
                    "since": "2026-01-01T00:00:00Z",
                    "k": 3,
                    "explain": True,
                },
                request_only=True,
            )
        ],
    )
    def post(self, request: Request) -> Response:
        body = RecallRequestSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        fields = body.given
        explain, agent = fields.pop("explain"), fields.pop("agent", None)
        # Asking about somebody unknown is answered like asking about somebody of whom nothing is stored: not found.
        subject_id = self.subject_id(request, create=False)
        if agent is not None:
            fields["agent_id"] = self.named_subject(agent, "agent", create=False)
        result = recall(actor=self.actor, subject_id=subject_id, **fields)
        told = {name: getattr(result, name) for name in _TOLD}
        told["explanation"] = self._explained(result, fields.get("session_id")) if explain else None
        return Response(RecallResponseSerializer(told).data)

    def _explained(self, result: RecallResult, session_id: uuid.UUID | None) -> dict[str, Any]:
        in_force = policy_for(self.actor.tenant_id, session_id)
        numbers = in_force.policy
        return {
            **{name: getattr(result, name) for name in ("considered", "evidence", "signs", "past", "steps")},
            "threshold": numbers.number("recall.threshold"),
            "weights": {
                key.removeprefix(_WEIGHTS): numbers.number(key) for key in RULES if key.startswith(_WEIGHTS)
            },
            "policy_version": in_force.version,
        }


_TOLD = ("items", "abstained", "degraded", "trace_id", "milliseconds")
