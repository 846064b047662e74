"""The dry run of a sweep in the admin: what would go and why, before it is run, and the confirmation that starts it."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.formats import date_format, number_format
from django.utils.translation import gettext as _t
from django.utils.translation import gettext_lazy as _

from accounts import audit
from accounts.operator_pages import DecisionView, OperatorView
from accounts.permissions import Capability
from memories.adapters.factory import get_clock
from memories.admin.memory_words import explain, link
from memories.admin.showing import SEALED, shown, with_sensitivity
from memories.core.policy import Policy
from memories.models import Memory, SweepPause, SweepRun
from memories.services.pause_sweeps import pause_sweeps, resume_sweeps
from memories.services.policies import policy_of
from memories.services.start_sweep import start_sweep
from memories.services.sweep import plan_sweep
from memories.services.would_sweep import would_sweep
from memories.store.sweep_preview import Doomed

LISTED = 100
"""Memories that are listed one by one; above that an operator reads the counts."""
WORDS = {"sweep", "清理"}


def taken(run: SweepRun) -> int:
    """How many memories a run took."""
    return sum(number for kinds in run.counts.get("rules", {}).values() for number in kinds.values())


def rows_of(rules: Mapping[str, Mapping[str, int]]) -> list[tuple[str, str, str, int]]:
    """(rule, what it means, kind, number), by rule and kind."""
    return [
        (rule, explain(rule), kind, number)
        for rule, kinds in sorted(rules.items())
        for kind, number in sorted(kinds.items())
    ]


def why_of(one: Doomed, policy: Policy, now: datetime) -> str:
    """The numbers that decide, in the reader's language."""
    if one.rule == "sweep.ttl" and one.expires_at is not None:
        return _t("ended on %(when)s") % {"when": date_format(one.expires_at, "SHORT_DATETIME_FORMAT")}
    if one.rule == "sweep.floor":
        return _t("strength %(strength)s, below %(floor)s; %(days)s days old") % {
            "strength": number_format(one.strength, 3),
            "floor": number_format(policy.number("sweep.floor")),
            "days": (now - one.created_at).days,
        }
    return _t("its value %(worth)s is among the least; %(excess)s memories above %(capacity)s") % {
        "worth": number_format(one.worth, 3),
        "excess": one.excess,
        "capacity": policy.integer("sweep.capacity"),
    }


class SweepForm(forms.Form):
    """A word to be typed, so that no slip of the hand starts it."""

    confirmation = forms.CharField(
        label=_("Type “sweep”"),
        help_text=_("What a sweep takes can be restored from its tombstones until their retention ends."),
    )

    def clean_confirmation(self) -> str:
        given: str = self.cleaned_data["confirmation"]
        if given.strip().casefold() not in WORDS:
            raise forms.ValidationError(_("Type the word “sweep” to go on."))
        return given


class PlanView(DecisionView):
    """What a sweep would take now: counted by rule and kind, the first of them listed with the numbers that decide."""

    capability = Capability.SWEEP
    title = _("What a sweep would take now")
    template_name = "admin/memories/sweeprun/plan.html"
    form_class = SweepForm

    def get_success_url(self) -> str:
        return reverse("admin:memories_sweeprun_changelist")

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        policy, number = policy_of(self.actor.tenant_id)
        counted = would_sweep(actor=self.actor, policies=[policy], now=get_clock().now())
        rules = counted[0][0] if counted else {}
        total = sum(n for kinds in rules.values() for n in kinds.values())
        plan = plan_sweep(actor=self.actor, limit=LISTED) if total else []
        memories = {
            one.pk: one
            for one in with_sensitivity(Memory.objects.filter(pk__in=[one.memory_id for one, _why in plan]))
        }
        if memories:
            audit.record(self.actor, "admin.list", target_kind="memory", rows=sorted(map(str, memories)))
        return super().get_context_data(
            counted=counted is not None,
            examined=counted[1] if counted else 0,
            total=total,
            rows=rows_of(rules),
            listed=[self.row(one, policy, memories.get(one.memory_id)) for one, _why in plan],
            policy_number=number,
            policy_url=link("policy"),
            paused=SweepPause.objects.exists(),
            submit=_("Run it now"),
            parent_url=self.get_success_url(),
            parent_title=_("Sweeps"),
            **kwargs,
        )

    def row(self, one: Doomed, policy: Policy, memory: Memory | None) -> dict[str, Any]:
        text = ""
        if memory is not None:
            text = shown(
                memory.content,
                actor=self.actor,
                sensitive=getattr(memory, SEALED),
                kind=memory.kind,
                language=memory.language,
                excerpt=True,
            )
        return {
            "kind": one.kind,
            "rule": explain(one.rule) or one.rule,
            "why": why_of(one, policy, get_clock().now()),
            "text": text,
            "url": link("memories_memory_change", uuid.UUID(str(one.memory_id))),
        }

    def decide(self, form: forms.Form) -> Any:
        start_sweep(actor=self.actor)
        return _t("A worker runs it: its report stands in this list, and grows while it runs.")


class PauseView(OperatorView):
    """Pauses or resumes, as the button of the list says."""

    capability = Capability.SWEEP
    http_method_names = ["post"]

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.POST.get("do") == "pause":
            pause_sweeps(actor=self.actor)
            messages.success(request, _t("Sweeps are paused: none begins until you resume them."))
        elif resume_sweeps(actor=self.actor):
            messages.success(request, _t("Sweeps go on; one was asked for now."))
        else:
            messages.warning(request, _t("Sweeps were not paused."))
        return HttpResponseRedirect(reverse("admin:memories_sweeprun_changelist"))
