"""What one asked to be forgotten: said in words, looked at first, answered, undone; and what is never to be remembered."""

from __future__ import annotations

import uuid

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.actor import Actor
from accounts.decorators import member_required
from memories.services.forget_by_words import forget_by_words
from memories.services.forget_preview import Preview, preview
from memories.services.forget_requests import decide_request, list_requests
from memories.services.forget_wanted import MAX_TEXT, wanted_of
from memories.services.outcome import Outcome
from memories.services.standing_rules import list_rules, remove_rule
from memories.services.undo_request import undo_request
from memoryhub.common.errors import DomainError, Invalid, NotFound
from sessions_app import labels, relay
from sessions_app.strings import page_strings
from sessions_app.views.chat import operates, reader_of
from sessions_app.views.memories import back, refused
from sessions_app.views.requests import MemberRequest


@never_cache
@require_http_methods(["GET", "POST"])
@member_required
def forgetting(request: MemberRequest) -> HttpResponse:
    """/memories/forgetting/: the requests and rules; a POST with `text` forgets, with `look` only shows what would go."""
    actor: Actor = request.member
    if actor.subject_id is None:
        raise NotFound("this account has no memory of its own here")
    text = request.POST.get("text", "").strip()[:MAX_TEXT]
    found: list[Preview] = []
    problem = ""
    if request.method == "POST":
        try:
            wanted = wanted_of(text=text)
            if request.POST.get("look") == "1":
                found = preview(actor=actor, subject_id=actor.subject_id, wanted=wanted)
            else:
                outcomes = forget_by_words(actor=actor, subject_id=actor.subject_id, wanted=wanted)
                _tell(request, outcomes)
                return redirect("forgetting")
        except Invalid:
            problem = _("Say what is to be forgotten, like “forget my phone number”.")
    with timezone.override(reader_of(request).time_zone):
        return render(
            request,
            "memories/forgetting.html",
            {
                "requests": list_requests(actor=actor, subject_id=actor.subject_id),
                "rules": list_rules(actor=actor, subject_id=actor.subject_id),
                "found": found,
                "looked": request.POST.get("look") == "1" and not problem,
                "text": text,
                "problem": problem,
                "max_chars": MAX_TEXT,
                "section": "memories",
                "tab": "forgetting",
                "operates": operates(actor),
                "strings": page_strings(),
                "here": request.path,
            },
            status=400 if problem else 200,
        )


@require_POST
@member_required
def answer(request: MemberRequest, request_id: uuid.UUID) -> HttpResponse:
    """/memories/forgetting/<id>/ with `approve` 1 or 0."""
    approve = request.POST.get("approve") == "1"
    try:
        outcomes = decide_request(actor=request.member, request_id=request_id, approve=approve)
    except NotFound:
        raise
    except DomainError as exc:
        return refused(request, exc, _("This request cannot be answered any more. Ask again to forget it."))
    if approve:
        _tell(request, outcomes)
    else:
        messages.success(request, _("Nothing was removed."))
    return redirect(back(request))


@require_POST
@member_required
def bring_back(request: MemberRequest, request_id: uuid.UUID) -> HttpResponse:
    """/memories/forgetting/<id>/undo/."""
    try:
        undone = undo_request(actor=request.member, request_id=request_id)
    except NotFound:
        raise
    except DomainError as exc:
        return refused(request, exc, _("This cannot be brought back any more."))
    if undone.memories or not (undone.stayed or undone.missed):
        messages.success(request, _("It is remembered again."))
    if undone.texts_left:
        messages.info(
            request, _("The words of earlier messages and summaries come back one after the other.")
        )
    for said in labels.left_out(undone.stayed, undone.missed):
        messages.warning(request, said)
    return redirect(back(request))


@require_POST
@member_required
def remove(request: MemberRequest, rule_id: uuid.UUID) -> HttpResponse:
    """/memories/forgetting/rules/<id>/remove/."""
    remove_rule(actor=request.member, rule_id=rule_id)
    messages.success(request, _("What you say about it is remembered again from now on."))
    return redirect(back(request))


def _tell(request: MemberRequest, outcomes: list[Outcome]) -> None:
    """Say on the page what became of it; other open pages hear of each memory, too."""
    gone = [one for one in outcomes if one.code == "forgotten"]
    for one in gone:
        if one.memory_id is not None:
            relay.memory_changed(request.member.id, memory_id=one.memory_id, change="forgotten")
    count = sum(1 for one in gone if one.memory_id is not None)
    if any(one.rule == "forget.ask" for one in outcomes):
        messages.warning(request, _("This is wide or not quite clear. Look at it below, and confirm it."))
    if count:
        said = ngettext("%d memory is forgotten.", "%d memories are forgotten.", count) % count
        messages.success(request, said)
    elif gone:
        messages.success(request, _("Forgotten. It answers no question any more."))
    elif not any(one.rule == "forget.ask" for one in outcomes):
        messages.info(request, _("Nothing is stored that fits; nothing was removed."))
