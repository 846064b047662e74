"""What one's memory asks: contradictions to settle, what may have gone stale, and taking decisions back; forms without script."""

from __future__ import annotations

import uuid
from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.actor import Actor
from accounts.decorators import member_required
from memories.core.errors import SensitiveBlocked
from memories.models import Contradiction, Memory
from memories.services.browse_memories import ListedMemory
from memories.services.contradictions import open_contradictions, settled_contradictions
from memories.services.feedback import Verdict, give_feedback
from memories.services.resolve import Resolution, readable_contradiction, resolve
from memories.services.stale import stale_memories
from memories.services.undo import undo
from memories.services.undo_resolution import undo_resolution
from memoryhub.common.db import tenant_transaction
from memoryhub.common.errors import Conflict, DomainError, Invalid, NotFound
from sessions_app import labels, relay
from sessions_app.strings import page_strings
from sessions_app.views.chat import operates, reader_of
from sessions_app.views.memories import MAX_CHARS, back, done, memory_view, own_memory, refused
from sessions_app.views.requests import MemberRequest

_HIDDEN = frozenset({"forgotten", "redacted", "quarantined"})


@never_cache
@require_safe
@member_required
def questions(request: MemberRequest) -> HttpResponse:
    """/memories/questions/."""
    actor: Actor = request.member
    if actor.subject_id is None:
        raise NotFound("this account has no memory of its own here")
    to_settle = open_contradictions(actor=actor, subject_id=actor.subject_id)
    settled = settled_contradictions(actor=actor, subject_id=actor.subject_id)
    stale = stale_memories(actor=actor, subject_id=actor.subject_id)
    with timezone.override(reader_of(request).time_zone):
        return render(
            request,
            "memories/questions.html",
            {
                "open": [dispute_view(row) for row in to_settle],
                "settled": [dispute_view(row) for row in settled],
                "stale": [memory_view(ListedMemory(memory, None)) for memory in stale],
                "max_chars": MAX_CHARS,
                "section": "memories",
                "operates": operates(actor),
                "strings": page_strings(),
                "here": request.get_full_path(),
            },
        )


def dispute_view(row: Contradiction) -> dict[str, Any]:
    """What the template shows of a contradiction."""
    return {
        "id": row.pk,
        "older": _side(row.older),
        "newer": _side(row.newer),
        "resolution": labels.resolution(row.resolution),
        "resolved_at": row.resolved_at,
    }


def _side(memory: Memory) -> dict[str, Any]:
    gone = memory.status in _HIDDEN
    proofs = [] if gone else list(memory.evidence.all())
    return {
        **memory_view(ListedMemory(memory, None)),
        "content": "" if gone else memory.content,
        "proofs": [
            {
                "quote": proof.quote,
                "said_at": proof.said_at,
                "who": labels.speaker(proof.role, proof.speaker),
                "turn_id": proof.turn_id,
            }
            for proof in proofs
        ],
    }


@require_POST
@member_required
def settle(request: MemberRequest, contradiction_id: uuid.UUID) -> HttpResponse:
    """/memories/contradictions/<id>/resolve/ with `resolution`, and `content` for a merge."""
    _own_contradiction(request.member, contradiction_id)
    resolution = request.POST.get("resolution", "")
    content = request.POST.get("content", "").strip() if resolution == Resolution.MERGE else None
    try:
        if content is not None and not 0 < len(content) <= MAX_CHARS:
            raise Invalid("the text is not usable")
        row = resolve(
            actor=request.member, contradiction_id=contradiction_id, resolution=resolution, content=content
        )
    except SensitiveBlocked as exc:
        return refused(request, exc, _("The text holds a secret, which is not kept. Leave it out."))
    except Conflict as exc:
        return refused(request, exc, _("This was settled meanwhile. Below is how it stands now."))
    except Invalid as exc:
        said = (
            _("Write 1 to %d characters.") % MAX_CHARS if content is not None else _("Choose what to keep.")
        )
        return refused(request, exc, said)
    for memory_id in (row.older_id, row.newer_id):
        relay.memory_changed(request.member.id, memory_id=memory_id, change="edited")
    return done(request, row.newer_id, "edited", _("Settled. You can undo it below."))


@require_POST
@member_required
def unsettle(request: MemberRequest, contradiction_id: uuid.UUID) -> HttpResponse:
    """/memories/contradictions/<id>/undo/."""
    _own_contradiction(request.member, contradiction_id)
    try:
        row = undo_resolution(actor=request.member, contradiction_id=contradiction_id)
    except DomainError as exc:
        return refused(
            request, exc, _("This cannot be undone any more: something newer stands in its place.")
        )
    return done(request, row.newer_id, "edited", _("Undone. It waits for your decision again."))


@never_cache
@require_http_methods(["GET", "POST"])
@member_required
def take_back(request: MemberRequest, memory_id: uuid.UUID) -> HttpResponse:
    """/memories/<id>/undo/: a question first, where there is no script; then the replaced memory holds again."""
    memory = own_memory(request.member, memory_id)
    if request.method == "GET":
        successor = _successor(request.member, memory)
        context = {
            "memory": memory_view(ListedMemory(memory, None)),
            "successor": memory_view(ListedMemory(successor, None)) if successor else None,
            "next": back(request),
            "section": "memories",
            "operates": operates(request.member),
        }
        return render(request, "memories/undo.html", context)
    try:
        undo(actor=request.member, memory_id=memory_id)
    except DomainError as exc:
        return refused(
            request, exc, _("This cannot be undone any more: something newer stands in its place.")
        )
    return done(request, memory_id, "restored", _("Undone. What was known before holds again."))


@require_POST
@member_required
def still_true(request: MemberRequest, memory_id: uuid.UUID) -> HttpResponse:
    """/memories/<id>/confirm/: yes, it still holds."""
    memory = own_memory(request.member, memory_id)
    try:
        give_feedback(
            actor=request.member, subject_id=memory.subject_id, verdict=Verdict.RIGHT, memory_id=memory.pk
        )
    except DomainError as exc:
        return refused(request, exc, _("That did not work. Try again."))
    return done(request, memory_id, "edited", _("Thanks. It is not asked about again for a while."))


def _own_contradiction(actor: Actor, contradiction_id: uuid.UUID) -> None:
    """NotFound for anybody else's, also where an operator could settle it in the admin or by API."""
    with tenant_transaction(actor.tenant_id):
        row = readable_contradiction(actor, contradiction_id)
    if row.subject_id != actor.subject_id:
        raise NotFound("no such contradiction")


def _successor(actor: Actor, memory: Memory) -> Memory | None:
    if memory.superseded_by_id is None:
        return None
    try:
        successor = own_memory(actor, memory.superseded_by_id)
    except NotFound:
        return None
    return None if successor.status in _HIDDEN else successor
