"""Who one is, as far as it is known, and the rules that hold: one's own to add and take back, the operators' to see."""

from __future__ import annotations

import uuid
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.actor import Actor
from accounts.decorators import member_required
from accounts.permissions import Capability
from memories.services.browse_memories import ListedMemory
from memories.services.constraints import Constraint, list_constraints
from memories.services.declare_constraint import MAX_CHARS, declare_constraint, declare_tenant_constraint
from memories.services.profile import get_profile
from memories.services.withdraw_constraint import withdraw_constraint
from memoryhub.common.errors import DomainError, Invalid, NotFound
from sessions_app import labels, relay
from sessions_app.strings import page_strings
from sessions_app.views.chat import operates, reader_of
from sessions_app.views.memories import back, memory_view, refused
from sessions_app.views.requests import MemberRequest


@never_cache
@require_safe
@member_required
def about(request: MemberRequest) -> HttpResponse:
    """/memories/about/."""
    actor: Actor = request.member
    if actor.subject_id is None:
        raise NotFound("this account has no memory of its own here")
    chinese = (get_language() or "").startswith("zh")
    profile = get_profile(actor=actor, subject_id=actor.subject_id, language="zh" if chinese else "en")
    rules = list_constraints(actor=actor, subject_id=actor.subject_id)
    with timezone.override(reader_of(request).time_zone):
        return render(
            request,
            "memories/about.html",
            {
                "profile": profile.groups,
                "rules": [_rule_view(rule, actor) for rule in rules.items],
                "left_out": rules.left_out,
                "cap_tokens": rules.cap_tokens,
                "max_chars": MAX_CHARS,
                "for_tenant": Capability.CONSTRAINTS_WRITE in actor.capabilities,
                "section": "memories",
                "tab": "about",
                "operates": operates(actor),
                "strings": page_strings(),
                "here": request.get_full_path(),
            },
        )


def _rule_view(rule: Constraint, actor: Actor) -> dict[str, Any]:
    return {
        **memory_view(ListedMemory(rule.memory, None)),
        "of_tenant": rule.of_tenant,
        "overruled": rule.overruled,
        "fits": rule.fits,
        "removable": not rule.of_tenant or Capability.CONSTRAINTS_WRITE in actor.capabilities,
    }


@require_POST
@member_required
def lay_down(request: MemberRequest) -> HttpResponse:
    """/memories/rules/ with `content`, and `for_tenant` 1 from an operator."""
    actor: Actor = request.member
    if actor.subject_id is None:
        raise NotFound("this account has no memory of its own here")
    content = request.POST.get("content", "")
    try:
        if request.POST.get("for_tenant") == "1":
            outcomes = declare_tenant_constraint(actor=actor, content=content)
        else:
            outcomes = declare_constraint(actor=actor, subject_id=actor.subject_id, content=content)
    except Invalid:
        messages.error(request, _("Write 1 to %d characters.") % MAX_CHARS)
        return redirect(back(request))
    kept = [outcome for outcome in outcomes if outcome.kept and outcome.memory_id]
    for outcome in kept:
        assert outcome.memory_id is not None
        relay.memory_changed(actor.id, memory_id=outcome.memory_id, change="edited")
    if kept:
        messages.success(request, labels.outcome(outcomes[0].code.value))
    else:
        messages.error(request, labels.outcome(outcomes[0].code.value))
    return redirect(back(request))


@require_POST
@member_required
def take_back(request: MemberRequest, memory_id: uuid.UUID) -> HttpResponse:
    """/memories/rules/<id>/remove/: one's own rule, or as an operator one of the tenant."""
    actor: Actor = request.member
    try:
        withdraw_constraint(actor=actor, memory_id=memory_id, reason="page")
    except NotFound:
        raise
    except DomainError as exc:
        return refused(request, exc, _("You may not do this."))
    relay.memory_changed(actor.id, memory_id=memory_id, change="forgotten")
    messages.success(request, _("The rule holds no more."))
    return redirect(back(request))
