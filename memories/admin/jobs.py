"""Jobs in the admin: what waits, runs or has failed, and trying again what has failed."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from accounts.admin_base import TenantModelAdmin
from accounts.operator_pages import Told
from accounts.permissions import Capability
from memories.models import Job
from memories.services.jobs import HANDLERS
from memories.services.retry_job import retry_job


class KindFilter(admin.SimpleListFilter):
    """The kinds that have a handler; several at once, as the home asks for them."""

    title = _("kind")
    parameter_name = "kind"

    def lookups(self, request: Any, model_admin: Any) -> list[tuple[str, str]]:
        return [(kind, kind) for kind in sorted(HANDLERS)]

    def queryset(self, request: Any, queryset: Any) -> Any:
        kinds = [kind for kind in (self.value() or "").split(",") if kind]
        return queryset.filter(kind__in=kinds) if kinds else queryset


@admin.register(Job)
class JobAdmin(TenantModelAdmin):
    holds_content = False
    list_display = ["id", "kind", "key", "state", "attempts", "error_code", "run_after", "finished_at"]
    list_filter = [("state", admin.ChoicesFieldListFilter), KindFilter]
    ordering = ["-id"]
    search_fields = ["=id"]
    actions = ["try_again"]

    def has_retry_permission(self, request: HttpRequest) -> bool:
        return self._may(request, Capability.SWEEP)

    @admin.action(description=_("Try again"), permissions=["retry"])
    def try_again(self, request: HttpRequest, rows: QuerySet[Job]) -> None:
        done = 0
        for row in rows[:200]:
            with Told(self, request):
                retry_job(actor=self.actor(request), job_id=row.pk)
                done += 1
        told = ngettext("%(n)d job waits for a worker again.", "%(n)d jobs wait for a worker again.", done)
        if done:
            self.message_user(request, told % {"n": done})
