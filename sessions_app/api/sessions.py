"""REST: sessions and their messages."""

from __future__ import annotations

import uuid
from typing import Any, ClassVar

from asgiref.sync import async_to_sync
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.base import ActorView, OldestFirst
from accounts.api.parameters import OF_SUBJECT, PAGE
from accounts.permissions import Capability
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import RateLimited
from sessions_app import relay
from sessions_app.api.serializers import (
    ChangeSessionSerializer,
    OpenSessionSerializer,
    PostedSerializer,
    PostMessageSerializer,
    SessionSerializer,
    TurnSerializer,
)
from sessions_app.core.errors import TurnNotFound
from sessions_app.generation import generate
from sessions_app.models import Turn
from sessions_app.pages import session_data
from sessions_app.protocol import resync_frame, session_frame
from sessions_app.services.end_session import end_session
from sessions_app.services.get_turns import get_session, get_turn, is_hidden, visible_turns
from sessions_app.services.learn_now import learn_now
from sessions_app.services.list_sessions import sessions_of
from sessions_app.services.open_session import open_session
from sessions_app.services.post_message import post_message
from sessions_app.services.record_turn import record_turn
from sessions_app.services.rename_session import rename_session
from sessions_app.services.set_outcome import set_outcome

_READ, _WRITE = Capability.OWN_MEMORY_READ, Capability.CHAT


class SessionList(ActorView):
    """The sessions of one subject."""

    required_capabilities: ClassVar[dict[str, Capability]] = {"GET": _READ, "POST": _WRITE}

    @extend_schema(
        operation_id="sessions_list",
        parameters=[*OF_SUBJECT, *PAGE],
        responses=SessionSerializer(many=True),
    )
    def get(self, request: Request) -> Response:
        subject_id = self.subject_id(request, create=False)
        with tenant_transaction(self.actor.tenant_id):
            return self.page(sessions_of(actor=self.actor, subject_id=subject_id), SessionSerializer)

    @extend_schema(
        operation_id="sessions_create", request=OpenSessionSerializer, responses={201: SessionSerializer}
    )
    def post(self, request: Request) -> Response:
        body = OpenSessionSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        session = open_session(
            actor=self.actor, subject_id=self.subject_id(request, create=True), **body.given
        )
        return Response(SessionSerializer(session).data, status=status.HTTP_201_CREATED)


class SessionDetail(ActorView):
    """One session."""

    required_capabilities: ClassVar[dict[str, Capability]] = {"GET": _READ, "PATCH": _WRITE}

    @extend_schema(operation_id="sessions_read", responses=SessionSerializer)
    def get(self, request: Request, session_id: uuid.UUID) -> Response:
        return Response(SessionSerializer(get_session(actor=self.actor, session_id=session_id)).data)

    @extend_schema(
        operation_id="sessions_update", request=ChangeSessionSerializer, responses=SessionSerializer
    )
    def patch(self, request: Request, session_id: uuid.UUID) -> Response:
        body = ChangeSessionSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        with tenant_transaction(self.actor.tenant_id):
            if not body.validated_data:
                session = get_session(actor=self.actor, session_id=session_id)
            if "title" in body.validated_data:
                session = rename_session(
                    actor=self.actor, session_id=session_id, title=body.validated_data["title"]
                )
            if "outcome" in body.validated_data:
                session = set_outcome(
                    actor=self.actor, session_id=session_id, outcome=body.validated_data["outcome"]
                )
        if body.validated_data:
            relay.session_changed(session_id, session_frame(session_data(session)))
        return Response(SessionSerializer(session).data)


class SessionEnd(ActorView):
    """End a session; what it said is learnt."""

    required_capabilities: ClassVar[dict[str, Capability]] = {"POST": _WRITE}

    @extend_schema(operation_id="sessions_end", request=None, responses=SessionSerializer)
    def post(self, request: Request, session_id: uuid.UUID) -> Response:
        session = end_session(actor=self.actor, session_id=session_id, reason="closed")
        relay.session_changed(session_id, session_frame(session_data(session)))
        return Response(SessionSerializer(session).data)


