"""What memories look like over REST, and what a request may hold."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from memories.core.kinds import Kind
from memories.models import Memory, MemoryVersion

KINDS = [kind.value for kind in Kind]
MAX_CONTENT = 20_000


class MemorySerializer(serializers.ModelSerializer[Memory]):
    """A stored memory."""

    class Meta:
        model = Memory
        fields = [
            "id",
            "kind",
            "content",
            "language",
            "scope",
            "session_id",
            "tags",
            "metadata",
            "key",
            "source",
            "speaker",
            "importance",
            "importance_level",
            "credibility",
            "strength",
            "hits",
            "last_hit_at",
            "pinned",
            "status",
            "superseded_by",
            "said_at",
            "valid_from",
            "valid_to",
            "expires_at",
            "version",
            "created_at",
            "updated_at",
        ]
        read_only_fields = fields


class VersionSerializer(serializers.ModelSerializer[MemoryVersion]):
    """One version of a memory: what it was after a change, and why."""

    class Meta:
        model = MemoryVersion
        fields = [
            "number",
            "change",
            "content",
            "state",
            "actor_kind",
            "rule",
            "reason",
            "turn_id",
            "at",
            "redacted_at",
        ]
        read_only_fields = fields


class StrictSerializer(serializers.Serializer[Any]):
    """Refuses fields that it does not know, so that a misspelt one is an error and not a silent nothing."""

    def to_internal_value(self, data: Any) -> Any:
        if isinstance(data, dict):
            unknown = sorted(set(data) - set(self.fields))
            if unknown:
                raise serializers.ValidationError({name: "There is no such field." for name in unknown[:20]})
        return super().to_internal_value(data)


class _MemoryFields(StrictSerializer):
    kind = serializers.ChoiceField(choices=KINDS, required=False)
    importance = serializers.FloatField(min_value=0, max_value=1, required=False)
    importance_level = serializers.ChoiceField(choices=["high", "medium", "low"], required=False)
    tags = serializers.ListField(child=serializers.CharField(max_length=64), max_length=32, required=False)
    metadata = serializers.DictField(required=False)
    expires_at = serializers.DateTimeField(required=False, allow_null=True)


class RememberSerializer(_MemoryFields):
    """`infer` false keeps the text as given; true (the default) lets rules decide what in it is worth keeping."""

    subject = serializers.CharField(max_length=512, required=False)
    content = serializers.CharField(max_length=MAX_CONTENT)
    source = serializers.ChoiceField(choices=["user", "assistant", "tool", "import"], default="user")
    speaker = serializers.CharField(max_length=200, required=False)
    said_at = serializers.DateTimeField(required=False)
    key = serializers.CharField(max_length=200, required=False)
    pinned = serializers.BooleanField(default=False)
    infer = serializers.BooleanField(default=True)


class EditSerializer(_MemoryFields):
    """Only what is given changes. `version` is the one that was read: another is a conflict."""

    content = serializers.CharField(max_length=MAX_CONTENT, required=False)
    pinned = serializers.BooleanField(required=False)
    version = serializers.IntegerField(min_value=1, required=False)


class OutcomeSerializer(serializers.Serializer[Any]):
    """What became of one statement: never a silent nothing."""

    code = serializers.CharField()
    memory_id = serializers.UUIDField(allow_null=True)
    kind = serializers.CharField(allow_blank=True)
    rule = serializers.CharField(allow_blank=True)
    reasons = serializers.ListField(child=serializers.CharField())
    replaced_id = serializers.UUIDField(allow_null=True)


class OutcomesSerializer(serializers.Serializer[Any]):
    """The outcomes of one write."""

    results = OutcomeSerializer(many=True)


class RecallRequestSerializer(StrictSerializer):
    """A question and its filters."""

    subject = serializers.CharField(max_length=512, required=False)
    query = serializers.CharField(max_length=4000)
    k = serializers.IntegerField(min_value=1, max_value=100, required=False)
    kinds = serializers.ListField(child=serializers.ChoiceField(choices=KINDS), required=False)
    tags = serializers.ListField(child=serializers.CharField(max_length=64), max_length=32, required=False)
    metadata = serializers.DictField(required=False)
    since = serializers.DateTimeField(required=False)
    until = serializers.DateTimeField(required=False)
    session_id = serializers.UUIDField(required=False)
    episodes = serializers.BooleanField(default=True)
    reinforce = serializers.BooleanField(default=True)


class RecallItemSerializer(serializers.Serializer[Any]):
    """One recalled item with its score's parts."""

    id = serializers.UUIDField()
    item_kind = serializers.CharField()
    kind = serializers.CharField()
    text = serializers.CharField()
    said_at = serializers.DateTimeField()
    speaker = serializers.CharField()
    role = serializers.CharField()
    source = serializers.CharField()
    score = serializers.FloatField()
    parts = serializers.DictField(child=serializers.FloatField())
    importance = serializers.FloatField()
    strength = serializers.FloatField()
    pinned = serializers.BooleanField()
    contradicted = serializers.BooleanField()
    confidence = serializers.FloatField()
    session_id = serializers.UUIDField(allow_null=True)
    source_ids = serializers.ListField(child=serializers.UUIDField())


class RecallResponseSerializer(serializers.Serializer[Any]):
    """Items best first; none when `abstained`: nothing relevant is stored."""

    items = RecallItemSerializer(many=True)
    abstained = serializers.BooleanField()
    degraded = serializers.CharField(allow_blank=True)
    trace_id = serializers.UUIDField(allow_null=True)
    milliseconds = serializers.FloatField()
