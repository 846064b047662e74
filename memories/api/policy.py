"""REST: the tenant's policy, its own patterns and fields of sensitive content, and its versions; for admins."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.base import ActorView
from accounts.api.etags import IF_MATCH, check_match, matched, with_etag
from accounts.api.parameters import PAGE
from accounts.api.permissions import Required
from accounts.permissions import Capability
from memories.api.serializers import StrictSerializer
from memories.core.policy import RULES, Policy
from memories.models import PolicyVersion
from memories.services.policies import newest_policy, policy_versions, set_policy
from memories.services.policy_history import policy_version
from memories.services.preview_policy import preview_policy
from memories.services.revert_policy import revert_policy
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Conflict, NotFound

_POLICY = Capability.POLICY_WRITE
MAX_NUMBER = 2**31 - 1
_NUMBER = {"type": "integer", "minimum": 0, "maximum": MAX_NUMBER}


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


class PolicyPreviewRequestSerializer(StrictSerializer):
    """Exactly these overrides; without `custom` the tenant's own patterns and fields stay as they are."""

    overrides = serializers.DictField()
    custom = _CustomField(required=False)


class RevertPolicySerializer(StrictSerializer):
    """`to` is the version to go back to (0: the defaults), `version` the one in force that was read: another is a conflict."""

    to = serializers.IntegerField(min_value=0, max_value=MAX_NUMBER)
    version = serializers.IntegerField(min_value=0, max_value=MAX_NUMBER)
    note = serializers.CharField(max_length=200, required=False, allow_blank=True)


class RuleChangeSerializer(serializers.Serializer[Any]):
    """A rule before and after; `was_set` and `is_set` tell whether it was laid down or is the default."""

    key = serializers.CharField()
    old = serializers.JSONField(allow_null=True)
    new = serializers.JSONField(allow_null=True)
    was_set = serializers.BooleanField()
    is_set = serializers.BooleanField()


class SweepRowSerializer(serializers.Serializer[Any]):
    """What a sweep would take by one rule of one kind, now and under the changed policy."""

    rule = serializers.CharField(source="0")
    kind = serializers.CharField(source="1")
    before = serializers.IntegerField(source="2")
    after = serializers.IntegerField(source="3")


class SweepChangeSerializer(serializers.Serializer[Any]):
    """Of `examined` memories."""

    examined = serializers.IntegerField()
    rows = SweepRowSerializer(many=True)


class RecallChangeSerializer(serializers.Serializer[Any]):
    """The last `examined` recalls ranked anew: for how many the first row, the chosen ones, or any place changes."""

    examined = serializers.IntegerField()
    top = serializers.IntegerField()
    chosen = serializers.IntegerField()
    order = serializers.IntegerField()
    overlap = serializers.FloatField()
    correlation = serializers.FloatField()
    partly = serializers.IntegerField()
    k = serializers.IntegerField()


class PolicyPreviewSerializer(serializers.Serializer[Any]):
    """Compared with version `base`. `sweep` is null where counting took too long; `unseen` are rules of which a trace tells nothing."""

    base = serializers.IntegerField()
    rules = RuleChangeSerializer(many=True)
    sweep = SweepChangeSerializer(allow_null=True)
    recalls = RecallChangeSerializer()
    unseen = serializers.ListField(child=serializers.CharField())


class PolicyDetail(ActorView):
    """The policy of the tenant."""

    required_capabilities: ClassVar[dict[str, Capability]] = {"GET": _POLICY, "PUT": _POLICY}

    @extend_schema(operation_id="policy_read", responses=PolicySerializer)
    def get(self, request: Request) -> Response:
        return _answer(newest_policy(actor=self.actor))

    @extend_schema(
        operation_id="policy_set",
        parameters=[IF_MATCH],
        request=PutPolicySerializer,
        responses=PolicySerializer,
        examples=[
            OpenApiExample(
                "Recall more, mask e-mail addresses",
                value={"overrides": {"recall.k": 8, "pii.email": "mask"}, "note": "More, and less of others"},
                request_only=True,
            )
        ],
    )
    def put(self, request: Request) -> Response:
        body = PutPolicySerializer(data=request.data)
        body.is_valid(raise_exception=True)
        fields = dict(body.validated_data)
        expected = fields.pop("version", None)
        allowed = matched(request)
        if allowed is not None:
            newest = newest_policy(actor=self.actor)
            number = newest.number if newest else 0
            check_match(request, number)
            expected = number if expected is None else expected
        try:
            made = set_policy(actor=self.actor, expected=expected, **fields)
        except Conflict:
            if allowed is not None:
                newest = newest_policy(actor=self.actor)
                check_match(request, newest.number if newest else 0)
            raise
        return _answer(made)


class PolicyVersions(ActorView):
    """All versions, the newest first."""

    required_capabilities: ClassVar[dict[str, Capability]] = {"GET": _POLICY}

    @extend_schema(
        operation_id="policy_versions", parameters=list(PAGE), responses=PolicyVersionSerializer(many=True)
    )
    def get(self, request: Request) -> Response:
        with tenant_transaction(self.actor.tenant_id):
            return self.page(policy_versions(actor=self.actor), PolicyVersionSerializer)


class PolicyVersionDetail(ActorView):
    """One version, as the policy is shown; 0 are the table's own defaults."""

    required_capabilities: ClassVar[Mapping[str, Required]] = {"GET": _POLICY}

    @extend_schema(
        operation_id="policy_version_read",
        parameters=[OpenApiParameter("number", _NUMBER, OpenApiParameter.PATH)],
        responses=PolicySerializer,
    )
    def get(self, request: Request, number: int) -> Response:
        if number > MAX_NUMBER:
            raise NotFound("no such version")
        return Response(_shown(policy_version(actor=self.actor, number=number)))


class PolicyPreview(ActorView):
    """What a changed policy would do to the tenant's own data; nothing is changed."""

    required_capabilities: ClassVar[Mapping[str, Required]] = {"POST": _POLICY}
    keeps_answers = False

    @extend_schema(
        operation_id="policy_preview",
        request=PolicyPreviewRequestSerializer,
        responses=PolicyPreviewSerializer,
    )
    def post(self, request: Request) -> Response:
        body = PolicyPreviewRequestSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        return Response(PolicyPreviewSerializer(preview_policy(actor=self.actor, **body.validated_data)).data)


class PolicyRevert(ActorView):
    """Go back to an earlier version: a new version with its contents."""

    required_capabilities: ClassVar[Mapping[str, Required]] = {"POST": _POLICY}

    @extend_schema(
        operation_id="policy_revert", request=RevertPolicySerializer, responses={201: PolicySerializer}
    )
    def post(self, request: Request) -> Response:
        body = RevertPolicySerializer(data=request.data)
        body.is_valid(raise_exception=True)
        given = body.validated_data
        made = revert_policy(
            actor=self.actor, number=given["to"], expected=given["version"], note=given.get("note", "")
        )
        return _answer(made, status.HTTP_201_CREATED)


def _answer(row: PolicyVersion | None, code: int = status.HTTP_200_OK) -> Response:
    answer: Response = with_etag(Response(_shown(row), status=code), row.number if row else 0)
    return answer


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
