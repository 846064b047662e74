"""REST: the rules that hold for a person, and those that operators lay down for everybody in the tenant."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any, ClassVar

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.base import ActorView
from accounts.api.etags import IF_MATCH, check_match
from accounts.api.parameters import OF_SUBJECT
from accounts.api.permissions import Required
from accounts.api.strict import query_flag, query_id
from accounts.permissions import Capability
from memories.api.serializers import OfSubjectSerializer, OutcomesSerializer
from memories.services.constraints import ConstraintList, list_constraints, list_tenant_constraints
from memories.services.declare_constraint import MAX_CHARS, declare_constraint, declare_tenant_constraint
from memories.services.limits import MAX_KEY
from memories.services.policies import policy_of
from memories.services.withdraw_constraint import withdraw_constraint
from memoryhub.common.db import tenant_transaction

_READ, _WRITE = Capability.OWN_MEMORY_READ, Capability.OWN_MEMORY_WRITE
_FOR_TENANT = Capability.CONSTRAINTS_WRITE


class ConstraintSerializer(serializers.Serializer[Any]):
    """A rule. `overruled`: the operators have one of its key, which stands above it. `fits`: within the token cap."""

    id = serializers.UUIDField(source="memory.id")
    content = serializers.CharField(source="memory.content")
    key = serializers.CharField(source="memory.key")
    for_tenant = serializers.BooleanField(source="of_tenant")
    scope = serializers.CharField(source="memory.scope")
    session_id = serializers.UUIDField(source="memory.session_id", allow_null=True)
    # A field may be named as an attribute of the base class is: the metaclass takes it out of the class.
    source = serializers.CharField(source="memory.source")  # type: ignore[assignment]
    pinned = serializers.BooleanField(source="memory.pinned")
    said_at = serializers.DateTimeField(source="memory.said_at")
    expires_at = serializers.DateTimeField(source="memory.expires_at", allow_null=True)
    version = serializers.IntegerField(source="memory.version")
    overruled = serializers.BooleanField()
    fits = serializers.BooleanField()


class ConstraintListSerializer(serializers.Serializer[Any]):
    """All that holds, the operators' first; `left_out` of them do not fit into `cap_tokens`."""

    results = ConstraintSerializer(many=True, source="items")
    cap_tokens = serializers.IntegerField()
    used_tokens = serializers.IntegerField()
    left_out = serializers.IntegerField()


class DeclareConstraintSerializer(OfSubjectSerializer):
    """A new rule; one of the same key is replaced. `for_tenant` makes it hold for everybody (operators only)."""

    content = serializers.CharField(max_length=MAX_CHARS)
    key = serializers.CharField(max_length=MAX_KEY, required=False, default="")
    for_tenant = serializers.BooleanField(default=False)
    session_id = serializers.UUIDField(required=False, help_text="The rule then holds in this session only.")
    expires_at = serializers.DateTimeField(required=False)

    def validate(self, attrs: dict[str, Any]) -> dict[str, Any]:
        if attrs["for_tenant"] and ("subject" in attrs or "session_id" in attrs):
            raise serializers.ValidationError(
                {"for_tenant": "A rule for the tenant is nobody's own: leave subject and session_id out."}
            )
        return attrs


class ConstraintListView(ActorView):
    """The rules of one subject with the tenant's."""

    required_capabilities: ClassVar[Mapping[str, Required]] = {"GET": _READ, "POST": (_WRITE, _FOR_TENANT)}

    @extend_schema(
        operation_id="constraints_list",
        parameters=[
            *OF_SUBJECT,
            OpenApiParameter("session_id", uuid.UUID, description="Adds the rules of this session."),
            OpenApiParameter(
                "for_tenant", bool, description="Only those that operators laid down; names no subject."
            ),
        ],
        responses=ConstraintListSerializer,
    )
    def get(self, request: Request) -> Response:
        if query_flag(request, "for_tenant"):
            items = list_tenant_constraints(actor=self.actor)
            policy, _ = policy_of(self.actor.tenant_id)
            found = ConstraintList(items, policy.integer("constraint.cap_tokens"), 0, 0)
        else:
            found = list_constraints(
                actor=self.actor,
                subject_id=self.subject_id(request, create=False),
                session_id=query_id(request, "session_id"),
            )
        return Response(ConstraintListSerializer(found).data)

    @extend_schema(
        operation_id="constraints_create",
        request=DeclareConstraintSerializer,
        responses={200: OutcomesSerializer, 201: OutcomesSerializer},
    )
    def post(self, request: Request) -> Response:
        body = DeclareConstraintSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        fields = body.given
        if fields.pop("for_tenant"):
            outcomes = declare_tenant_constraint(actor=self.actor, **fields)
        else:
            scope = "session" if "session_id" in fields else "user"
            subject_id = self.subject_id(request, create=True)
            outcomes = declare_constraint(actor=self.actor, subject_id=subject_id, scope=scope, **fields)
        stored = any(outcome.code in {"stored", "superseded"} for outcome in outcomes)
        code = status.HTTP_201_CREATED if stored else status.HTTP_200_OK
        return Response(OutcomesSerializer({"results": outcomes}).data, status=code)


class ConstraintDetail(ActorView):
    """One rule."""

    required_capabilities: ClassVar[Mapping[str, Required]] = {"DELETE": (_WRITE, _FOR_TENANT)}

    @extend_schema(operation_id="constraints_delete", parameters=[IF_MATCH], responses={204: None})
    def delete(self, request: Request, memory_id: uuid.UUID) -> Response:
        """If-Match takes `"v3"` for a rule whose `version` is 3."""
        with tenant_transaction(self.actor.tenant_id):
            withdraw_constraint(actor=self.actor, memory_id=memory_id, reason="rest", match=self._match)
        return Response(status=status.HTTP_204_NO_CONTENT)

    def _match(self, version: int) -> None:
        check_match(self.request, version)