class MessageList(ActorView):
    """The messages of one session."""

    required_capabilities: ClassVar[dict[str, Capability]] = {"GET": _READ, "POST": _WRITE}
    pagination_class = OldestFirst
    # The model is waited for between two commits; who repeats the call finds the same message by its mark.
    answers_in_steps = True

    @extend_schema(
        operation_id="messages_list",
        parameters=list(PAGE),
        responses=TurnSerializer(many=True),
    )
    def get(self, request: Request, session_id: uuid.UUID) -> Response:
        with tenant_transaction(self.actor.tenant_id):
            return self.page(visible_turns(actor=self.actor, session_id=session_id), TurnSerializer)

    @extend_schema(
        operation_id="messages_create",
        request=PostMessageSerializer,
        examples=[
            OpenApiExample(
                "A message to be answered",
                value={"content": "Remind me where the key lies."},
                request_only=True,
            ),
            OpenApiExample(
                "What was said elsewhere, kept and learnt from",
                value={"role": "user", "content": "I moved to Hangzhou.", "reply": False},
                request_only=True,
            ),
        ],
        responses={200: PostedSerializer, 201: PostedSerializer},
    )
    def post(self, request: Request, session_id: uuid.UUID) -> Response:
        body = PostMessageSerializer(data=request.data)
        body.is_valid(raise_exception=True)
        fields = dict(body.validated_data)
        wait = fields.pop("wait")
        repeats = "client_msg_id" not in fields and bool(self.retry_mark)
        if repeats:
            fields["client_msg_id"] = self.retry_mark
        if not fields.pop("reply"):
            recorded = record_turn(actor=self.actor, session_id=session_id, learns_now=wait, **fields)
            if wait and recorded.created:
                learn_now(actor=self.actor, turn=recorded.turn, text=fields["content"])
            self._tell(session_id, recorded.created)
            return _posted(recorded.turn, None, created=recorded.created or repeats)
        # An API key speaks for many people and has a throttle of its own; a person has the chat's limit.
        if self.actor.kind == "user" and not relay.may_send_now(self.actor.id):
            raise RateLimited("too many messages", hint="Wait a minute, then send it again.")
        posted = post_message(
            actor=self.actor,
            session_id=session_id,
            content=fields["content"],
            client_msg_id=fields.get("client_msg_id"),
        )
        self._tell(session_id, posted.created)
        if posted.to_generate:
            async_to_sync(generate)(posted, actor=self.actor, publish=_nobody_listens)
            self._tell(session_id, True)
        answer = get_turn(actor=self.actor, turn_id=posted.answer_turn.pk)
        return _posted(posted.user_turn, answer, created=posted.created or repeats)

    @staticmethod
    def _tell(session_id: uuid.UUID, changed: bool) -> None:
        """Have the open pages of the session look again."""
        if changed:
            relay.session_changed(session_id, resync_frame())


class MessageDetail(ActorView):
    """One message of a session, with what became of it."""

    required_capabilities: ClassVar[dict[str, Capability]] = {"GET": _READ}

    @extend_schema(operation_id="messages_read", responses=TurnSerializer)
    def get(self, request: Request, session_id: uuid.UUID, turn_id: uuid.UUID) -> Response:
        get_session(actor=self.actor, session_id=session_id)
        turn = get_turn(actor=self.actor, turn_id=turn_id)
        if turn.session_id != session_id or is_hidden(turn):
            raise TurnNotFound("no such message in this session")
        return Response(TurnSerializer(turn).data)


async def _nobody_listens(frame: dict[str, Any]) -> None:
    """The caller waits for the whole answer; other tabs read the stored turn."""


def _posted(message: Turn, answer: Turn | None, *, created: bool) -> Response:
    code = status.HTTP_201_CREATED if created else status.HTTP_200_OK
    return Response(PostedSerializer({"message": message, "answer": answer}).data, status=code)
