"""Redactions in the admin: who took what out, when and why, how far it came, and the pages on which it is done."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.urls import path, reverse
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from accounts.actor import Actor
from accounts.admin_base import TenantModelAdmin
from accounts.permissions import Capability
from accounts.work_queue import Work, work
from memories.admin.redaction_run_views import RedactionResult
from memories.admin.redaction_views import RedactMemory, RedactSubject
from memories.admin.showing import MaskedColumns
from memories.models import Job, Redaction
from memories.services.redact_everywhere import KIND


@admin.register(Redaction)
class RedactionAdmin(MaskedColumns, TenantModelAdmin):
    view_capability = Capability.REDACT
    list_display = ["id", "requested_at", "who", "scope", "reason", "state", "progress", "result"]
    list_filter = [
        ("state", admin.ChoicesFieldListFilter),
        ("scope", admin.ChoicesFieldListFilter),
        "standing",
    ]
    ordering = ["-id"]
    exclude = ["target", "rules", "place"]
    search_fields = ["=id", "=memory_ref"]

    @admin.display(description=_("by"))
    def who(self, row: Redaction) -> str:
        return f"{row.requested_by_kind} {row.requested_by}"

    @admin.display(description=_("persons"))
    def progress(self, row: Redaction) -> str:
        return f"{row.subjects_done} / {row.subjects}"

    @admin.display(description=_("result"))
    def result(self, row: Redaction) -> str:
        return format_html(
            '<a href="{}">{}</a>',
            reverse("admin:memories_redaction_result", args=[row.pk]),
            _("Proof") if row.state == Redaction.State.DONE else _("Progress"),
        )

    def get_urls(self) -> list[Any]:
        view = self.admin_site.admin_view
        own = [
            path(
                f"{route}<uuid:object_id>/{end}",
                view(page.as_view(model_admin=self)),
                name=f"memories_redaction_{name}",
            )
            for route, end, name, page in (
                ("memory/", "", "memory", RedactMemory),
                ("subject/", "", "subject", RedactSubject),
                ("", "result/", "result", RedactionResult),
            )
        ]
        return [*own, *super().get_urls()]


@work
def stopped_redactions(actor: Actor) -> Work | None:
    """A run over the tenant whose job gave up: what it has not come to is hidden, and waits."""
    if Capability.REDACT not in actor.capabilities:
        return None
    # At most one there is: asked for in an order it would be looked for along the ids of all tenants.
    running = Redaction.objects.filter(scope=Redaction.Scope.TENANT, state=Redaction.State.RUNNING)
    row = next(iter(running.order_by()[:1]), None)
    url = reverse("admin:memories_redaction_changelist")
    if row is None:
        return Work(_("Redactions that stopped"), 0, url)
    alive = [Job.State.PENDING, Job.State.RUNNING]
    going = Job.objects.filter(kind=KIND, key=str(row.pk), state__in=alive).exists()
    return Work(
        _("Redactions that stopped"),
        0 if going else 1,
        reverse("admin:memories_redaction_result", args=[row.pk]),
        since=row.requested_at,
        urgent=True,
    )
