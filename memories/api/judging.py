"""REST: a person's yes or no to what waits for it, their verdicts, and the trace that explains a recall."""

from __future__ import annotations

import uuid
from typing import ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.base import ActorView, OldestFirst
from accounts.api.parameters import OF_SUBJECT, PAGE
from accounts.permissions import Capability
from memories.api.judging_serializers import (
    ApprovalSerializer,
    DecisionSerializer,
    FeedbackRequestSerializer,
    FeedbackSerializer,
    ReplayRequestSerializer,
    ReplaySerializer,
    TraceSerializer,
)
from memories.api.serializers import MemorySerializer
from memories.core.policy import Policy
from memories.services.approve import decide_approval, waiting_rows
from memories.services.feedback import give_feedback
from memories.services.replay_trace import replay_trace
from memories.services.traces import get_trace
from memoryhub.common.db import tenant_transaction

_READ, _WRITE = Capability.OWN_MEMORY_READ, Capability.OWN_MEMORY_WRITE


class ApprovalList(ActorView):
    """What waits for the subject's yes, the oldest first."""

    required_capabilities: ClassVar[dict[str, Capability]] = {"GET": _READ}
    pagination_class = OldestFirst

    @extend_schema(
        operation_id="approvals_list",
        parameters=[*OF_SUBJECT, *PAGE],
        responses=ApprovalSerializer(many=True),
    )
    def get(self, request: Request) -> Response:
        subject_id = self.subject_id(request, create=False)
        with tenant_transaction(self.actor.tenant_id):
            return self.page(waiting_rows(actor=self.actor, subject_id=subject_id), ApprovalSerializer)


class ApprovalDecision(ActorView):
    """The answer: kept and recallable after a yes, forgotten after a no."""

    required_capabilities: ClassVar[dict[str, Capability]] = {"POST": _WRITE}

    @extend_schema(operation_id="approvals_decide", request=DecisionSerializer, responses=MemorySerializer)
    def post(self, request: Request, approval_id: uuid.UUID) -> Response:
        body = DecisionSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        approve = body.validated_data["approve"]
        memory = decide_approval(actor=self.actor, approval_id=approval_id, approve=approve)
        return Response(MemorySerializer(memory).data)


class FeedbackList(ActorView):
    """A verdict on a memory, an answer, or a memory behind an answer."""

    required_capabilities: ClassVar[dict[str, Capability]] = {"POST": _WRITE}

    @extend_schema(
        operation_id="feedback_create",
        request=FeedbackRequestSerializer,
        responses={201: FeedbackSerializer},
    )
    def post(self, request: Request) -> Response:
        body = FeedbackRequestSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        subject_id = self.subject_id(request, create=False)
        feedback = give_feedback(actor=self.actor, subject_id=subject_id, **body.given)
        return Response(FeedbackSerializer(feedback).data, status=status.HTTP_201_CREATED)


class TraceDetail(ActorView):
    """What a recall considered, each score's parts, and what was used."""

    required_capabilities: ClassVar[dict[str, Capability]] = {"GET": _READ}

    @extend_schema(operation_id="traces_read", responses=TraceSerializer)
    def get(self, request: Request, trace_id: uuid.UUID) -> Response:
        return Response(TraceSerializer(get_trace(actor=self.actor, trace_id=trace_id)).data)


class TraceReplay(ActorView):
    """The recall of a trace once more, from the parts that it froze: nothing is searched again."""

    required_capabilities: ClassVar[dict[str, Capability]] = {"GET": _READ, "POST": _READ}

    @extend_schema(operation_id="traces_replay", responses=ReplaySerializer)
    def get(self, request: Request, trace_id: uuid.UUID) -> Response:
        return Response(ReplaySerializer(replay_trace(actor=self.actor, trace_id=trace_id)).data)

    @extend_schema(
        operation_id="traces_replay_with", request=ReplayRequestSerializer, responses=ReplaySerializer
    )
    def post(self, request: Request, trace_id: uuid.UUID) -> Response:
        body = ReplayRequestSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        overrides = body.validated_data.get("policy")
        policy = None if overrides is None else Policy.from_overrides(overrides)
        return Response(
            ReplaySerializer(replay_trace(actor=self.actor, trace_id=trace_id, policy=policy)).data
        )
