"""REST: many messages of a session in one call, learnt from at once or by an operation."""

from __future__ import annotations

import uuid
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
from memories.api.bulk import BulkAnswerSerializer
from memories.api.operations import operation_data
from memories.services.operations import get_operation
from sessions_app import relay
from sessions_app.api.serializers import ROLES
from sessions_app.core.limits import MAX_TOOL_CHARS
from sessions_app.protocol import resync_frame
from sessions_app.services.record_messages import AT_ONCE, MOST, record_messages


class BulkMessageSerializer(StrictSerializer):
    """One message that was said elsewhere; `at` is when."""

    role = serializers.ChoiceField(choices=ROLES)
    content = serializers.CharField(max_length=MAX_TOOL_CHARS)
    speaker = serializers.CharField(max_length=200, required=False, allow_blank=True)
    at = serializers.DateTimeField(required=False)
    client_msg_id = serializers.CharField(max_length=64, required=False)


class BulkMessagesSerializer(StrictSerializer):
    """Up to 500 messages, in their order. Left out, `wait` is true for up to 20 of them: more become an operation."""

    messages = BulkMessageSerializer(many=True)
    wait = serializers.BooleanField(required=False, allow_null=True, default=None)

    def validate_messages(self, messages: list[Any]) -> list[Any]:
        if not 1 <= len(messages) <= MOST:
            raise serializers.ValidationError(f"Give 1 to {MOST} messages.")
        return messages

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if attrs["wait"] and len(attrs["messages"]) > AT_ONCE:
            raise serializers.ValidationError(
                {"wait": f"Only {AT_ONCE} messages or fewer can be waited for."}
            )
        return attrs


class MessageBulk(ActorView):
    """Record what was said elsewhere. All messages are stored, or none."""

    required_capabilities: ClassVar[Mapping[str, Required]] = {"POST": Capability.CHAT}
    # Stored under marks of the key, then learnt from outside of the transaction.
    answers_in_steps = True

    @extend_schema(
        operation_id="messages_bulk_create",
        request=BulkMessagesSerializer,
        responses={200: BulkAnswerSerializer, 202: BulkAnswerSerializer},
        examples=[
            OpenApiExample(
                "A round",
                value={
                    "messages": [
                        {"role": "user", "content": "I moved to Hangzhou.", "at": "2026-03-01T09:00:00Z"},
                        {"role": "assistant", "content": "Noted.", "at": "2026-03-01T09:00:05Z"},
                    ]
                },
                request_only=True,
            )
        ],
    )
    def post(self, request: Request, session_id: uuid.UUID) -> Response:
        body = BulkMessagesSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        messages, wait = body.validated_data["messages"], body.validated_data["wait"]
        waits = len(messages) <= AT_ONCE if wait is None else bool(wait)
        made = record_messages(
            actor=self.actor, session_id=session_id, messages=messages, wait=waits, mark=self.retry_mark
        )
        relay.session_changed(session_id, resync_frame())
        results = [
            {"index": number, "outcomes": turn.outcomes if waits else [], "error": "", "turn_id": turn.pk}
            for number, turn in enumerate(made.turns)
        ]
        data = dict(BulkAnswerSerializer({"results": results, "operation": None}).data)
        if made.job_id is None:
            return Response(data)
        data["operation"] = operation_data(get_operation(actor=self.actor, operation_id=made.job_id))
        return Response(data, status=status.HTTP_202_ACCEPTED)
