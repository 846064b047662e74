"""REST: webhooks, for admins: endpoints with their secret shown once, what was delivered, tests, and dead letters sent again."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from datetime import timedelta
from typing import Any, ClassVar

from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.base import ActorView
from accounts.api.etags import IF_MATCH, check_match, with_etag
from accounts.api.parameters import PAGE
from accounts.api.permissions import Required
from accounts.api.strict import StrictSerializer, query_one_of
from memories.core.webhooks import Event
from memories.models import Webhook, WebhookDelivery
from memories.services.webhooks.change_webhook import change_webhook, delete_webhook
from memories.services.webhooks.checks import MAX_NAME, MAX_URL
from memories.services.webhooks.create_webhook import create_webhook
from memories.services.webhooks.read import CAPABILITY, deliveries_of, get_webhook, webhooks_of
from memories.services.webhooks.rotate_secret import MAX_OVERLAP, rotate_webhook_secret
from memories.services.webhooks.send_again import MOST, replay_dead, send_test
from memoryhub.common.db import tenant_transaction

_HOOKS: Required = CAPABILITY
_EVENTS = [str(one) for one in Event]
_STATES = list(WebhookDelivery.State.values)


class WebhookSerializer(serializers.ModelSerializer[Webhook]):
    """An endpoint without its secret.

    `events` empty stands for all. `failures` are those in a row; the next message goes out at `next_at` at the earliest. `lost_since`: events
    are missing from then on, since so many waited that no more were taken in.
    """

    events = serializers.ListField(child=serializers.ChoiceField(choices=_EVENTS), read_only=True)

    class Meta:
        model = Webhook
        fields = [
            "id",
            "name",
            "url",
            "events",
            "with_content",
            "state",
            "disabled_why",
            "version",
            "failures",
            "next_at",
            "last_success_at",
            "last_error",
            "lost_since",
            "previous_until",
            "created_at",
            "updated_at",
        ]
        read_only_fields = fields


class MadeWebhookSerializer(WebhookSerializer):
    """An endpoint with a new secret, which is shown this once."""

    secret = serializers.SerializerMethodField(
        help_text="`whsec_` and base64: the key of the HMAC-SHA-256 in `webhook-signature`."
    )

    class Meta(WebhookSerializer.Meta):
        fields = [*WebhookSerializer.Meta.fields, "secret"]

    def get_secret(self, webhook: Webhook) -> str:
        return str(self.context["secret"])


class WebhookFields(StrictSerializer):
    """What a change may give; what is left out stays."""

    name = serializers.CharField(max_length=MAX_NAME, allow_blank=True, required=False)
    url = serializers.CharField(max_length=MAX_URL, required=False)
    events = serializers.ListField(
        child=serializers.ChoiceField(choices=_EVENTS), required=False, max_length=len(_EVENTS)
    )
    with_content = serializers.BooleanField(required=False)
    enabled = serializers.BooleanField(required=False)


class NewWebhook(StrictSerializer):
    """A new endpoint; without `events` it is told of all."""

    name = serializers.CharField(max_length=MAX_NAME, allow_blank=True, required=False)
    url = serializers.CharField(max_length=MAX_URL)
    events = serializers.ListField(
        child=serializers.ChoiceField(choices=_EVENTS), required=False, max_length=len(_EVENTS)
    )
    with_content = serializers.BooleanField(required=False)


class RotateWebhook(StrictSerializer):
    """How long the former secret signs beside the new one."""

    overlap_seconds = serializers.IntegerField(
        min_value=0, max_value=int(MAX_OVERLAP.total_seconds()), default=24 * 3600
    )


class ReplayWebhook(StrictSerializer):
    """Which dead letters; the oldest, when left out."""

    deliveries = serializers.ListField(
        child=serializers.UUIDField(), required=False, min_length=1, max_length=MOST
    )


class ReplayedSerializer(serializers.Serializer[Any]):
    """How many wait again."""

    replayed = serializers.IntegerField()


class DeliverySerializer(serializers.ModelSerializer[WebhookDelivery]):
    """One event for one endpoint; `id` is its `webhook-id`. `status` and `error_code` are of the last attempt."""

    subject_id = serializers.UUIDField(source="subject_ref", allow_null=True, read_only=True)
    memory_id = serializers.UUIDField(source="memory_ref", allow_null=True, read_only=True)
    sequence = serializers.IntegerField(source="seq", read_only=True)

    class Meta:
        model = WebhookDelivery
        fields = [
            "id",
            "event",
            "sequence",
            "subject_id",
            "memory_id",
            "at",
            "state",
            "attempts",
            "next_at",
            "status",
            "error_code",
            "finished_at",
        ]
        read_only_fields = fields


class WebhookList(ActorView):
    """The tenant's endpoints, the newest first."""

    required_capabilities: ClassVar[Mapping[str, Required]] = {"GET": _HOOKS, "POST": _HOOKS}
    seals_answers = True

    @extend_schema(
        operation_id="webhooks_list", parameters=list(PAGE), responses=WebhookSerializer(many=True)
    )
    def get(self, request: Request) -> Response:
        with tenant_transaction(self.actor.tenant_id):
            return self.page(webhooks_of(actor=self.actor), WebhookSerializer)

    @extend_schema(
        operation_id="webhooks_create",
        request=NewWebhook,
        responses={201: MadeWebhookSerializer},
        examples=[
            OpenApiExample(
                "Tell what is stored and forgotten",
                value={
                    "url": "https://app.example.org/hooks/memory",
                    "events": ["memory.stored", "memory.forgotten"],
                },
                request_only=True,
            )
        ],
    )
    def post(self, request: Request) -> Response:
        body = NewWebhook(data=request.data)
        body.is_valid(raise_exception=True)
        return _made(*create_webhook(actor=self.actor, **body.validated_data))


