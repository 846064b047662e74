"""Experiments in the admin: the list, and of one what differs between its arms and what their sessions came to."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.template.response import TemplateResponse
from django.urls import path
from django.utils.formats import number_format
from django.utils.translation import gettext_lazy as _

from accounts.admin_base import TenantModelAdmin
from accounts.permissions import Capability
from memories.admin.experiments_views import (
    TEMPLATES,
    AdoptView,
    CreateView,
    DiscardView,
    StartView,
    StopView,
)
from memories.admin.experiments_words import Line, chart_of
from memories.admin.memory_words import link
from memories.admin.policies_preview import change_lines
from memories.core.experiments import LEAST
from memories.core.policy_changes import rule_changes
from memories.models import Experiment, PolicyVersion
from memories.services.experiments.results import experiment_results

VERBS = {"start": StartView, "stop": StopView, "adopt": AdoptView, "discard": DiscardView}
OFFERED: dict[str, tuple[tuple[str, Any], ...]] = {
    Experiment.State.DRAFT: (("start", _("Start")), ("discard", _("Discard"))),
    Experiment.State.RUNNING: (("stop", _("Stop")), ("adopt", _("Adopt B"))),
    Experiment.State.STOPPED: (("adopt", _("Adopt B")),),
    Experiment.State.ADOPTED: (),
}
"""What may be decided in each state."""


@admin.register(Experiment)
class ExperimentAdmin(TenantModelAdmin):
    """Whoever reads metrics sees them; an admin decides. Numbers and operators' words only."""

    view_capability = Capability.METRICS_READ
    holds_content = False
    list_display = ["name", "state", "percent", "started_at", "stopped_at"]
    list_filter = [("state", admin.ChoicesFieldListFilter)]
    ordering = ["-id"]
    exclude = ["salt"]
    change_list_template = f"{TEMPLATES}/change_list.html"

    def get_urls(self) -> list[Any]:
        view = self.admin_site.admin_view
        own = [
            path("new/", view(CreateView.as_view(model_admin=self)), name="memories_experiment_new"),
            *(
                path(
                    f"<uuid:object_id>/{verb}/",
                    view(page.as_view(model_admin=self)),
                    name=f"memories_experiment_{verb}",
                )
                for verb, page in VERBS.items()
            ),
        ]
        return [*own, *super().get_urls()]

    @admin.display(description=_("sessions in B"), ordering="share")
    def percent(self, row: Experiment) -> str:
        return f"{round(100 * row.share)} %"

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        context = {"may_decide": self._may(request, Capability.POLICY_WRITE), **(extra_context or {})}
        return super().changelist_view(request, context)

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """What differs, and the numbers of both arms; nothing is changed here."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        if request.method not in {"GET", "HEAD"}:
            return HttpResponseNotAllowed(["GET", "HEAD"])
        row = self.get_object(request, object_id)
        if row is None:
            raise Http404
        found = experiment_results(actor=self.actor(request), experiment_id=row.pk)
        lines = [Line(one) for one in found.measures]
        may = self._may(request, Capability.POLICY_WRITE)
        base, in_force = _base(row)
        context = {
            **self.admin_site.each_context(request),
            "title": _("Experiment"),
            "opts": self.opts,
            "experiment": row,
            "percent": round(100 * row.share),
            "rest": 100 - round(100 * row.share),
            "rules": change_lines(rule_changes(base, {**base, **row.overrides})),
            "in_force": in_force,
            "results": found,
            "sessions": {
                "a": number_format(found.a.sessions),
                "b": number_format(found.b.sessions),
                "least": LEAST,
            },
            "lines": lines,
            "chart": chart_of(lines),
            "verbs": [
                (link(f"memories_experiment_{verb}", row.pk), words)
                for verb, words in (OFFERED[row.state] if may else ())
            ],
            "policy_url": link("policy"),
            "versions_url": link("memories_policyversion_versions"),
            **(extra_context or {}),
        }
        return TemplateResponse(request, f"{TEMPLATES}/page.html", context)


def _base(row: Experiment) -> tuple[dict[str, Any], int]:
    """The overrides that arm A goes or went by (a draft: those in force now), and the number of the version in force."""
    newest = PolicyVersion.objects.order_by("-number").first()
    number = newest.number if newest else 0
    if row.base_version is None or row.base_version == number:
        return (newest.overrides if newest else {}), number
    then = PolicyVersion.objects.filter(number=row.base_version).first()
    return (then.overrides if then else {}), number
