"""What a question looks like over REST, and what is recalled for it."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from memories.api.serializers import KINDS, OfSubjectSerializer
from memories.services.limits import MAX_TAG, MAX_TAGS


class RecallRequestSerializer(OfSubjectSerializer):
    """A question and its filters."""

    query = serializers.CharField(max_length=4000)
    k = serializers.IntegerField(min_value=1, max_value=100, required=False)
    kinds = serializers.ListField(child=serializers.ChoiceField(choices=KINDS), required=False)
    tags = serializers.ListField(
        child=serializers.CharField(max_length=MAX_TAG), max_length=MAX_TAGS, required=False
    )
    metadata = serializers.DictField(required=False)
    since = serializers.DateTimeField(required=False)
    until = serializers.DateTimeField(required=False)
    as_of = serializers.DateTimeField(
        required=False,
        help_text="What was believed at that time, in the words of then; never what was forgotten since.",
    )
    past = serializers.BooleanField(
        required=False,
        allow_null=True,
        default=None,
        help_text="Whether what was superseded comes along, marked. Left out, the question decides.",
    )
    session_id = serializers.UUIDField(required=False)
    agent_id = serializers.UUIDField(required=False)
    agent = serializers.CharField(
        max_length=512,
        required=False,
        trim_whitespace=False,
        help_text="External id of an agent, in place of its agent_id: its own memories may be recalled, too.",
    )
    episodes = serializers.BooleanField(default=True)
    reinforce = serializers.BooleanField(default=True)
    explain = serializers.BooleanField(
        default=False,
        help_text="Tells beside the items how they were ranked, and why recall abstained, if so.",
    )

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if "agent" in attrs and "agent_id" in attrs:
            raise serializers.ValidationError({"agent": "Give either agent or agent_id."})
        return attrs


class RecallItemSerializer(serializers.Serializer[Any]):
    """One recalled item with its score's parts."""

    id = serializers.UUIDField()
    item_kind = serializers.CharField()
    kind = serializers.CharField()
    text = serializers.CharField()
    said_at = serializers.DateTimeField()
    speaker = serializers.CharField()
    role = serializers.CharField()
    source = serializers.CharField()  # type: ignore[assignment]
    score = serializers.FloatField()
    parts = serializers.DictField(child=serializers.FloatField())
    importance = serializers.FloatField()
    strength = serializers.FloatField()
    pinned = serializers.BooleanField()
    contradicted = serializers.BooleanField()
    contradicts = serializers.ListField(
        child=serializers.UUIDField(), help_text="The other sides of open contradictions."
    )
    superseded = serializers.BooleanField(
        help_text="Replaced since; such items come to questions of the past only."
    )
    holding = serializers.CharField(
        allow_blank=True, help_text="Empty when it holds now; else superseded, ended or upcoming."
    )
    valid_from = serializers.DateTimeField(allow_null=True)
    valid_to = serializers.DateTimeField(allow_null=True)
    confidence = serializers.FloatField()
    session_id = serializers.UUIDField(allow_null=True)
    source_ids = serializers.ListField(
        child=serializers.UUIDField(), help_text="The turns that it comes from, newest first."
    )


class ExplanationSerializer(serializers.Serializer[Any]):
    """How a recall came about. `weights` are the policy's, by the names of an item's `parts`; with less `evidence` than
    `threshold`, of which `signs` are what it was made of, recall abstains. `steps` are milliseconds."""

    considered = serializers.IntegerField()
    evidence = serializers.FloatField()
    threshold = serializers.FloatField()
    signs = serializers.DictField(child=serializers.FloatField())
    past = serializers.BooleanField()
    weights = serializers.DictField(child=serializers.FloatField())
    policy_version = serializers.IntegerField()
    steps = serializers.DictField(child=serializers.FloatField())


class RecallResponseSerializer(serializers.Serializer[Any]):
    """Items best first; none when `abstained`: nothing relevant is stored."""

    items = RecallItemSerializer(many=True)
    abstained = serializers.BooleanField()
    degraded = serializers.CharField(allow_blank=True)
    trace_id = serializers.UUIDField(allow_null=True)
    milliseconds = serializers.FloatField()
    explanation = ExplanationSerializer(allow_null=True, help_text="Null unless `explain` was asked for.")
