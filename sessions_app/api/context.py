"""REST: the context of a question as messages, ready for any model."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any, ClassVar

from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.base import ActorView
from accounts.api.permissions import Required
from accounts.permissions import Capability
from memories.api.serializers import OfSubjectSerializer
from sessions_app.core.context import MIN_BUDGET
from sessions_app.core.limits import MAX_MESSAGE_CHARS
from sessions_app.services.context_for import MAX_SYSTEM, context_for

MAX_BUDGET = 200_000


class ContextRequestSerializer(OfSubjectSerializer):
    """A question of a subject, or in a session: then its window, digests and rules come along.

    `system` are the caller's own instructions, which stand first and count into the budget.
    """

    message = serializers.CharField(max_length=MAX_MESSAGE_CHARS)
    session_id = serializers.UUIDField(required=False)
    system = serializers.CharField(max_length=MAX_SYSTEM, required=False, allow_blank=True, default="")
    budget_tokens = serializers.IntegerField(
        min_value=MIN_BUDGET, max_value=MAX_BUDGET, required=False, help_text="The policy's, when left out."
    )
    reinforce = serializers.BooleanField(
        default=True, help_text="Whether what went in counts as used, and so stays longer."
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if "session_id" in attrs and ("subject" in attrs or "subject_kind" in attrs):
            raise serializers.ValidationError({"subject": "The session says whose it is: leave it out."})
        return attrs


class ContextMessageSerializer(serializers.Serializer[Any]):
    """One message, as chat models take it."""

    role = serializers.ChoiceField(choices=["system", "user", "assistant", "tool"])
    content = serializers.CharField(allow_blank=True)


class UsedSerializer(serializers.Serializer[Any]):
    """What stands in the context under `number`."""

    id = serializers.UUIDField()
    item_kind = serializers.CharField()
    number = serializers.IntegerField()
    score = serializers.FloatField(allow_null=True)
    section = serializers.CharField()


class ContextSerializer(serializers.Serializer[Any]):
    """`used_tokens` is counted after assembly and is never above `budget_tokens`; `sections` splits it, with counts of what was left out.

    `gate`: none (no memory is needed), new_topic or continue. `abstained`: nothing relevant is stored.
    """

    messages = ContextMessageSerializer(many=True)
    used_tokens = serializers.IntegerField()
    budget_tokens = serializers.IntegerField()
    sections = serializers.DictField(child=serializers.IntegerField())
    used = UsedSerializer(many=True)
    gate = serializers.CharField()
    abstained = serializers.BooleanField(allow_null=True, help_text="Null where nothing was recalled.")
    degraded = serializers.CharField(allow_blank=True)
    trace_id = serializers.UUIDField(allow_null=True)


class ContextView(ActorView):
    """What a model needs to know to answer a message."""

    required_capabilities: ClassVar[Mapping[str, Required]] = {"POST": Capability.OWN_MEMORY_READ}

    @extend_schema(
        operation_id="context_create",
        request=ContextRequestSerializer,
        responses=ContextSerializer,
        examples=[
            OpenApiExample(
                "For one's own model",
                value={
                    "subject": "ada@example.org",
                    "message": "Where did I leave the spare key?",
                    "system": "You are a concise assistant.",
                    "budget_tokens": 1500,
                },
                request_only=True,
            )
        ],
    )
    def post(self, request: Request) -> Response:
        body = ContextRequestSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        given = body.given
        session_id: uuid.UUID | None = given.get("session_id")
        subject_id = None if session_id is not None else self.subject_id(request, create=False)
        found = context_for(
            actor=self.actor,
            subject_id=subject_id,
            session_id=session_id,
            message=given["message"],
            system=given["system"],
            budget=given.get("budget_tokens"),
            reinforce=given["reinforce"],
        )
        self._meant = found.subject_id
        context = found.context
        recalled = context.recall
        data = {
            **{
                name: getattr(context, name)
                for name in ("messages", "used_tokens", "budget_tokens", "sections", "gate", "trace_id")
            },
            "used": [{"score": None, **one} for one in context.used],
            "abstained": recalled.abstained if recalled is not None else None,
            "degraded": recalled.degraded if recalled is not None else "",
        }
        return Response(ContextSerializer(data).data)