class WebhookDetail(ActorView):
    """One endpoint."""

    required_capabilities: ClassVar[Mapping[str, Required]] = {
        "GET": _HOOKS,
        "PATCH": _HOOKS,
        "DELETE": _HOOKS,
    }

    @extend_schema(operation_id="webhooks_read", responses=WebhookSerializer)
    def get(self, request: Request, webhook_id: uuid.UUID) -> Response:
        return _shown(get_webhook(actor=self.actor, webhook_id=webhook_id))

    @extend_schema(
        operation_id="webhooks_change",
        request=WebhookFields,
        responses=WebhookSerializer,
        parameters=[IF_MATCH],
    )
    def patch(self, request: Request, webhook_id: uuid.UUID) -> Response:
        body = WebhookFields(data=request.data)
        body.is_valid(raise_exception=True)
        changed = change_webhook(
            actor=self.actor,
            webhook_id=webhook_id,
            check=lambda version: check_match(request, version),
            **body.validated_data,
        )
        return _shown(changed)

    @extend_schema(operation_id="webhooks_delete", responses={204: None})
    def delete(self, request: Request, webhook_id: uuid.UUID) -> Response:
        """It goes, with everything that waits for it."""
        delete_webhook(actor=self.actor, webhook_id=webhook_id)
        return Response(status=status.HTTP_204_NO_CONTENT)


class WebhookRotate(ActorView):
    """A new secret; the former one signs beside it for a while."""

    required_capabilities: ClassVar[Mapping[str, Required]] = {"POST": _HOOKS}
    seals_answers = True

    @extend_schema(
        operation_id="webhooks_rotate", request=RotateWebhook, responses={200: MadeWebhookSerializer}
    )
    def post(self, request: Request, webhook_id: uuid.UUID) -> Response:
        body = RotateWebhook(data=request.data)
        body.is_valid(raise_exception=True)
        overlap = timedelta(seconds=body.validated_data["overlap_seconds"])
        rotated = rotate_webhook_secret(actor=self.actor, webhook_id=webhook_id, overlap=overlap)
        return _made(*rotated, code=status.HTTP_200_OK)


class WebhookTest(ActorView):
    """Send an event `webhook.test`, on its way like any other."""

    required_capabilities: ClassVar[Mapping[str, Required]] = {"POST": _HOOKS}

    @extend_schema(operation_id="webhooks_test", request=None, responses={202: DeliverySerializer})
    def post(self, request: Request, webhook_id: uuid.UUID) -> Response:
        made = send_test(actor=self.actor, webhook_id=webhook_id)
        return Response(DeliverySerializer(made).data, status=status.HTTP_202_ACCEPTED)


class WebhookDeliveries(ActorView):
    """What was, is and will be sent to an endpoint, the newest first: delivered ones of a week, dead letters of 60 days."""

    required_capabilities: ClassVar[Mapping[str, Required]] = {"GET": _HOOKS}

    @extend_schema(
        operation_id="webhooks_deliveries",
        parameters=[OpenApiParameter("state", str, enum=_STATES, description="Only those."), *PAGE],
        responses=DeliverySerializer(many=True),
    )
    def get(self, request: Request, webhook_id: uuid.UUID) -> Response:
        state = query_one_of(request, "state", _STATES) or ""
        with tenant_transaction(self.actor.tenant_id):
            rows = deliveries_of(actor=self.actor, webhook_id=webhook_id, state=state)
            return self.page(rows, DeliverySerializer)


class WebhookReplay(ActorView):
    """Dead letters wait again, with all their attempts: those named, or the thousand oldest."""

    required_capabilities: ClassVar[Mapping[str, Required]] = {"POST": _HOOKS}

    @extend_schema(operation_id="webhooks_replay", request=ReplayWebhook, responses={200: ReplayedSerializer})
    def post(self, request: Request, webhook_id: uuid.UUID) -> Response:
        body = ReplayWebhook(data=request.data)
        body.is_valid(raise_exception=True)
        number = replay_dead(
            actor=self.actor, webhook_id=webhook_id, deliveries=body.validated_data.get("deliveries")
        )
        return Response({"replayed": number})


def _shown(webhook: Webhook) -> Response:
    found: Response = with_etag(Response(WebhookSerializer(webhook).data), webhook.version)
    return found


def _made(webhook: Webhook, secret: str, code: int = status.HTTP_201_CREATED) -> Response:
    data: dict[str, Any] = dict(MadeWebhookSerializer(webhook, context={"secret": secret}).data)
    answer: Response = with_etag(Response(data, status=code), webhook.version)
    answer["Cache-Control"] = "no-store"
    return answer
