"""What memories look like over REST, and what a request may hold."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from accounts.actor import Actor
from accounts.api.parameters import KINDS as SUBJECT_KINDS
from accounts.api.strict import StrictSerializer
from memories.core.kinds import Kind
from memories.models import Memory, MemoryVersion
from memories.services.limits import MAX_CONTENT, MAX_KEY, MAX_PASSING_TURNS, MAX_SPEAKER, MAX_TAG, MAX_TAGS
from memories.services.restore import may_restore
from memories.store.past_sql import NEVER_AGAIN

__all__ = ["StrictSerializer"]

KINDS = [kind.value for kind in Kind]
SAID_BY = ["user", "assistant", "tool", "import"]
REACHES = ["user", "session", "agent"]


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


class OfSubjectSerializer(StrictSerializer):
    """A request about one subject: named by its external id, and its kind where that is not `user`."""

    subject = serializers.CharField(
        max_length=512, required=False, trim_whitespace=False, help_text="External id, taken literally."
    )
    subject_kind = serializers.ChoiceField(choices=SUBJECT_KINDS, required=False)

    @property
    def given(self) -> dict[str, Any]:
        """What was asked for, without whose memory is meant."""
        named = {"subject", "subject_kind"}
        return {name: value for name, value in self.validated_data.items() if name not in named}


class _MemoryFields(StrictSerializer):
    kind = serializers.ChoiceField(choices=KINDS, required=False)
    importance = serializers.FloatField(min_value=0, max_value=1, required=False)
    importance_level = serializers.ChoiceField(choices=["high", "medium", "low"], required=False)
    tags = serializers.ListField(
        child=serializers.CharField(max_length=MAX_TAG), max_length=MAX_TAGS, required=False
    )
    metadata = serializers.DictField(required=False)
    expires_at = serializers.DateTimeField(required=False, allow_null=True)


class RememberFields(_MemoryFields):
    """`infer` false keeps the text as given; true (the default) lets rules decide what in it is worth keeping."""

    content = serializers.CharField(max_length=MAX_CONTENT)
    # A field may be named as an attribute of the base class is: the metaclass takes it out of the class.
    source = serializers.ChoiceField(  # type: ignore[assignment]
        choices=SAID_BY, default="user"
    )
    speaker = serializers.CharField(max_length=MAX_SPEAKER, required=False)
    said_at = serializers.DateTimeField(required=False)
    key = serializers.CharField(max_length=MAX_KEY, required=False)
    scope = serializers.ChoiceField(
        choices=REACHES,
        default="user",
        help_text="`session`: recalled in that session only; `agent`: where that agent asks only.",
    )
    session_id = serializers.UUIDField(required=False)
    agent = serializers.CharField(
        max_length=512,
        required=False,
        trim_whitespace=False,
        help_text="External id of the agent it is from.",
    )
    expires_after_turns = serializers.IntegerField(
        min_value=1,
        max_value=MAX_PASSING_TURNS,
        required=False,
        help_text="Rounds of the session from here on.",
    )
    expires_with_session = serializers.BooleanField(default=False)
    pinned = serializers.BooleanField(default=False)
    infer = serializers.BooleanField(default=True)


class RememberSerializer(OfSubjectSerializer, RememberFields):
    """`infer` false keeps the text as given; true (the default) lets rules decide what in it is worth keeping."""


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
