"""One's own memories: searched, edited, pinned, forgotten and brought back; forms that need no script."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib import messages
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme, urlencode
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import (
    require_http_methods,
    require_POST,
    require_safe,
)

from accounts.actor import Actor
from accounts.decorators import member_required
from memories.core.kinds import NEVER_PINNED, Kind
from memories.models import Memory
from memories.services.browse_memories import ListedMemory, browse_memories
from memories.services.edit import edit
from memories.services.forget import forget
from memories.services.get_memory import get_memory
from memories.services.pin import pin
from memories.services.restore import restore, words_missing
from memories.services.reveal import own_reveals
from memories.services.undo import undoable
from memoryhub.common.errors import Conflict, DomainError, Invalid, NotFound
from sessions_app import labels, relay
from sessions_app.strings import page_strings
from sessions_app.views.chat import operates, reader_of
from sessions_app.views.requests import MemberRequest

EDITABLE_KINDS = [kind.value for kind in Kind if kind not in {Kind.DIGEST, Kind.CHUNK, Kind.SENSITIVE}]
MAX_CHARS = 2_000


def own_memory(actor: Actor, memory_id: uuid.UUID) -> Memory:
    """The actor's own memory; NotFound for anybody else's, also where an operator could read it in the admin."""
    memory = get_memory(actor=actor, memory_id=memory_id)
    if memory.subject_id != actor.subject_id:
        raise NotFound("no such memory")
    return memory


@never_cache
@require_safe
@member_required
def listing(request: MemberRequest) -> HttpResponse:
    """/memories/?q=&kind=&gone=&cursor=."""
    actor: Actor = request.member
    if actor.subject_id is None:
        raise NotFound("this account has no memory of its own here")
    query, kind = request.GET.get("q", "").strip()[:200], request.GET.get("kind", "")
    gone = request.GET.get("gone") == "1"
    page = browse_memories(
        actor=actor,
        subject_id=actor.subject_id,
        query=query.replace("\x00", ""),
        kind=kind if kind in labels.KINDS else "",
        gone=gone,
        cursor=request.GET.get("cursor", ""),
    )
    filters = {
        name: value for name, value in (("q", query), ("kind", kind), ("gone", "1" if gone else "")) if value
    }
    looked_at = own_reveals(actor=actor, memory_ids=[item.memory.pk for item in page.items])
    with timezone.override(reader_of(request).time_zone):
        return render(
            request,
            "memories/list.html",
            {
                "memories": [
                    {**memory_view(item), "reveals": looked_at.get(item.memory.pk)} for item in page.items
                ],
                "total": page.total,
                "more": f"?{urlencode({**filters, 'cursor': page.cursor})}" if page.cursor else "",
                "continued": bool(request.GET.get("cursor")),
                "query": query,
                "kind": kind,
                "kinds": [(kind.value, labels.kind(kind.value)) for kind in Kind],
                "edit_kinds": [(value, labels.kind(value)) for value in EDITABLE_KINDS],
                "max_chars": MAX_CHARS,
                "strings": page_strings(),
                "section": "memories",
                "operates": operates(actor),
                "gone": gone,
                "tab": "gone" if gone else "current",
                "here": request.get_full_path(),
                "filtered": bool(query or kind),
            },
        )


@never_cache
@require_http_methods(["GET", "POST"])
@member_required
def change(request: MemberRequest, memory_id: uuid.UUID) -> HttpResponse:
    """/memories/<id>/edit/: a new version, unless somebody else made one meanwhile."""
    memory = own_memory(request.member, memory_id)
    content, kind, problem = memory.content, memory.kind, ""
    if request.method == "POST":
        content, kind = (
            request.POST.get("content", "").strip(),
            request.POST.get("kind", memory.kind),
        )
        try:
            _save(request, memory, content, kind)
        except Conflict:
            problem = _("This memory changed meanwhile. Below is your text; the current one stands above it.")
            memory = own_memory(request.member, memory_id)
        except Invalid as exc:
            problem = " ".join([_("This cannot be saved."), *exc.fields.values()])
        else:
            messages.success(request, _("The memory is changed."))
            return redirect(back(request))
    context = {
        "memory": memory_view(ListedMemory(memory, None)),
        "content": content,
        "chosen_kind": kind,
        "kinds": [(value, labels.kind(value)) for value in dict.fromkeys([*EDITABLE_KINDS, memory.kind])],
        "problem": problem,
        "max_chars": MAX_CHARS,
        "next": back(request),
    }
    return render(request, "memories/edit.html", context, status=409 if problem else 200)


def _save(request: MemberRequest, memory: Memory, content: str, kind: str) -> None:
    if not content or len(content) > MAX_CHARS:
        raise Invalid(
            "the text is not usable",
            fields={"content": _("Write 1 to %d characters.") % MAX_CHARS},
        )
    if kind not in EDITABLE_KINDS and kind != memory.kind:
        raise Invalid("the kind is not known", fields={"kind": _("Choose one of the kinds.")})
    version = request.POST.get("version", "")
    edit(
        actor=request.member,
        memory_id=memory.pk,
        content=content if content != memory.content else None,
        kind=kind if kind != memory.kind else None,
        expected_version=int(version) if version.isascii() and version.isdigit() else None,
    )
    relay.memory_changed(request.member.id, memory_id=memory.pk, change="edited")


@require_POST
@member_required
def set_pin(request: MemberRequest, memory_id: uuid.UUID) -> HttpResponse:
    """/memories/<id>/pin/ with `pinned` 1 or 0."""
    own_memory(request.member, memory_id)
    pinned = request.POST.get("pinned") == "1"
    try:
        pin(actor=request.member, memory_id=memory_id, pinned=pinned)
    except DomainError as exc:
        return refused(request, exc, _("This memory cannot be pinned."))
    return done(
        request,
        memory_id,
        "pinned" if pinned else "unpinned",
        _("Pinned.") if pinned else _("Not pinned any more."),
    )


@require_POST
@member_required
def let_go(request: MemberRequest, memory_id: uuid.UUID) -> HttpResponse:
    """/memories/<id>/forget/: out of every answer at once; can be brought back until it is purged."""
    own_memory(request.member, memory_id)
    forget(actor=request.member, memory_id=memory_id, reason="page", cause="user")
    return done(
        request,
        memory_id,
        "forgotten",
        _("Forgotten. It answers no question any more."),
        undo=True,
    )


@require_POST
@member_required
def bring_back(request: MemberRequest, memory_id: uuid.UUID) -> HttpResponse:
    """/memories/<id>/restore/."""
    own_memory(request.member, memory_id)
    try:
        restore(actor=request.member, memory_id=memory_id)
    except DomainError as exc:
        return refused(request, exc, _("This memory cannot be brought back any more."))
    said = [_("It is remembered again."), *labels.left_out(0, words_missing(request.member, memory_id))]
    return done(request, memory_id, "restored", " ".join(said))


def memory_view(item: ListedMemory) -> dict[str, Any]:
    """What the templates show of a memory."""
    memory = item.memory
    return {
        "id": memory.pk,
        "content": memory.content,
        "kind": memory.kind,
        "kind_label": labels.kind(memory.kind),
        "status": memory.status,
        "status_label": labels.status(memory.status),
        "pinned": memory.pinned,
        "pinnable": memory.kind not in NEVER_PINNED,
        "said_at": memory.said_at,
        "expires_at": memory.expires_at,
        "who": labels.speaker(memory.source, memory.speaker),
        "tags": memory.tags,
        "hits": memory.hits,
        "version": memory.version,
        "turn_id": item.turn_id,
        "restorable": memory.status in {"forgotten", "archived", "expired"},
        "undoable": undoable(memory),
    }


def done(
    request: MemberRequest,
    memory_id: uuid.UUID,
    change: str,
    said: str,
    *,
    undo: bool = False,
) -> HttpResponse:
    """The answer to a form (a redirect and a message) or to a script (JSON); other open pages hear of it too."""
    relay.memory_changed(request.member.id, memory_id=memory_id, change=change)
    if not request.accepts("text/html"):
        return JsonResponse({"memory_id": str(memory_id), "change": change, "message": said})
    messages.success(request, said, extra_tags=str(memory_id) if undo else "")
    return redirect(back(request))


def refused(request: MemberRequest, exc: DomainError, said: str) -> HttpResponse:
    """The same for what could not be done, in words that a person can use."""
    if not request.accepts("text/html"):
        return JsonResponse({"code": exc.code, "message": said}, status=exc.status)
    messages.error(request, said)
    return redirect(back(request))


def back(request: MemberRequest) -> str:
    url = request.POST.get("next") or request.GET.get("next") or ""
    own = url_has_allowed_host_and_scheme(url, {request.get_host()}, require_https=request.is_secure())
    return url if own else reverse("memories")
