"""The chat's pages: a new chat, a conversation, the list of sessions, and the way from a memory to where it was said."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib import messages
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.actor import Actor
from accounts.decorators import member_required
from accounts.permissions import Capability
from memories.adapters.factory import get_chat_model
from memoryhub.common.errors import NotFound
from sessions_app import relay
from sessions_app.core.limits import MAX_MESSAGE_CHARS
from sessions_app.models import ChatSession, Turn
from sessions_app.pages import Reader, render_turn, session_data
from sessions_app.protocol import session_frame
from sessions_app.services.end_session import end_session
from sessions_app.services.get_turns import get_session, get_turn, get_turns
from sessions_app.services.list_sessions import list_sessions
from sessions_app.services.open_session import open_session
from sessions_app.services.rename_session import rename_session
from sessions_app.services.turn_data import turn_data
from sessions_app.state import SHOWN_AT_FIRST
from sessions_app.strings import page_strings, sample_prompts
from sessions_app.views.requests import MemberRequest

SESSIONS_SHOWN = 50
MOST_TURNS = 400


def reader_of(request: MemberRequest) -> Reader:
    """The page's language, and the time zone that the browser noted in a cookie."""
    return Reader.of(
        getattr(request, "LANGUAGE_CODE", ""),
        request.COOKIES.get("tz", "").replace("%2F", "/"),
    )


def own_session(actor: Actor, session_id: uuid.UUID) -> ChatSession:
    """The actor's own session; NotFound for anybody else's, also where an operator could read it in the admin."""
    session = get_session(actor=actor, session_id=session_id)
    if session.subject_id != actor.subject_id:
        raise NotFound("no such session")
    return session


def operates(actor: Actor) -> bool:
    """Whether the operators' site is open to the actor."""
    return Capability.MEMORY_READ in actor.capabilities


@never_cache
@require_safe
@member_required
def new_chat(request: MemberRequest) -> HttpResponse:
    """/: an empty chat; its session is opened with the first message."""
    return _page(request, None, [])


@never_cache
@require_safe
@member_required
def conversation(request: MemberRequest, session_id: uuid.UUID) -> HttpResponse:
    """/c/<id>/: the newest turns, or those from `?from=<seq>` on."""
    session = own_session(request.member, session_id)
    start = _whole(request.GET.get("from"), max(1, session.next_seq - SHOWN_AT_FIRST))
    turns = get_turns(
        actor=request.member,
        session_id=session_id,
        after_seq=start - 1,
        limit=MOST_TURNS,
    )
    return _page(request, session, turns, start)


@never_cache
@require_safe
@member_required
def earlier(request: MemberRequest, session_id: uuid.UUID) -> HttpResponse:
    """/c/<id>/earlier/?before=<seq>: HTML of the turns before, for a page that already shows the later ones."""
    session = own_session(request.member, session_id)
    before = max(1, _whole(request.GET.get("before"), session.next_seq))
    start = max(1, before - SHOWN_AT_FIRST)
    turns = get_turns(
        actor=request.member,
        session_id=session_id,
        after_seq=start - 1,
        limit=before - start,
    )
    context = {
        "session": session,
        "turns": _html(request, turns),
        "before": _first(turns, start) if start > 1 else 0,
    }
    return render(request, "chat/earlier.html", context)


@never_cache
@require_safe
@member_required
def sessions(request: MemberRequest) -> HttpResponse:
    """/c/?q=: the list of sessions, as a part of the page."""
    with timezone.override(reader_of(request).time_zone):
        return render(request, "chat/sessions.html", _sessions_context(request))


@require_POST
@member_required
def open_new(request: MemberRequest) -> HttpResponse:
    """/c/new/: end the chat that is being left, if any, and open a fresh one; JSON for scripts."""
    actor: Actor = request.member
    if actor.subject_id is None:
        raise NotFound("this account has no memory of its own here")
    leaving = _uuid(request.POST.get("leaving"))
    if leaving is not None and own_session(actor, leaving).state == ChatSession.State.OPEN:
        ended = end_session(actor=actor, session_id=leaving, reason="new_chat")
        relay.session_changed(leaving, session_frame(session_data(ended)))
    session = open_session(actor=actor, subject_id=actor.subject_id)
    url = reverse("conversation", args=[session.pk])
    if request.accepts("text/html"):
        return redirect(url)
    return JsonResponse({"id": str(session.pk), "url": url}, status=201)


