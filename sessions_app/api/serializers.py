"""What sessions and messages look like over REST."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from memories.api.serializers import OfSubjectSerializer, StrictSerializer
from sessions_app.core.limits import MAX_MESSAGE_CHARS, MAX_TITLE_CHARS, MAX_TOOL_CHARS
from sessions_app.models import ChatSession, Turn

ROLES = ["user", "assistant", "tool"]


class SessionSerializer(serializers.ModelSerializer[ChatSession]):
    """A session."""

    class Meta:
        model = ChatSession
        fields = [
            "id",
            "title",
            "mode",
            "preset",
            "state",
            "ended_reason",
            "outcome",
            "started_at",
            "last_activity_at",
            "ended_at",
        ]
        read_only_fields = fields


class OpenSessionSerializer(OfSubjectSerializer):
    """A new session."""

    title = serializers.CharField(max_length=MAX_TITLE_CHARS, required=False)
    mode = serializers.ChoiceField(choices=["full", "read_only"], default="full")
    preset = serializers.ChoiceField(choices=["chat", "task"], default="chat")


class ChangeSessionSerializer(StrictSerializer):
    """Only what is given changes."""

    title = serializers.CharField(max_length=MAX_TITLE_CHARS, required=False)
    outcome = serializers.ChoiceField(choices=["done", "failed", "reworked"], required=False)


class TurnSerializer(serializers.ModelSerializer[Turn]):
    """A message of a session. `used` lists the memories behind an answer, `outcomes` what a message led to."""

    class Meta:
        model = Turn
        fields = [
            "id",
            "seq",
            "role",
            "speaker",
            "content",
            "state",
            "error_code",
            "said_at",
            "client_msg_id",
            "reply_to",
            "used",
            "outcomes",
            "trace_id",
            "model",
            "usage",
        ]
        read_only_fields = fields


class PostMessageSerializer(StrictSerializer):
    """With `reply` (the default for a user's message) an answer is made and returned; without, the message is kept."""

    content = serializers.CharField(max_length=MAX_TOOL_CHARS)
    role = serializers.ChoiceField(choices=ROLES, default="user")
    speaker = serializers.CharField(max_length=200, required=False, allow_blank=True)
    at = serializers.DateTimeField(required=False)
    client_msg_id = serializers.CharField(max_length=64, required=False)
    reply = serializers.BooleanField(required=False)
    wait = serializers.BooleanField(
        default=True,
        help_text="Of a message without a reply: false keeps it at once and learns later; its outcomes are empty until then.",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if attrs["role"] != "tool" and len(attrs["content"]) > MAX_MESSAGE_CHARS:
            too_long = f"At most {MAX_MESSAGE_CHARS} characters; a tool's result may be longer."
            raise serializers.ValidationError({"content": too_long})
        attrs.setdefault("reply", attrs["role"] == "user" and "at" not in attrs)
        if attrs["reply"] and (attrs["role"] != "user" or "at" in attrs):
            raise serializers.ValidationError({"reply": "Only a user's message of now can be answered."})
        return attrs


class PostedSerializer(serializers.Serializer[Any]):
    """The stored message, and its answer when one was asked for."""

    message = TurnSerializer()
    answer = TurnSerializer(allow_null=True)
