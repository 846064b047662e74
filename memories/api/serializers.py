"""What memories look like over REST, and what a request may hold."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from accounts.actor import Actor
from memories.core.kinds import Kind
from memories.models import Approval, Feedback, Memory, MemoryVersion, RecallTrace
from memories.services.feedback import Verdict
from memories.services.limits import MAX_CONTENT, MAX_KEY, MAX_PASSING_TURNS, MAX_SPEAKER, MAX_TAG, MAX_TAGS
from memories.services.restore import may_restore
from memories.store.past_sql import NEVER_AGAIN

KINDS = [kind.value for kind in Kind]
VERDICTS = [verdict.value for verdict in Verdict]


_BLANK: dict[str, Any] = {"content": "", "tags": [], "metadata": {}, "key": "", "speaker": ""}


def _shown(serializer: serializers.BaseSerializer[Any], memory: Memory) -> bool:
    """Whether the words may be shown: all but what was taken out on purpose, and that to who may bring it back."""
    if memory.status not in NEVER_AGAIN:
        return True
    actor: Actor | None = serializer.context.get("actor")
    return actor is not None and may_restore(actor, memory.subject_id)


class MemorySerializer(serializers.ModelSerializer[Memory]):
    """A stored memory; without its words when it was forgotten and the actor of the context may not restore it."""

    def to_representation(self, instance: Memory) -> dict[str, Any]:
        data: dict[str, Any] = super().to_representation(instance)
        return data if _shown(self, instance) else {**data, **_BLANK}

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
            "expires_after_turns",
            "expires_with_session",
            "version",
            "created_at",
            "updated_at",
        ]
        read_only_fields = fields


class VersionSerializer(serializers.ModelSerializer[MemoryVersion]):
    """One version of a memory: what it was after a change, and why; blank as the memory itself is."""

    def to_representation(self, instance: MemoryVersion) -> dict[str, Any]:
        data: dict[str, Any] = super().to_representation(instance)
        if _shown(self, instance.memory):
            return data
        state = {name: value for name, value in data["state"].items() if name not in _BLANK}
        return {**data, "content": "", "reason": "", "state": state}

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
                raise serializers.ValidationError(dict.fromkeys(unknown[:20], "There is no such field."))
        return super().to_internal_value(data)


class _MemoryFields(StrictSerializer):
    kind = serializers.ChoiceField(choices=KINDS, required=False)
    importance = serializers.FloatField(min_value=0, max_value=1, required=False)
    importance_level = serializers.ChoiceField(choices=["high", "medium", "low"], required=False)
    tags = serializers.ListField(
        child=serializers.CharField(max_length=MAX_TAG), max_length=MAX_TAGS, required=False
    )
    metadata = serializers.DictField(required=False)
    expires_at = serializers.DateTimeField(required=False, allow_null=True)


class RememberSerializer(_MemoryFields):
    """`infer` false keeps the text as given; true (the default) lets rules decide what in it is worth keeping."""

    subject = serializers.CharField(max_length=512, required=False)
    content = serializers.CharField(max_length=MAX_CONTENT)
    # A field may be named as an attribute of the base class is: the metaclass takes it out of the class.
    source = serializers.ChoiceField(  # type: ignore[assignment]
        choices=["user", "assistant", "tool", "import"], default="user"
    )
    speaker = serializers.CharField(max_length=MAX_SPEAKER, required=False)
    said_at = serializers.DateTimeField(required=False)
    key = serializers.CharField(max_length=MAX_KEY, required=False)
    scope = serializers.ChoiceField(
        choices=["user", "session"], default="user", help_text="`session`: recalled in that session only."
    )
    session_id = serializers.UUIDField(required=False)
    expires_after_turns = serializers.IntegerField(
        min_value=1,
        max_value=MAX_PASSING_TURNS,
        required=False,
        help_text="Rounds of the session from here on.",
    )
    expires_with_session = serializers.BooleanField(default=False)
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


class RecallResponseSerializer(serializers.Serializer[Any]):
    """Items best first; none when `abstained`: nothing relevant is stored."""

    items = RecallItemSerializer(many=True)
    abstained = serializers.BooleanField()
    degraded = serializers.CharField(allow_blank=True)
    trace_id = serializers.UUIDField(allow_null=True)
    milliseconds = serializers.FloatField()


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


class FeedbackRequestSerializer(StrictSerializer):
    """`right` confirms the memory, `wrong` halves its strength, `irrelevant` says that it did not belong in the answer."""

    subject = serializers.CharField(max_length=512, required=False)
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


class ReplayedSerializer(serializers.Serializer[Any]):
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
    rows = ReplayedSerializer(many=True)
