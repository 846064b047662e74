"""REST: forget by words or by filter, preview it, answer and undo requests, and list and remove standing rules."""

from __future__ import annotations

import uuid
from typing import Any, ClassVar

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.base import ActorView
from accounts.api.parameters import OF_SUBJECT
from accounts.api.strict import query_flag
from accounts.permissions import Capability
from memories.api.serializers import (
    OfSubjectSerializer,
    OutcomeSerializer,
    OutcomesSerializer,
    StrictSerializer,
)
from memories.core.forgetting.target import Target
from memories.services.forget_by_words import forget_by_words
from memories.services.forget_preview import preview
from memories.services.forget_requests import decide_request, list_requests
from memories.services.forget_wanted import MAX_TEXT, wanted_of
from memories.services.standing_rules import list_rules, remove_rule
from memories.services.undo_request import undo_request

_READ, _WRITE = Capability.OWN_MEMORY_READ, Capability.OWN_MEMORY_WRITE


class ForgetSerializer(OfSubjectSerializer):
    """What is to be forgotten: in words (`text`), or by any of entity, attribute and value. `preview` removes nothing."""

    text = serializers.CharField(max_length=MAX_TEXT, required=False)
    entity = serializers.CharField(
        max_length=200, required=False, help_text='"user", "user:boss", or a name; "user" when left out.'
    )
    attribute = serializers.CharField(max_length=100, required=False)
    value = serializers.CharField(max_length=1_000, required=False)
    standing = serializers.BooleanField(
        default=False, help_text="Never learn it again, until the rule is removed."
    )
    preview = serializers.BooleanField(default=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        by_filter = [name for name in ("entity", "attribute", "value") if name in attrs]
        if ("text" in attrs) == bool(by_filter):
            raise serializers.ValidationError(
                {"text": "Give either a text, or a filter of entity, attribute and value."}
            )
        return attrs


class GoingSerializer(serializers.Serializer[Any]):
    """A memory that would go; the newest 50 are named."""

    id = serializers.UUIDField()
    content = serializers.CharField()


class PreviewSerializer(serializers.Serializer[Any]):
    """What one request would take; `likely_ids` only after a yes. `label` names it without the value."""

    # A field may be named as an attribute of the base class is: the metaclass takes it out of the class.
    label = serializers.CharField()  # type: ignore[assignment]
    scope = serializers.CharField()
    standing = serializers.BooleanField()
    memory_ids = serializers.ListField(child=serializers.UUIDField())
    likely_ids = serializers.ListField(child=serializers.UUIDField())
    asks = serializers.BooleanField()
    why = serializers.CharField()
    going = GoingSerializer(many=True)


class ForgottenSerializer(serializers.Serializer[Any]):
    """Outcomes of what was carried out, or, with `preview`, what would be."""

    results = OutcomeSerializer(many=True)
    preview = PreviewSerializer(many=True)


class ForgetRequestSerializer(serializers.Serializer[Any]):
    """A request to forget: waiting for a yes, done, refused, undoing (recalled again, words come back to `texts_left` more texts) or restored."""

    id = serializers.UUIDField()
    label = serializers.CharField()  # type: ignore[assignment]
    state = serializers.CharField()
    scope = serializers.CharField()
    standing = serializers.BooleanField()
    memories = serializers.IntegerField()
    texts = serializers.IntegerField()
    asked_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField()
    restorable = serializers.BooleanField()
    texts_left = serializers.IntegerField()
    going = GoingSerializer(many=True)


class ForgetRequestListSerializer(serializers.Serializer[Any]):
    """The newest 200."""

    results = ForgetRequestSerializer(many=True)


class ForgetDecisionSerializer(StrictSerializer):
    """Yes or no to a waiting request."""

    approve = serializers.BooleanField()


class ForgetUndoneSerializer(serializers.Serializer[Any]):
    """How many memories came back, how many stayed forgotten, how many words found their texts changed, and how many texts get theirs
    back by a job (the request is `undoing` until then)."""

    memories = serializers.IntegerField()
    stayed = serializers.IntegerField()
    missed = serializers.IntegerField()
    texts_left = serializers.IntegerField()


class ForgetRuleSerializer(serializers.Serializer[Any]):
    """A standing rule, in the words that it was asked in."""

    id = serializers.UUIDField()
    label = serializers.CharField()  # type: ignore[assignment]
    scope = serializers.CharField()
    created_at = serializers.DateTimeField()


class ForgetRuleListSerializer(serializers.Serializer[Any]):
    """All that stand."""

    results = ForgetRuleSerializer(many=True)


class Forget(ActorView):
    """Forget what a text or a filter names: at once where it is clear, after a yes where it is wide or unclear."""

    required_capabilities: ClassVar[dict[str, Capability]] = {"POST": _WRITE}

    @extend_schema(request=ForgetSerializer, responses=ForgottenSerializer)
    def post(self, request: Request, subject_id: uuid.UUID | None = None) -> Response:
        body = ForgetSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        whose = subject_id or self.subject_id(request, create=False)
        wanted: list[Target] = wanted_of(
            **{name: body.validated_data.get(name, "") for name in ("text", "entity", "attribute", "value")},
            standing=body.validated_data["standing"],
        )
        if body.validated_data["preview"]:
            found = preview(actor=self.actor, subject_id=whose, wanted=wanted)
            return Response(ForgottenSerializer({"results": [], "preview": found}).data)
        outcomes = forget_by_words(actor=self.actor, subject_id=whose, wanted=wanted)
        return Response(ForgottenSerializer({"results": outcomes, "preview": []}).data)


class ForgetRequestList(ActorView):
    """Requests to forget, the newest first."""

    required_capabilities: ClassVar[dict[str, Capability]] = {"GET": _READ}

    @extend_schema(
        operation_id="forget_requests_list",
        parameters=[
            *OF_SUBJECT,
            OpenApiParameter("waiting", bool, description="Only those that wait for a yes."),
        ],
        responses=ForgetRequestListSerializer,
    )
    def get(self, request: Request) -> Response:
        subject_id = self.subject_id(request, create=False)
        waiting = bool(query_flag(request, "waiting"))
        found = list_requests(actor=self.actor, subject_id=subject_id, waiting=waiting)
        return Response(ForgetRequestListSerializer({"results": found}).data)


class ForgetRequestDecision(ActorView):
    """The answer to a waiting request."""

    required_capabilities: ClassVar[dict[str, Capability]] = {"POST": _WRITE}

    @extend_schema(
        operation_id="forget_requests_decide", request=ForgetDecisionSerializer, responses=OutcomesSerializer
    )
    def post(self, request: Request, request_id: uuid.UUID) -> Response:
        body = ForgetDecisionSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        approve = body.validated_data["approve"]
        outcomes = decide_request(actor=self.actor, request_id=request_id, approve=approve)
        return Response(OutcomesSerializer({"results": outcomes}).data)


class ForgetRequestUndo(ActorView):
    """Bring back what a request took, words and all, until its retention time has passed."""

    required_capabilities: ClassVar[dict[str, Capability]] = {"POST": _WRITE}

    @extend_schema(operation_id="forget_requests_undo", request=None, responses=ForgetUndoneSerializer)
    def post(self, request: Request, request_id: uuid.UUID) -> Response:
        back = undo_request(actor=self.actor, request_id=request_id)
        return Response(ForgetUndoneSerializer(back).data)


class ForgetRuleList(ActorView):
    """What is never to be learnt, until the rule is removed."""

    required_capabilities: ClassVar[dict[str, Capability]] = {"GET": _READ}

    @extend_schema(
        operation_id="forget_rules_list", parameters=[*OF_SUBJECT], responses=ForgetRuleListSerializer
    )
    def get(self, request: Request) -> Response:
        subject_id = self.subject_id(request, create=False)
        found = list_rules(actor=self.actor, subject_id=subject_id)
        return Response(ForgetRuleListSerializer({"results": found}).data)


class ForgetRuleDetail(ActorView):
    """One standing rule."""

    required_capabilities: ClassVar[dict[str, Capability]] = {"DELETE": _WRITE}

    @extend_schema(operation_id="forget_rules_remove", responses={204: None})
    def delete(self, request: Request, rule_id: uuid.UUID) -> Response:
        remove_rule(actor=self.actor, rule_id=rule_id)
        return Response(status=status.HTTP_204_NO_CONTENT)
