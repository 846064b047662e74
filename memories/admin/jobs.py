"""Jobs in the admin: what waits, runs or has failed, and trying again what has failed."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import path, reverse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from accounts.admin_base import TenantModelAdmin
from accounts.operator_pages import DecisionView, one_by_one, told
from accounts.permissions import Capability
from memories.admin.packing import MOST, packed, unpacked
from memories.models import Job
from memories.services.jobs import HANDLERS
from memories.services.retry_job import retry_job
from memoryhub.common.db import tenant_transaction


class KindFilter(admin.SimpleListFilter):
    """The kinds that have a handler; several at once, as the home asks for them."""

    title = _("kind")
    parameter_name = "kind"

    def lookups(self, request: Any, model_admin: Any) -> list[tuple[str, str]]:
        return [(kind, kind) for kind in sorted(HANDLERS)]

    def queryset(self, request: Any, queryset: Any) -> Any:
        kinds = [kind for kind in (self.value() or "").split(",") if kind]
        return queryset.filter(kind__in=kinds) if kinds else queryset


class RetryView(DecisionView):
    """The jobs whose ids stand packed in the address, tried again; 404 where none of them is this tenant's."""

    capability = Capability.SWEEP
    title = _("Try failed work again")
    template_name = "admin/memories/job/decision.html"

    def jobs(self) -> list[Job]:
        """Oldest first, at most MOST."""
        with tenant_transaction(self.actor.tenant_id):
            found = list(Job.objects.filter(pk__in=unpacked(self.request.GET.get("ids", ""))).order_by("id"))
        if not found:
            raise Http404
        return found

    def get_success_url(self) -> str:
        return reverse("admin:memories_job_changelist") + "?state__exact=failed"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(
            jobs=self.jobs(),
            most=MOST,
            more="more" in self.request.GET,
            failed=Job.State.FAILED,
            parent_url=self.get_success_url(),
            submit=_("Try again"),
            **kwargs,
        )

    def decide(self, form: forms.Form) -> str:
        done = one_by_one(
            self.request,
            self.jobs(),
            lambda job: retry_job(actor=self.actor, job_id=job.pk),
            lambda job, error: f"{job.kind} {job.pk}: {told(error)}",
        )
        said = ngettext("%(n)d job waits for a worker again.", "%(n)d jobs wait for a worker again.", done)
        return said % {"n": done} if done else ""


@admin.register(Job)
class JobAdmin(TenantModelAdmin):
    holds_content = False
    list_display = ["id", "kind", "key", "state", "attempts", "error_code", "run_after", "finished_at"]
    list_filter = [("state", admin.ChoicesFieldListFilter), KindFilter]
    ordering = ["-id"]
    search_fields = ["=id"]
    actions = ["try_again"]

    def get_urls(self) -> list[Any]:
        view = self.admin_site.admin_view(RetryView.as_view(model_admin=self))
        return [path("retry/", view, name="memories_job_retry"), *super().get_urls()]

    def has_retry_permission(self, request: HttpRequest) -> bool:
        return self._may(request, Capability.SWEEP)

    @admin.action(description=_("Try again"), permissions=["retry"])
    def try_again(self, request: HttpRequest, rows: QuerySet[Job]) -> HttpResponse:
        """To the page that shows what it would touch: of more than MOST those that have waited longest, and it says so."""
        ids = list(rows.order_by("id").values_list("pk", flat=True)[: MOST + 1])
        more = "&more=1" if len(ids) > MOST else ""
        return HttpResponseRedirect(reverse("admin:memories_job_retry") + f"?ids={packed(ids[:MOST])}{more}")
