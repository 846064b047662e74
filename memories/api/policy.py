"""REST: the tenant's policy, its own patterns and fields of sensitive content, and its versions; for admins."""

from __future__ import annotations

from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.base import ActorView
from accounts.permissions import Capability
from memories.api.serializers import StrictSerializer
from memories.core.policy import RULES, Policy
from memories.models import PolicyVersion
from memories.services.policies import newest_policy, policy_versions, set_policy
from memoryhub.common.db import tenant_transaction

_POLICY = Capability.POLICY_WRITE


class OwnPatternSerializer(serializers.Serializer[Any]):
    """A pattern that matches sensitive content; repeats need an upper bound, so that no text makes it slow."""

    name = serializers.CharField()
    pattern = serializers.CharField()
    action = serializers.ChoiceField(choices=["block", "mask", "encrypt", "ask", "keep"])
    model = serializers.ChoiceField(choices=["send", "mask"])
    ignore_case = serializers.BooleanField()


class OwnFieldSerializer(serializers.Serializer[Any]):
    """A field by its labels: what stands under such a key of metadata, or after such a word in a text, is sensitive."""

    name = serializers.CharField()
    labels = serializers.ListField(child=serializers.CharField())
    action = serializers.ChoiceField(choices=["block", "mask", "encrypt", "ask", "keep"])
    model = serializers.ChoiceField(choices=["send", "mask"])


class CustomSerializer(serializers.Serializer[Any]):
    """The tenant's own sensitive content."""

    patterns = OwnPatternSerializer(many=True, required=False)
    fields = OwnFieldSerializer(many=True, required=False)  # type: ignore[assignment]


class RuleSerializer(serializers.Serializer[Any]):
    """One rule of the table: what holds, what it is by default, and what it may be."""

    key = serializers.CharField()
    value = serializers.JSONField()
    default = serializers.JSONField()
    low = serializers.FloatField()
    high = serializers.FloatField()
    choices = serializers.ListField(child=serializers.CharField())
    unit = serializers.CharField()
    reason = serializers.CharField()


class PolicySerializer(serializers.Serializer[Any]):
    """The policy in force; version 0 are the defaults."""

    version = serializers.IntegerField()
    overrides = serializers.DictField()
    custom = CustomSerializer()
    note = serializers.CharField(allow_blank=True)
    rules = RuleSerializer(many=True)


@extend_schema_field(CustomSerializer)
class _CustomField(serializers.DictField):
    """Checked by the core, which says where in it something does not fit."""


class PutPolicySerializer(StrictSerializer):
    """A whole new version. `version` is the one that was read: another is a conflict. Without `custom` that stays."""

    overrides = serializers.DictField()
    custom = _CustomField(required=False)
    note = serializers.CharField(max_length=200, required=False, allow_blank=True)
    version = serializers.IntegerField(min_value=0, required=False)


class PolicyVersionSerializer(serializers.ModelSerializer[PolicyVersion]):
    """A version as it was set; `version` numbers them from 1."""

    version = serializers.IntegerField(source="number")

    class Meta:
        model = PolicyVersion
        fields = ["version", "overrides", "custom", "note", "created_by", "created_at"]
        read_only_fields = fields


class PolicyDetail(ActorView):
    """The policy of the tenant."""

    required_capabilities: ClassVar[dict[str, Capability]] = {"GET": _POLICY, "PUT": _POLICY}

    @extend_schema(operation_id="policy_read", responses=PolicySerializer)
    def get(self, request: Request) -> Response:
        return Response(_shown(newest_policy(actor=self.actor)))

    @extend_schema(operation_id="policy_set", request=PutPolicySerializer, responses=PolicySerializer)
    def put(self, request: Request) -> Response:
        body = PutPolicySerializer(data=request.data)
        body.is_valid(raise_exception=True)
        fields = dict(body.validated_data)
        expected = fields.pop("version", None)
        return Response(_shown(set_policy(actor=self.actor, expected=expected, **fields)))


class PolicyVersions(ActorView):
    """All versions, the newest first."""

    required_capabilities: ClassVar[dict[str, Capability]] = {"GET": _POLICY}

    @extend_schema(operation_id="policy_versions", responses=PolicyVersionSerializer(many=True))
    def get(self, request: Request) -> Response:
        with tenant_transaction(self.actor.tenant_id):
            return self.page(policy_versions(actor=self.actor), PolicyVersionSerializer)


def _shown(row: PolicyVersion | None) -> dict[str, Any]:
    policy = Policy.from_overrides(row.overrides, row.custom) if row else Policy.default()
    return {
        "version": row.number if row else 0,
        "overrides": policy.overrides(),
        "custom": {"patterns": [], "fields": [], **policy.own.as_data()},
        "note": row.note if row else "",
        "rules": [
            {
                "key": rule.key,
                "value": policy.value(rule.key),
                "default": rule.default,
                "low": rule.low,
                "high": rule.high,
                "choices": list(rule.choices),
                "unit": rule.unit,
                "reason": rule.reason,
            }
            for rule in RULES.values()
        ],
    }
