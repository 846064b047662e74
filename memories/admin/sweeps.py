"""Sweeps in the admin: the history of runs, what the next one would take and why, and start, pause and resume."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.urls import path, reverse
from django.utils.formats import date_format
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from accounts.actor import Actor
from accounts.admin_base import TenantModelAdmin
from accounts.permissions import Capability
from accounts.work_queue import Work, work
from memories.adapters.factory import get_clock
from memories.admin.sweep_views import PauseView, PlanView, rows_of, taken
from memories.models import SweepPause, SweepRun
from memories.services.sweep import ABANDONED
from memoryhub.common.charts import Mark, bars

SHOWN = 30
"""Runs in the chart."""


@admin.register(SweepRun)
class SweepRunAdmin(TenantModelAdmin):
    holds_content = False
    list_display = ["id", "state", "dry_run", "took", "examined", "actor_kind", "started_at", "finished_at"]
    list_filter = [("state", admin.ChoicesFieldListFilter), "dry_run"]
    ordering = ["-id"]
    change_list_template = "admin/memories/sweeprun/change_list.html"
    change_form_template = "admin/memories/sweeprun/change_form.html"

    def get_urls(self) -> list[Any]:
        view = self.admin_site.admin_view
        own = [
            path("plan/", view(PlanView.as_view(model_admin=self)), name="memories_sweeprun_plan"),
            path("pause/", view(PauseView.as_view(model_admin=self)), name="memories_sweeprun_pause"),
        ]
        return [*own, *super().get_urls()]

    @admin.display(description=_("took"))
    def took(self, run: SweepRun) -> int:
        return taken(run)

    @admin.display(description=_("looked at"))
    def examined(self, run: SweepRun) -> int:
        return int(run.counts.get("examined", 0))

    def changelist_view(self, request: HttpRequest, extra_context: Any = None) -> HttpResponse:
        pause = SweepPause.objects.first()
        context = {
            "pause": pause,
            "chart": _history(),
            "may_sweep": self._may(request, Capability.SWEEP),
            **(extra_context or {}),
        }
        return super().changelist_view(request, context)

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        run = self.get_object(request, object_id)
        context: dict[str, Any] = {}
        if run is not None:
            stuck = run.state == SweepRun.State.RUNNING and get_clock().now() - run.started_at > ABANDONED
            context = {"rows": rows_of(run.counts.get("rules", {})), "total": taken(run), "stuck": stuck}
        return super().change_view(request, object_id, form_url, {**context, **(extra_context or {})})


def _history() -> Any:
    """The newest runs that were none dry, oldest first, each with a link to its report."""
    runs = list(SweepRun.objects.filter(dry_run=False).order_by("-id")[:SHOWN])[::-1]
    marks = [
        Mark(
            date_format(run.started_at, "MONTH_DAY_FORMAT"),
            taken(run),
            ngettext("%(when)s: %(n)d memory", "%(when)s: %(n)d memories", taken(run))
            % {"when": date_format(run.started_at, "SHORT_DATETIME_FORMAT"), "n": taken(run)},
            reverse("admin:memories_sweeprun_change", args=[run.pk]),
        )
        for run in runs
    ]
    return bars(_("What each run took"), marks) if marks else ""


@work
def paused_sweeps(actor: Actor) -> Work | None:
    """A pause is forgotten easily, and memory grows meanwhile."""
    if Capability.SWEEP not in actor.capabilities:
        return None
    pause = SweepPause.objects.first()
    url = reverse("admin:memories_sweeprun_changelist")
    return Work(
        _("Sweeps are paused"), 1 if pause else 0, url, since=pause.paused_at if pause else None, urgent=True
    )


@work
def stuck_sweeps(actor: Actor) -> Work | None:
    """Runs whose worker died; the next run goes on for them."""
    if Capability.SWEEP not in actor.capabilities:
        return None
    late = SweepRun.objects.filter(
        state=SweepRun.State.RUNNING, started_at__lt=get_clock().now() - ABANDONED
    ).order_by("id")
    found = list(late.values_list("started_at", flat=True)[:10])
    url = reverse("admin:memories_sweeprun_changelist") + "?state__exact=running"
    return Work(_("Sweeps that are stuck"), len(found), url, since=found[0] if found else None, urgent=True)
