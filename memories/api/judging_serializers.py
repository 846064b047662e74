"""What approvals, feedback and traces look like over REST."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from memories.api.serializers import OfSubjectSerializer, StrictSerializer
from memories.models import Approval, Feedback, RecallTrace
from memories.services.feedback import Verdict

VERDICTS = [verdict.value for verdict in Verdict]


class ApprovalSerializer(serializers.ModelSerializer[Approval]):
    """A memory that waits; of a sensitive one `content` is the masked form."""

    kind = serializers.CharField(source="memory.kind", read_only=True)
    content = serializers.CharField(source="memory.content", read_only=True)

    class Meta:
        model = Approval
        fields = ["id", "memory_id", "kind", "content", "state", "rule", "asked_at"]
        read_only_fields = fields


class DecisionSerializer(StrictSerializer):
    """The answer to what waits."""

    approve = serializers.BooleanField()


class FeedbackRequestSerializer(OfSubjectSerializer):
    """`right` confirms the memory, `wrong` halves its strength, `irrelevant` says that it did not belong in the answer."""

    verdict = serializers.ChoiceField(choices=VERDICTS)
    memory_id = serializers.UUIDField(required=False)
    turn_id = serializers.UUIDField(required=False)
    trace_id = serializers.UUIDField(required=False)


class FeedbackSerializer(serializers.ModelSerializer[Feedback]):
    """A stored verdict."""

    class Meta:
        model = Feedback
        fields = ["id", "verdict", "memory_id", "turn_id", "trace_id", "at"]
        read_only_fields = fields


class TraceSerializer(serializers.ModelSerializer[RecallTrace]):
    """`considered` holds ids, scores and their parts, best first; `used` marks what went into the result."""

    class Meta:
        model = RecallTrace
        fields = [
            "id",
            "session_id",
            "turn_id",
            "query",
            "standalone_query",
            "considered",
            "sections",
            "budget_tokens",
            "used_tokens",
            "abstained",
            "degraded",
            "gate",
            "policy_version",
            "milliseconds",
            "redacted",
            "at",
        ]
        read_only_fields = fields


class ReplayRequestSerializer(StrictSerializer):
    """The policy to rank with: overrides of the policy table; left out, the policy of then."""

    policy = serializers.DictField(required=False)


class ReplayRowSerializer(serializers.Serializer[Any]):
    """A row of a past recall; `text` is what it said then, empty when it is `gone`: forgotten, redacted or erased since."""

    item_id = serializers.UUIDField()
    item_kind = serializers.CharField()
    score_then = serializers.FloatField()
    score_now = serializers.FloatField()
    place_then = serializers.IntegerField()
    place_now = serializers.IntegerField()
    used = serializers.BooleanField()
    scores = serializers.DictField(child=serializers.FloatField())
    text = serializers.CharField(allow_blank=True)
    gone = serializers.BooleanField()


class ReplaySerializer(serializers.Serializer[Any]):
    """A past recall, ranked again; `redacted` counts the rows that are gone, `exact` says that scores follow from parts."""

    trace_id = serializers.UUIDField()
    at = serializers.DateTimeField()
    query = serializers.CharField(allow_blank=True)
    standalone_query = serializers.CharField(allow_blank=True)
    abstained = serializers.BooleanField()
    degraded = serializers.CharField(allow_blank=True)
    policy_version = serializers.IntegerField()
    redacted = serializers.IntegerField()
    exact = serializers.BooleanField()
    rows = ReplayRowSerializer(many=True)