@require_POST
@member_required
def rename(request: MemberRequest, session_id: uuid.UUID) -> HttpResponse:
    """/c/<id>/rename/: another title."""
    own_session(request.member, session_id)
    session = rename_session(
        actor=request.member,
        session_id=session_id,
        title=request.POST.get("title", "").strip(),
    )
    relay.session_changed(session_id, session_frame(session_data(session)))
    return redirect("conversation", session_id=session_id)


@require_POST
@member_required
def end(request: MemberRequest, session_id: uuid.UUID) -> HttpResponse:
    """/c/<id>/end/: close the session; what was said stays remembered."""
    own_session(request.member, session_id)
    session = end_session(actor=request.member, session_id=session_id, reason="closed")
    relay.session_changed(session_id, session_frame(session_data(session)))
    messages.success(request, _("The chat has ended. What was said in it is remembered."))
    return redirect("conversation", session_id=session_id)


@never_cache
@require_safe
@member_required
def source(request: MemberRequest, turn_id: uuid.UUID) -> HttpResponse:
    """/turns/<id>/: the place in the conversation where it was said."""
    turn = get_turn(actor=request.member, turn_id=turn_id)
    own_session(request.member, turn.session_id)
    url = reverse("conversation", args=[turn.session_id])
    return redirect(f"{url}?from={max(1, turn.seq - 20)}#turn-{turn.pk}")


def _page(
    request: MemberRequest, session: ChatSession | None, turns: list[Turn], start: int = 1
) -> HttpResponse:
    reader = reader_of(request)
    chat = {
        "session": str(session.pk) if session else None,
        "open": session is not None and session.state == ChatSession.State.OPEN,
        "settled": _settled(turns, start),
        "open_url": reverse("open_new"),
        "language": reader.language,
        "limit": MAX_MESSAGE_CHARS,
    }
    context = {
        **_sessions_context(request),
        "session": session,
        "turns": _html(request, turns),
        "before": _first(turns, start) if start > 1 else 0,
        "chat": chat,
        "strings": page_strings(),
        "samples": sample_prompts(),
        "model_missing": not get_chat_model().is_model,
        "section": "chat",
        "operates": operates(request.member),
    }
    with timezone.override(reader.time_zone):
        return render(request, "chat/page.html", context)


def _sessions_context(request: MemberRequest) -> dict[str, Any]:
    actor: Actor = request.member
    query = request.GET.get("q", "").strip()[:100]
    found: list[ChatSession] = []
    if actor.subject_id is not None:
        limit = SESSIONS_SHOWN if not query else 200
        found = list_sessions(actor=actor, subject_id=actor.subject_id, limit=limit, title=query)
    return {"sessions": found[:SESSIONS_SHOWN], "query": query}


def _html(request: MemberRequest, turns: list[Turn]) -> list[str]:
    reader = reader_of(request)
    shown = [turn for turn in turns if turn.role != Turn.Role.SYSTEM]
    return [render_turn(row, reader) for row in turn_data(actor=request.member, turns=shown)]


def _settled(turns: list[Turn], start: int) -> int:
    """The number of the last turn that will not change any more: resuming begins after it."""
    streaming = [turn.seq for turn in turns if turn.state == Turn.State.STREAMING]
    if streaming:
        return min(streaming) - 1
    return turns[-1].seq if turns else start - 1


def _first(turns: list[Turn], start: int) -> int:
    return turns[0].seq if turns else start


def _whole(value: str | None, default: int) -> int:
    return int(value) if value and value.isascii() and value.isdigit() and 0 < len(value) < 10 else default


def _uuid(value: str | None) -> uuid.UUID | None:
    try:
        return uuid.UUID(value) if value else None
    except ValueError:
        return None
