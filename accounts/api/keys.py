"""REST: API keys, for admins: made and rotated with the secret shown once, listed with their last use, revoked."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from datetime import timedelta
from typing import Any, ClassVar

from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.base import ActorView
from accounts.api.parameters import KINDS, PAGE
from accounts.api.permissions import Required
from accounts.api.strict import StrictSerializer
from accounts.models import ApiKey
from accounts.permissions import SCOPE_CAPABILITIES, Capability
from accounts.services.create_api_key import create_api_key, revoke_api_key, rotate_api_key
from accounts.services.list_api_keys import api_keys, get_api_key

_KEYS: Required = Capability.KEYS_WRITE
_SCOPES = sorted(SCOPE_CAPABILITIES)
MAX_OVERLAP = 30 * 24 * 3600


class ApiKeySerializer(serializers.ModelSerializer[ApiKey]):
    """A key without its secret; `prefix` is how it is told from others. `last_used_at` is exact to a minute."""

    subject_id = serializers.UUIDField(allow_null=True, read_only=True)
    scopes = serializers.ListField(child=serializers.ChoiceField(choices=_SCOPES), read_only=True)

    class Meta:
        model = ApiKey
        fields = [
            "id",
            "name",
            "prefix",
            "scopes",
            "subject_id",
            "created_at",
            "expires_at",
            "revoked_at",
            "last_used_at",
        ]
        read_only_fields = fields


class MadeKeySerializer(ApiKeySerializer):
    """A key that was just made: `secret` is shown this once."""

    secret = serializers.SerializerMethodField(help_text="Send it as `Authorization: Bearer mh_…`.")

    class Meta(ApiKeySerializer.Meta):
        fields = [*ApiKeySerializer.Meta.fields, "secret"]

    def get_secret(self, key: ApiKey) -> str:
        return str(self.context["secret"])


class CreateKeySerializer(StrictSerializer):
    """With a subject the key reaches that subject's memory only, and has no scope admin."""

    name = serializers.CharField(max_length=100)
    scopes = serializers.ListField(
        child=serializers.ChoiceField(choices=_SCOPES), min_length=1, max_length=len(_SCOPES)
    )
    subject = serializers.CharField(max_length=512, required=False, trim_whitespace=False)
    subject_kind = serializers.ChoiceField(choices=KINDS, required=False)
    expires_at = serializers.DateTimeField(required=False, allow_null=True)


class RotateKeySerializer(StrictSerializer):
    """How long the old key works beside the new one."""

    overlap_seconds = serializers.IntegerField(min_value=0, max_value=MAX_OVERLAP, default=24 * 3600)


class ApiKeyList(ActorView):
    """The tenant's keys, the newest first."""

    required_capabilities: ClassVar[Mapping[str, Required]] = {"GET": _KEYS, "POST": _KEYS}
    seals_answers = True

    @extend_schema(operation_id="api_keys_list", parameters=list(PAGE), responses=ApiKeySerializer(many=True))
    def get(self, request: Request) -> Response:
        return self.page(lambda: api_keys(actor=self.actor), ApiKeySerializer)

    @extend_schema(
        operation_id="api_keys_create",
        request=CreateKeySerializer,
        responses={201: MadeKeySerializer},
        examples=[
            OpenApiExample(
                "A key for one person's assistant",
                value={"name": "assistant", "scopes": ["read", "write"], "subject": "ada@example.org"},
                request_only=True,
            )
        ],
    )
    def post(self, request: Request) -> Response:
        body = CreateKeySerializer(data=request.data)
        body.is_valid(raise_exception=True)
        fields = dict(body.validated_data)
        kind = fields.pop("subject_kind", None)
        if "subject" in fields or kind is not None:
            fields["subject_id"] = self.named_subject(fields.pop("subject", None), kind, create=True)
        key, secret = create_api_key(actor=self.actor, **fields)
        return _made(key, secret)


class ApiKeyDetail(ActorView):
    """One key."""

    required_capabilities: ClassVar[Mapping[str, Required]] = {"GET": _KEYS, "DELETE": _KEYS}

    @extend_schema(operation_id="api_keys_read", responses=ApiKeySerializer)
    def get(self, request: Request, key_id: uuid.UUID) -> Response:
        return Response(ApiKeySerializer(get_api_key(actor=self.actor, key_id=key_id)).data)

    @extend_schema(operation_id="api_keys_revoke", responses={200: ApiKeySerializer})
    def delete(self, request: Request, key_id: uuid.UUID) -> Response:
        """It stops working at once; the record stays."""
        return Response(ApiKeySerializer(revoke_api_key(actor=self.actor, key_id=key_id)).data)


class ApiKeyRotate(ActorView):
    """A new key in the place of this one, which works for a while longer."""

    required_capabilities: ClassVar[Mapping[str, Required]] = {"POST": _KEYS}
    seals_answers = True

    @extend_schema(
        operation_id="api_keys_rotate", request=RotateKeySerializer, responses={201: MadeKeySerializer}
    )
    def post(self, request: Request, key_id: uuid.UUID) -> Response:
        body = RotateKeySerializer(data=request.data)
        body.is_valid(raise_exception=True)
        overlap = timedelta(seconds=body.validated_data["overlap_seconds"])
        key, secret = rotate_api_key(actor=self.actor, key_id=key_id, overlap=overlap)
        return _made(key, secret)


def _made(key: ApiKey, secret: str) -> Response:
    data: dict[str, Any] = dict(MadeKeySerializer(key, context={"secret": secret}).data)
    answer = Response(data, status=status.HTTP_201_CREATED)
    answer["Cache-Control"] = "no-store"
    return answer
